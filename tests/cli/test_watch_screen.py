"""Lines that fit any terminal, whatever the logs contain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.cli.watch_screen import WatchScreen, fitted, scrolled
from mindviz.cli.watched_logs import Watched, WatchedEvent, WatchedRun, WatchedSeries
from mindviz.datavisual.health.health_events import Severity
from mindviz.datavisual.store import BaseStatus, LoadStatus
from tests.written_logs import loaded

NOW = 1_000_000.0


@pytest.fixture(scope="module")
def status(tmp_path_factory: pytest.TempPathFactory) -> BaseStatus:
    folder: Path = tmp_path_factory.mktemp("empty")
    return replace(loaded(folder).status(), load_status=LoadStatus.LOADED)


def run(name: str = "run", tags: int = 2, age: float = 10.0, events: int = 0) -> WatchedRun:
    values = np.linspace(5, 0.1234567, 100)
    return WatchedRun(
        f"./{name}",
        NOW - age,
        1,
        False,
        tags,
        tuple(
            WatchedSeries(f"train/loss{number}", values, 0.1234567, 12_345)
            for number in range(tags)
        ),
        tuple(WatchedEvent(f"./{name}", Severity.SEVERE, "severe, nan") for _ in range(events)),
    )


def lines(
    status: BaseStatus, *runs: WatchedRun, width: int = 80, height: int | None = 24, total: int = 0
) -> list[str]:
    watched = Watched(replace(status, train_jobs=max(total, len(runs))), runs)
    return [line.plain for line in WatchScreen("logs").lines(watched, NOW, width, height)]


def test_a_run_has_its_age_and_series(status: BaseStatus) -> None:
    head, name, first, _, foot = lines(status, run("lenet"))
    assert head.startswith("logs  ")
    assert name.startswith("● lenet ")
    assert name.endswith(" 10 s ago")
    assert first.startswith("  train/loss0 ")
    assert "0.1235     12,345 ██▇" in first
    assert foot == "q quit"


@pytest.mark.parametrize(
    ("age", "text"),
    [(-5, "0 s ago"), (59, "59 s ago"), (180, "3 min ago"), (7_200, "2 h ago"), (4e5, "5 d ago")],
)
def test_ages_are_short(status: BaseStatus, age: float, text: str) -> None:
    assert lines(status, run(age=age))[1].endswith(text)


def test_more_runs_than_fit_are_counted(status: BaseStatus) -> None:
    shown = lines(status, *(run(f"run{number}") for number in range(30)), total=1_000)
    assert len(shown) == 23
    assert "run9 " in shown[19]
    assert shown[-2] == "990 more runs"


def test_the_place_in_a_long_list_is_shown(status: BaseStatus) -> None:
    watched = Watched(replace(status, train_jobs=48), (run("a"), run("b")), first=10)
    shown = [line.plain for line in WatchScreen("logs").lines(watched, NOW, 80, 24)]
    assert shown[-1] == "q quit  ↑↓ PgUp PgDn Home End scroll  11 to 12 of 48"
    assert shown[-2] == "36 more runs"


@pytest.mark.parametrize(
    ("key", "first", "expected"),
    [
        *(("up", 0, 0), ("up", 5, 4), ("down", 5, 6), ("down", 38, 38)),
        *(("page down", 0, 10), ("page down", 35, 38), ("page up", 5, 0)),
        *(("home", 20, 0), ("end", 0, 38), ("other", 7, 7)),
    ],
)
def test_keys_scroll(key: str, first: int, expected: int) -> None:
    assert scrolled(key, first, 10, 48) == expected
    assert scrolled(key, 0, 10, 3) == 0  # all fit


def test_a_run_whose_log_ended_is_not_running(status: BaseStatus) -> None:
    assert lines(status, replace(run("done"), ended=True))[1].startswith("  done ")


def test_events_have_lines_of_their_own(status: BaseStatus) -> None:
    shown = lines(status, run("a", events=9))
    assert shown[4:-1] == ["9 events", *["  a: severe, nan"] * 5]


def test_no_logs_and_loading_are_said(status: BaseStatus) -> None:
    assert lines(status)[1] == "No logs yet. New runs appear automatically."
    loading = replace(status, load_status=LoadStatus.LOADING, bytes=2_000_000, bytes_read=1_000_000)
    assert lines(loading)[0] == "logs  Loading 1.0 MB of 2.0 MB, 0 runs, 0 points"


def test_text_from_logs_has_no_control_characters(status: BaseStatus) -> None:
    evil = "a\x1b[2J\r\n\u202e\x07[red]b"
    hostile = replace(
        run(evil), series=(WatchedSeries(evil, np.ones(3), 1.0, 1),),
        events=(WatchedEvent(evil, Severity.WARNING, "x"),),
    )  # fmt: skip
    shown = lines(status, hostile)
    assert all(line.isprintable() for line in shown)
    assert any("[red]b" in line for line in shown)


def test_without_block_characters_lines_are_ascii(status: BaseStatus) -> None:
    watched = Watched(replace(status, train_jobs=1), (run("x" * 200, tags=9),))
    for line in WatchScreen("logs", ascii=True).lines(watched, NOW, 60, 24):
        assert line.plain.isascii()


@given(
    st.lists(st.tuples(st.text(max_size=120), st.integers(0, 9), st.integers(0, 3)), max_size=12),
    st.integers(1, 200),
    st.integers(1, 60),
)
def test_lines_fit_any_terminal(
    status: BaseStatus, runs: list[tuple[str, int, int]], width: int, height: int
) -> None:
    made = [run(name, tags, events=events) for name, tags, events in runs]
    watched = Watched(replace(status, train_jobs=99), tuple(made))
    shown = WatchScreen("logs/中文").lines(watched, NOW, width, height)
    assert len(shown) <= height
    assert max((line.cell_len for line in shown), default=0) <= width


@given(st.integers(1, 80), st.lists(st.integers(0, 8), max_size=50), st.integers(0, 9))
def test_the_layout_fits_the_height(height: int, runs: list[int], events: int) -> None:
    layout = fitted(height, runs, events)
    used = sum(1 + min(layout.series, mine) for mine in runs[: layout.runs])
    used += layout.events + bool(layout.events) + (layout.runs < len(runs))
    assert used <= max(height - 2, 1)
