"""The hash of a new password must differ from the hashes of the last n.

Learn it with --size used=n,8 --size new=8
"""


def same(left, right):
    for i in range(len(left)):
        if left[i] != right[i]:
            return False
    return True


def password_check(used: list[list[int]], new: list[int]) -> bool:
    for old in used:
        if same(old, new):
            return False
    return True
