from collections import deque


def reachable(adjacent: list[list[bool]]) -> int:
    seen = {0}
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for v, edge in enumerate(adjacent[u]):
            if edge and v not in seen:
                seen.add(v)
                queue.append(v)
    return len(seen)
