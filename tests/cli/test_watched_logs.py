"""What is shown of a directory: main series, events, and only changed runs read again."""

from __future__ import annotations

import math
import os
from pathlib import Path

from mindviz.cli.watched_logs import MAX_SERIES, MAX_VALUES, Watched, WatchedLogs
from mindviz.config import Config
from mindviz.datavisual.health.rules import default_rules
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.expression import Expression
from tests.written_logs import counted_reads, events, loaded, tensorboard_log, write

LOG = "events.out.tfevents.1.h"


def look(store: LogStore, tag: str | None = None, runs: int | None = None) -> Watched:
    expression = None if tag is None else Expression(tag)
    return WatchedLogs(store, default_rules(), expression).look(runs)


def write_run(run: Path, *tags: str, time: float = 1_000) -> Path:
    log = b"".join(tensorboard_log([(1, 1.0), (2, 2.0)], tag=tag) for tag in tags)
    path = write(run, LOG, log)
    os.utime(path, (time, time))
    return path


def test_the_last_updated_runs_come_first(tmp_path: Path) -> None:
    for number, name in enumerate("abc"):
        write_run(tmp_path / name, "loss", time=1_000 + number)
    watched = look(loaded(tmp_path), runs=2)
    assert [run.train_id for run in watched.runs] == ["./c", "./b"]
    assert watched.status.train_jobs == 3


def test_losses_and_accuracies_are_the_main_series(tmp_path: Path) -> None:
    write_run(tmp_path, "lr", "val/acc", "loss", "a", "train/loss")
    (run,) = look(loaded(tmp_path)).runs
    assert [series.tag for series in run.series] == ["loss", "train/loss", "val/acc", "a", "lr"]
    assert (run.series[0].values.tolist(), run.series[0].last_step) == ([1.0, 2.0], 2)


def test_many_series_are_counted_but_not_read(tmp_path: Path) -> None:
    write_run(tmp_path, *(f"t{number}" for number in range(MAX_SERIES + 5)))
    (run,) = look(loaded(tmp_path)).runs
    assert (run.tags, len(run.series)) == (MAX_SERIES + 5, MAX_SERIES)
    (run,) = look(loaded(tmp_path), tag="t1").runs
    assert [series.tag for series in run.series] == ["t1", "t10", "t11", "t12"]


def test_anomalies_and_damage_are_events(tmp_path: Path) -> None:
    values = [(step, 1.0) for step in range(20)] + [(20, math.nan)]
    damaged = bytearray(tensorboard_log(values) + events([(21, 1.0)]))
    damaged[-10] ^= 1
    write(tmp_path, LOG, bytes(damaged))
    texts = [event.text for event in look(loaded(tmp_path)).events]
    assert texts[0].startswith("severe, bad_payload: ")
    assert texts[1].startswith("severe, nan in loss at step 20")


def test_only_changed_runs_are_read_again(tmp_path: Path) -> None:
    log = write_run(tmp_path / "a", "loss")
    write_run(tmp_path / "b", "loss")
    store = LogStore(Config(tmp_path, reload_interval=0, inotify=False))
    store.start()
    store.refresh()
    logs = WatchedLogs(store, default_rules())
    before = {run.train_id: run for run in logs.look().runs}
    with log.open("ab") as file:
        file.write(events([(3, 3.0)]))
    store.refresh()
    with counted_reads() as paths:
        after = {run.train_id: run for run in logs.look().runs}
    assert after["./a"].series[0].last_step == 3
    assert after["./b"] is before["./b"]
    assert paths == []
    store.close()


def test_long_series_are_reduced(tmp_path: Path) -> None:
    points = [(step, float(step)) for step in range(5_000)]
    write(tmp_path, LOG, tensorboard_log(points))
    (run,) = look(loaded(tmp_path)).runs
    (series,) = run.series
    assert len(series.values) == MAX_VALUES
    assert (series.last, series.last_step) == (4_999.0, 4_999)


def test_pages_have_all_runs_once(tmp_path: Path) -> None:
    for number in range(7):
        write_run(tmp_path / f"r{number}", "loss", time=1_000 + number)
    logs = WatchedLogs(loaded(tmp_path), default_rules())
    pages = [[run.train_id for run in page.runs] for page in logs.pages(3)]
    assert [len(page) for page in pages] == [3, 3, 1]
    seen = [train_id for page in pages for train_id in page]
    assert sorted(seen) == [f"./r{number}" for number in range(7)]
    assert [run.train_id for run in logs.look(2, 5).runs] == ["./r1", "./r0"]
    assert logs.look(2, 99).first == 6
