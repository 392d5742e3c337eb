"""What can go wrong, in words for the user.

    XsynthError                  anything that ends a command with a message
    ├── UsageError               wrong usage or an unreadable program: exit code 2
    │   ├── ProgramError         the file, the function, its syntax
    │   │   └── UnsupportedError a construct xsynth does not carry (file and line)
    │   ├── InputSpecError       shapes, sizes, ranges, assumptions, scales
    │   └── ModelFileError       a model that cannot be read
    └── HonestNo                 nothing learned, unverified, a bound exceeded: exit code 1

Each takes what was found and what to do; `str(error)` is at most three lines.
"""

from __future__ import annotations


class XsynthError(Exception):
    exit_code = 1

    def __init__(self, found: str, advice: str = "") -> None:
        self.found = found
        self.advice = advice
        super().__init__(found if not advice else f"{found}\n{advice}")


class UsageError(XsynthError):
    exit_code = 2


class ProgramError(UsageError):
    pass


class UnsupportedError(ProgramError):
    pass


class InputSpecError(UsageError):
    pass


class ModelFileError(UsageError):
    pass


class HonestNo(XsynthError):  # noqa: N818  (it is an answer, not a fault)
    exit_code = 1
