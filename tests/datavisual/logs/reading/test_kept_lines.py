"""KeptLines: merged once per version, and counted in the memory budget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.evictable_caches import Drop
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.logs.reading import kept_lines
from mindviz.datavisual.logs.reading.kept_lines import KeptLines
from mindviz.datavisual.logs.snapshots.series_lines import ScalarLine
from tests.written_logs import events, tensorboard_log, write


@pytest.fixture(autouse=True)
def everything_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_lines, "LONG", 2)


class Asking:
    """A job of two files, and a reader of its only line."""

    def __init__(self, base: Path) -> None:
        write(base / "job", "tfevents.1", tensorboard_log([(1, 0.5), (2, 0.25)]))
        write(base / "job", "tfevents.2", tensorboard_log([(2, 0.75), (3, 0.125)], start=2_000))
        self.store = LogStore(Config(base, inotify=False))
        self.store.start()
        self.store.wait_until_loaded(30)
        self.lines = KeptLines(self.store.charge_cache)

    def ask(self) -> ScalarLine:
        """The current line."""
        snapshot = self.store.cache.resident("./job")
        ((entry,),) = (tags.values() for tags in snapshot.catalog.entries.values())
        return self.lines.line("./job", snapshot, snapshot.lines(entry)[0])


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    asking = Asking(tmp_path)
    yield asking
    asking.store.close()


def test_a_long_line_is_merged_once(asking: Asking) -> None:
    line = asking.ask()
    assert line.step.tolist() == [1, 2, 2, 3]
    assert line.step[line.counting].tolist() == [1, 2, 3]
    assert asking.ask() is line


def test_long_series_of_many_jobs_are_merged_once(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    (points,) = asking.store.read_points(["./job"], "loss")
    assert points.step.tolist() == [1, 2, 3]
    assert points.value.tolist() == [0.5, 0.75, 0.125]
    monkeypatch.setattr(ScalarLine, "of", None)
    (again,) = asking.store.read_points(["./job"], "loss")
    assert again.value.tolist() == points.value.tolist()


def test_a_short_line_is_not_kept(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_lines, "LONG", 5)
    assert asking.ask() is not asking.ask()


def test_a_grown_line_is_merged_again(asking: Asking, tmp_path: Path) -> None:
    before = asking.ask()
    with (tmp_path / "job" / "tfevents.2").open("ab") as log:
        log.write(events([(4, 1.0)], start=3_000))
    asking.store.refresh()
    assert asking.ask().step.tolist() == [1, 2, 2, 3, 4]
    assert before.step.tolist() == [1, 2, 2, 3]


def test_a_line_is_evicted_when_memory_is_short(asking: Asking) -> None:
    charged: list[tuple[int, Drop]] = []
    asking.lines = KeptLines(lambda _train_id, _key, nbytes, drop: charged.append((nbytes, drop)))
    line = asking.ask()
    ((nbytes, drop),) = charged
    assert nbytes == 4 * (8 + 8 + 8 + 8)  # step, wall time, value, and which count
    drop()
    assert asking.ask() is not line
