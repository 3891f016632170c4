"""The example of docs/scaling.md: a team's parts on one machine, with one command."""

from __future__ import annotations

import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.mindviz_process import PATIENCE, Service, wait_until
from tests.object_server import send
from tests.postgresql import programs
from tests.written_logs import events, tensorboard_log, write

SCRIPT = Path(__file__).resolve().parent.parent / "examples" / "team.sh"
NAME = "events.out.tfevents.1.host"


@contextmanager
def team(logs: Path, *options: str) -> Iterator[tuple[str, list[Service]]]:
    """The endpoint of the object store, and the two servers."""
    with subprocess.Popen(
        ["bash", str(SCRIPT), *options, str(logs)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=logs.parent,
        env={**os.environ, "PYTHON": sys.executable},
    ) as process:
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()

        def value(name: str) -> str:
            while True:
                line = lines.get(timeout=PATIENCE)
                assert line is not None, "the script ended"
                if line.startswith(name):
                    return line.split()[-1]

        try:
            endpoint = value("Logs")
            yield endpoint, [Service(value("Page").rstrip("/")) for _ in range(2)]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def needed() -> None:
    """Skip unless all parts are installed."""
    for package in ("distributed", "moto", "obstore", "psycopg"):
        pytest.importorskip(package)
    programs()


def everything(service: Service) -> Any:
    """Runs with their versions, and one series of each."""
    listed = service.json("/datavisual/train-jobs")["train_jobs"]
    versions = {job["train_id"]: job["version"] for job in listed}
    series = [
        service.json("/series/scalar/values", train_id=train_id, tag="loss")["data"]
        for train_id in sorted(versions)
    ]
    return service.json("/status")["data_version"], versions, series


def change(service: Service, path: str, body: dict[str, str]) -> None:
    """A PUT that succeeds."""
    request = urllib.request.Request(
        f"{service.url}/v1/mindviz{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=PATIENCE):
        pass


def test_the_example_starts_with_one_command_and_its_servers_agree(tmp_path: Path) -> None:
    needed()
    logs = {name: tensorboard_log([(1, 0.5), (2, 0.25)]) for name in ("a", "b/c")}
    for name, log in logs.items():
        write(tmp_path / "logs" / name, NAME, log)
    # As in a checkout, which has no compiled scanner: what is installed counts.
    write(tmp_path / "mindviz", "__init__.py", b"raise ImportError")
    with team(tmp_path / "logs") as (endpoint, servers):
        for server in servers:
            wait_until(lambda s=server: len(everything(s)[1]) == 2, "both runs")  # type: ignore[misc]
        grown = logs["a"] + events([(3, 0.125)], start=1_010.0)
        send("PUT", f"{endpoint}/trainings/a/{NAME}", grown)
        send("PUT", f"{endpoint}/trainings/new/{NAME}", logs["a"])
        expected = [[0.5, 0.25, 0.125], [0.5, 0.25], [0.5, 0.25]]
        for server in servers:
            wait_until(lambda s=server: everything(s)[2] == expected, "what was uploaded")  # type: ignore[misc]
        # A page may be served by either, request by request; the last commit may hold no points.
        wait_until(lambda: everything(servers[0]) == everything(servers[1]), "equal answers")
        change(servers[0], "/lineagemgr/lineages?train_id=./new", {"remark": "best"})
        change(servers[0], "/views/aaaaaaaa", {"name": "Loss", "page": "scalar", "query": ""})
        best = servers[1].json("/datavisual/train-job-ids", filter="remark=best")
        assert best["train_ids"] == ["./new"]
        assert [view["name"] for view in servers[1].json("/views")["views"]] == ["Loss"]


def test_synthetic_runs_are_paged_on_the_example(tmp_path: Path) -> None:
    needed()
    write(tmp_path / "logs" / "a", NAME, tensorboard_log([(1, 0.5)]))
    runs = 5_000
    with team(tmp_path / "logs", "--synthetic", str(runs)) as (_, servers):
        for server in servers:
            wait_until(lambda s=server: s.json("/status")["train_jobs"] == runs, "all runs")  # type: ignore[misc]
        # Each request may go to the other server.
        turn = itertools.cycle(servers)
        pages: list[str] = []
        for offset in range(0, runs, 500):
            query = {"order": "val/loss", "offset": offset, "limit": 500}
            answer = next(turn).json("/datavisual/train-job-ids", **query)
            assert (answer["total"], answer["matching"]) == (runs, runs)
            pages += answer["train_ids"]
        assert len(set(pages)) == runs
        found = next(turn).json("/datavisual/train-job-ids", filter="lr < 0.1001", limit=1_000)
        assert found["matching"] == 5 * 100
        groups = next(turn).json(
            "/datavisual/train-job-groups", by="*-seed", limit=1_000, column="val/loss"
        )
        # The four copied runs have different parameters.
        assert (groups["group_count"], groups["matching"]) == ((runs - 4) // 5 + 1 + 4, runs)
        assert {group["count"] for group in groups["groups"]} == {1, 5}
        series = next(turn).json("/series/scalar/values", train_id=pages[0], tag="val/loss")
        assert len(series["data"]) == 10
