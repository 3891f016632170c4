"""Memory of a server: of idle runs, and of columns within --max-memory."""

from __future__ import annotations

import gc
import os
import re
import sys
import tracemalloc
from pathlib import Path
from urllib.parse import urlencode

import pytest

from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from tests.mindviz_process import Mindviz
from tests.written_logs import events, loaded, tensorboard_log, write

LIMIT = 80 * 1024 * 1024
JOBS, STEPS = 100, 60_000


def private_memory(server: Mindviz) -> int:
    """Bytes of RssAnon."""
    status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    assert found is not None
    return 1024 * int(found[1])


def while_loading(server: Mindviz) -> int:
    """The most memory until everything is loaded, while charts of ten runs are requested."""
    most = private_memory(server)
    train_ids = [f"./run{number}" for number in range(10)]
    while server.json("/status")["load_status"] != "loaded":
        query = urlencode({"train_id": train_ids, "tag": "loss/scalar"}, doseq=True)
        server.request(f"/v1/mindviz/datavisual/scalars?{query}")  # 404 until they are read
        most = max(most, private_memory(server))
    return most


def after_all_series(server: Mindviz) -> int:
    """The most memory after any answer."""
    most = while_loading(server)
    jobs = server.json("/datavisual/train-jobs", limit=JOBS)["train_jobs"]
    for job in jobs:
        query = {"train_id": job["train_id"], "tag": "loss/scalar"}
        assert len(server.json("/datavisual/scalar/metadata", **query)["metadatas"]) > 0
        most = max(most, private_memory(server))
    return most


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_columns_are_no_private_memory(tmp_path: Path) -> None:
    base, workspace = tmp_path / "logs", tmp_path / "workspace"
    base.mkdir()
    options = ("--max-memory", str(LIMIT), "--reload-interval", "0", "--no-inotify")
    with Mindviz(base, workspace, *options, as_fork=False) as server:
        empty = after_all_series(server)
    log = tensorboard_log([(step, step / 7) for step in range(STEPS)])
    for number in range(JOBS):
        write(base / f"run{number}", "events.out.tfevents.1.h", log)
    with Mindviz(base, workspace, *options, as_fork=False) as server:
        cold = after_all_series(server)
        loaded = server.json("/status")["points"]
    with Mindviz(base, workspace, *options, as_fork=False) as server:
        warm = after_all_series(server)
    with Mindviz(base, workspace, *options, "--no-cache", as_fork=False) as server:
        uncached = after_all_series(server)
    assert loaded * 20 > 1.3 * LIMIT  # bytes of columns
    assert cold < empty + LIMIT
    assert warm < empty + LIMIT // 2
    assert uncached < empty + LIMIT


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_run_larger_than_the_limit_is_no_private_memory(tmp_path: Path) -> None:
    base, workspace = tmp_path / "logs", tmp_path / "workspace"
    points = [(step, step / 8) for step in range(6_000)]
    options = ("--max-memory", str(LIMIT), "--reload-interval", "0", "--no-inotify", "--no-cache")
    base.mkdir()
    with Mindviz(base, workspace, *options, as_fork=False) as server:
        empty = while_loading(server)
    for number in range(40):
        log = tensorboard_log(points, tag=f"loss{number}")
        name = f"events.out.tfevents.{number}.h"
        write(base / "run0", name, log + events(points, tag=f"loss{number}") * 24)
    with Mindviz(base, workspace, *options, as_fork=False) as server:
        most = while_loading(server)
        assert server.json("/status")["points"] * 20 > 1.1 * LIMIT  # bytes of columns
        for number in (*range(40), 0):
            query = {"train_id": "./run0", "tag": f"loss{number}/scalar", "format": "columns"}
            (found,) = server.json("/datavisual/scalars", **query)["scalars"]
            assert (found["total"], found["in_range"]) == (150_000, 6_000)
            sampled = zip(found["values"]["step"], found["values"]["value"], strict=True)
            assert set(sampled) <= set(points)
            most = max(most, private_memory(server))
    assert most < empty + LIMIT


def small_log(first_step: int = 0) -> bytes:
    """Ten tags of three points."""
    points = [(first_step + step, 0.5 + step / 5) for step in range(3)]
    of_tags = (events(points, tag=f"train/metric_{number:02d}") for number in range(10))
    return tensorboard_log([]) + b"".join(of_tags)


def memory_of_runs(base: Path, cache: Path | None, runs: int) -> int:
    """Bytes that these runs take once they are loaded and listed."""
    for number in range(runs):
        write(base / f"sweep/run{number:06d}", f"events.out.tfevents.{number}.host", small_log())
    return memory_of(base, cache, runs)


def memory_of(base: Path, cache: Path | None, runs: int) -> int:
    """Bytes that the runs below a directory take once they are loaded and listed."""
    if cache is not None:
        loaded(base, cache_dir=cache)
    gc.collect()
    tracemalloc.start()
    try:
        store = loaded(base, cache_dir=cache)
        assert len(store.listing()) == runs
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("cached", "limit"), [(True, 3_000), (False, 4_000)])
def test_an_idle_run_takes_few_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, cached: bool, limit: int
) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", 0)
    few, many = (
        memory_of_runs(tmp_path / str(runs), tmp_path / "cache" if cached else None, runs)
        for runs in (50, 250)
    )
    assert (many - few) / 200 < limit


def test_a_file_of_a_run_takes_few_bytes(tmp_path: Path) -> None:
    memory = []
    for files in (10, 50, 250):  # the first one imports modules, too
        for number in range(files):
            name = f"events.out.tfevents.{number}.host"
            path = write(tmp_path / str(files) / "run", name, small_log(3 * number))
            os.utime(path, (0, 0))  # else it is expected to grow
        memory.append(memory_of(tmp_path / str(files), None, 1))
    assert (memory[2] - memory[1]) / 200 < 13_000
