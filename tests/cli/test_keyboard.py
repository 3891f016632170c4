"""Keys from a terminal and from a pipe."""

from __future__ import annotations

import os
import sys
import termios

import pytest

from mindviz.cli.keyboard import Keyboard, keys_of


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


def test_keys_have_names() -> None:
    assert keys_of("\x1b[A\x1b[Bjk") == ["up", "down", "down", "up"]
    assert keys_of("\x1b[5~\x1b[6~ b") == ["page up", "page down", "page down", "page up"]
    assert keys_of("\x1bOH\x1b[4~gG") == ["home", "end", "home", "end"]
    assert keys_of("\x1b[1;5Aq?x") == ["quit"]
    assert keys_of("\x1b") == []
