"""Temporarily unreadable logs: a real server whose system calls fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.disk_faults import (
    EACCES_ON_LISTING,
    EIO_ON_READ,
    EMFILE_ON_OPEN,
    ESTALE_ON_OPEN,
    SHORT_READS,
    FaultySystem,
)
from tests.mindviz_process import Mindviz, run, wait_until
from tests.written_logs import tensorboard_log, write

JOBS = [f"./job{number}" for number in range(4)]
POINTS = 3_000


@dataclass(frozen=True)
class Served:
    """A server with room for the columns of one job, and its disk."""

    mindviz: Mindviz
    disk: FaultySystem

    def wait_until_served(self, train_id: str, max_points: int) -> None:
        """Wait until all points are served."""
        wait_until(lambda: self.ask(train_id, max_points) == (200, POINTS), train_id)

    def ask(self, train_id: str, max_points: int) -> tuple[int, int]:
        """Status, and the number of points of the series."""
        query = urlencode({"train_id": train_id, "tag": "loss/scalar", "max_points": max_points})
        status, body = self.mindviz.request(f"/v1/mindviz/datavisual/scalars?{query}")
        answer = json.loads(body)
        if status != 200:
            assert answer["error_code"] == "5054501B", answer
            return status, 0
        return status, sum(series["total"] for series in answer["scalars"])


def logs(base_dir: Path) -> Path:
    for job in JOBS:
        write(base_dir / job, "tfevents.1", tensorboard_log([(s, s / 8) for s in range(POINTS)]))
    return base_dir


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    disk = FaultySystem(tmp_path_factory.mktemp("disk"))
    base_dir = logs(tmp_path_factory.mktemp("logs"))
    options = ["--max-memory", "100KiB", "--no-cache", "--reload-interval", "0.2"]
    with Mindviz(base_dir, tmp_path_factory.mktemp("work"), *options, env=disk.env) as mindviz:
        mindviz.wait_until_loaded()
        yield Served(mindviz, disk)


@pytest.mark.parametrize("mode", [EIO_ON_READ, ESTALE_ON_OPEN, EMFILE_ON_OPEN])
def test_a_job_that_cannot_be_reloaded_is_an_error_until_it_can(served: Served, mode: int) -> None:
    served.disk.begin(mode)
    try:
        answers = [served.ask(job, 100 + mode) for job in JOBS for _ in range(2)]
    finally:
        served.disk.end()
    # All points of jobs in memory are served, of the others none.
    assert {*answers} <= {(200, POINTS), (503, 0)}
    assert (503, 0) in answers
    tags = served.mindviz.json("/datavisual/train-job-columns")["columns"]["plugins"]
    assert "loss" in json.dumps(tags)
    for job in JOBS:
        served.wait_until_served(job, 200 + mode)
    for job in served.mindviz.json("/datavisual/train-jobs", limit=10)["train_jobs"]:
        assert job["problems"] == []


def test_short_reads_lose_nothing(served: Served) -> None:
    served.disk.begin(SHORT_READS)
    try:
        assert [served.ask(job, 300) for job in JOBS] == [(200, POINTS)] * len(JOBS)
    finally:
        served.disk.end()


def test_a_job_that_cannot_be_read_at_the_start_appears_when_it_can(tmp_path: Path) -> None:
    base_dir = logs(tmp_path / "logs")
    disk = FaultySystem(tmp_path)
    disk.begin(EIO_ON_READ)
    # With an interval of 0, the directory is not read again.
    options = ["--reload-interval", "0"]
    with Mindviz(base_dir, tmp_path / "work", *options, env=disk.env) as mindviz:
        mindviz.wait_until_loaded()
        served = Served(mindviz, disk)
        assert [served.ask(job, 10) for job in JOBS] == [(503, 0)] * len(JOBS)
        (problem,) = mindviz.json("/datavisual/train-jobs", limit=1)["train_jobs"][0]["problems"]
        assert "Input/output error" in problem["detail"]
        disk.end()
        for job in JOBS:
            served.wait_until_served(job, 10)
        for job in mindviz.json("/datavisual/train-jobs", limit=10)["train_jobs"]:
            assert job["problems"] == []


def test_an_unreadable_run_is_listed(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write(logs / "private", "tfevents.1", tensorboard_log([(1, 1.0)]))
    disk = FaultySystem(tmp_path)
    disk.begin(EACCES_ON_LISTING)
    options = ["--reload-interval", "0.1"]
    problem = "private: It cannot be read: Permission denied."
    with Mindviz(logs, tmp_path / "work", *options, env=disk.env) as mindviz:
        mindviz.wait_for_line("No runs yet, and 1 directory cannot be read:")
        mindviz.wait_for_line(problem)
        (found,) = mindviz.json("/status")["problems"]
        assert f"{found['path']}: {found['detail']}" == problem
        inspected = run("inspect", str(logs), env=disk.env)
        assert (inspected.returncode, inspected.stderr) == (0, "")
        assert "No runs found." in inspected.stdout
        assert "private" in inspected.stdout
        assert "Permission denied" in inspected.stdout
        disk.end()
        wait_until(lambda: mindviz.json("/status")["train_jobs"] == 1, "the run")
        assert mindviz.json("/status")["problems"] == []
