"""Progress: a bar while something takes long, and nothing when it does not."""

from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console

from mindviz.cli.progress import Load, delayed_progress, show_load


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_bar_shows_jobs_and_bytes_until_poll_returns_none() -> None:
    console = terminal()
    looks = [Load(3, 2_000_000, 0), Load(40, 2_000_000, 1_000_000), None]
    show_load(console, lambda: looks.pop(0), threading.Event())
    assert looks == []
    assert "40 runs" in text_of(console)
    assert "1.0/2.0 MB" in text_of(console)


def test_the_bar_shows_points_per_second() -> None:
    console = terminal()
    looks = [Load(3, 2_000_000, 1_000_000, points=300_000), None]
    show_load(console, lambda: looks.pop(0), threading.Event())
    assert "3.00 M points/s" in text_of(console)  # a tenth of a second at least


def test_the_bar_ends_when_the_work_is_done() -> None:
    console = terminal()
    done = threading.Event()
    done.set()
    show_load(console, lambda: Load(1, 10, 10), done)
    assert "1 run" in text_of(console)


def test_zero_bytes_do_not_divide_by_zero() -> None:
    console = terminal()
    looks = [Load(0, 0, 0), None]
    show_load(console, lambda: looks.pop(0), threading.Event())
    assert "0 runs" in text_of(console)


def test_quick_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    looks: list[Load] = []

    def poll() -> Load:
        looks.append(Load(1, 1, 1))
        return looks[-1]

    with delayed_progress(poll, delay=60):
        pass
    assert looks == []
    assert capsys.readouterr().err == ""


def test_slow_work_gets_a_bar() -> None:
    polled = threading.Event()

    def poll() -> Load:
        polled.set()
        return Load(2, 10, 5)

    with delayed_progress(poll, delay=0):
        assert polled.wait(20)
