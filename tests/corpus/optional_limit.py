from typing import Optional, Sequence


def limited(values: Sequence[int], limit: Optional[int] = None) -> int:
    count = 0
    for v in values:
        if limit is not None and v > limit:
            break
        count += 1
    while count > 0:
        count -= 1
    else:
        return len(values)
    return 0
