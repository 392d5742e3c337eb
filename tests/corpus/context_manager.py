from contextlib import contextmanager

LOG: list[str] = []


class Guard:
    def __enter__(self):
        self.depth = 0
        return self

    def __exit__(self, kind, value, traceback):
        return kind is ValueError


@contextmanager
def logged(name):
    LOG.append(name)
    yield len(LOG)


def guarded(values: list[int]) -> int:
    done = 0
    for v in values:
        with Guard() as guard, logged("turn"):
            guard.depth += 1
            if v < 0:
                raise ValueError(f"negative: {v}")
            done += 1
    return done
