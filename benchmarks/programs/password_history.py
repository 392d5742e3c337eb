"""A new password of four characters must differ from the last n.

Learn it with --size history=n,4 --size new=4
"""


def password_history(history: list[list[int]], new: list[int]) -> bool:
    for old in history:
        k = 0
        while k < len(new) and old[k] == new[k]:
            k += 1
        if k == len(new):
            return False
    return True
