"""Keys from a terminal and from a pipe."""

from __future__ import annotations

import os
import sys
import termios

import pytest

from mindviz.cli.keyboard import Keyboard


def test_keys_arrive_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    with os.fdopen(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        keyboard = Keyboard()
        with keyboard.unbuffered():
            assert keyboard.wait(0) == ""
            os.write(master, b"j")  # no line end
            assert keyboard.wait(60) == "j"
        assert termios.tcgetattr(slave) == before
    os.close(master)


def test_the_end_of_input_quits(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with Keyboard().unbuffered():
            assert Keyboard().wait(60) == "q"
