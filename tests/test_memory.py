"""The private memory of a server stays below --max-memory plus what an empty one takes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.mindviz_process import Mindviz
from tests.written_logs import tensorboard_log, write

LIMIT = 80 * 1024 * 1024
JOBS, STEPS = 100, 60_000


def private_memory(server: Mindviz) -> int:
    """Bytes of RssAnon."""
    status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    assert found is not None
    return 1024 * int(found[1])


def after_all_series(server: Mindviz) -> int:
    """The most memory after any answer."""
    server.wait_until_loaded()
    most = private_memory(server)
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
    with Mindviz(base, workspace, *options) as server:
        empty = after_all_series(server)
    log = tensorboard_log([(step, step / 7) for step in range(STEPS)])
    for number in range(JOBS):
        write(base / f"run{number}", "events.out.tfevents.1.h", log)
    with Mindviz(base, workspace, *options) as server:
        cold = after_all_series(server)
        loaded = server.json("/status")["points"]
    with Mindviz(base, workspace, *options) as server:
        warm = after_all_series(server)
    assert loaded * 20 > 1.3 * LIMIT  # bytes of columns
    assert cold < empty + LIMIT
    assert warm < empty + LIMIT // 2
