from __future__ import annotations

import os
import signal

import pytest

from xsynth import interrupts


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_is_raised_where_it_is_safe() -> None:
    with interrupts.listening(), pytest.raises(KeyboardInterrupt):
        interrupt()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_in_a_finalizer_is_not_lost() -> None:
    class Finalized:
        def __del__(self) -> None:
            interrupt()

    with interrupts.listening():
        thing = Finalized()
        del thing
        with pytest.raises(KeyboardInterrupt):
            interrupts.demand()
        interrupts.demand()


def test_an_interrupt_inside_z3_waits_for_a_safe_point() -> None:
    space = {"__name__": "z3.z3", "interrupt": interrupt}
    exec("def inside():\n    interrupt()\n    return 1\n", space)
    with interrupts.listening():
        assert space["inside"]() == 1  # type: ignore[operator]
        with pytest.raises(KeyboardInterrupt):
            interrupts.demand()


class Answer:
    """Stands for a solver that was stopped."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def check(self) -> str:
        return "unknown"

    def reason_unknown(self) -> str:
        return self.reason


def test_an_answer_before_its_time_is_an_interrupt() -> None:
    for timeout in (None, 60.0):
        with pytest.raises(KeyboardInterrupt):
            interrupts.check(Answer("canceled"), timeout)
    assert interrupts.check(Answer("canceled"), 0.0) == "unknown"
    assert interrupts.check(Answer("(incomplete quantifiers)"), None) == "unknown"
