"""Logs that change while they are read: a real server, real files, requested over HTTP."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mindviz.wire import encode_mindspore, encode_tensorboard, encode_visualdl
from mindviz.wire.encode import frame
from mindviz.wire.framing import Framing
from tests.mindviz_process import Mindviz, wait_until
from tests.written_logs import overwritten

EPOCH = 1.7e9
TAG = "loss/scalar"

WATCHING = {
    # No test lasts as long as this interval, so only a hint can cause the update.
    "inotify": ["--reload-interval", "300"],
    "polling": ["--reload-interval", "0.3", "--no-inotify"],
}


@pytest.fixture(scope="module", params=WATCHING)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    base_dir = tmp_path_factory.mktemp("logs")
    workspace = tmp_path_factory.mktemp("workspace")
    with Mindviz(base_dir, workspace, *WATCHING[request.param]) as mindviz:
        mindviz.wait_until_loaded()
        try:
            wait_until(
                lambda: mindviz.json("/status")["watching"] == request.param, request.param, 10
            )
        except AssertionError:
            pytest.skip(f"this machine does not do {request.param}")
        yield Live(base_dir, mindviz)


@dataclass(frozen=True)
class Live:
    """A base dir, and a mindviz that watches it."""

    base_dir: Path
    mindviz: Mindviz

    def train_jobs(self) -> dict[str, Any]:
        answer = self.mindviz.json("/datavisual/train-jobs", limit=100)
        return {job["train_id"]: job for job in answer["train_jobs"]}

    def scalars(self, train_id: str, **query: object) -> dict[str, Any]:
        """The answer for one series: cursor, facts, and the steps and values so far."""
        answer = self.mindviz.json(
            "/datavisual/scalars",
            train_id=train_id,
            tag=TAG,
            format="columns",
            max_points="all",
            **query,
        )
        series = answer["scalars"]
        found: dict[str, Any] = series[0] if series else {"values": {"step": [], "value": []}}
        return {**found, **found["values"], "cursor": answer["cursor"]}

    def wait_for_steps(self, train_id: str, steps: list[int]) -> dict[str, Any]:
        """The answer once the series has exactly these steps."""
        seen: dict[str, Any] = {}

        def arrived() -> bool:
            plugins = self.train_jobs().get(train_id, {}).get("plugins", {})
            if TAG not in plugins.get("scalar", ()):
                return False  # an unknown tag is a 404
            seen.update(self.scalars(train_id))
            return bool(seen["step"] == steps)

        wait_until(arrived, f"{train_id} has the steps {steps}")
        return seen


def log_file(folder: Path, log_format: str = "tensorboard") -> Path:
    names = {
        "tensorboard": "events.out.tfevents.1700000000.host",
        "mindspore": "events.out.events.summary.1700000000.0.host_MS",
        "visualdl": "vdlrecords.1700000000.log",
    }
    folder.mkdir(parents=True, exist_ok=True)
    return folder / names[log_format]


def points(steps: range, log_format: str = "tensorboard", scale: float = 1.0) -> bytes:
    """Records with one point of `loss` each; value = step * scale."""
    if log_format == "visualdl":
        records = (encode_visualdl.scalar(EPOCH + i, i, "loss", i * scale) for i in steps)
        return b"".join(frame(record, Framing.LENGTH_PREFIXED) for record in records)
    encode = {"tensorboard": encode_tensorboard, "mindspore": encode_mindspore}[log_format]
    records = (encode.event(EPOCH + i, i, [encode.scalar("loss", i * scale)]) for i in steps)
    return b"".join(frame(record, Framing.TFRECORD) for record in records)


def head(log_format: str = "tensorboard") -> bytes:
    if log_format == "visualdl":
        return frame(encode_visualdl.meta(EPOCH), Framing.LENGTH_PREFIXED)
    encode = {"tensorboard": encode_tensorboard, "mindspore": encode_mindspore}[log_format]
    return frame(encode.version_event(EPOCH), Framing.TFRECORD)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize("log_format", ["tensorboard", "mindspore", "visualdl"])
def test_a_cursor_returns_only_appended_points(live: Live, log_format: str) -> None:
    train_id = f"./growing/{log_format}"
    path = log_file(live.base_dir / train_id, log_format)
    path.write_bytes(head(log_format) + points(range(3), log_format))
    before = live.wait_for_steps(train_id, [0, 1, 2])
    assert live.train_jobs()[train_id]["formats"] == [log_format]

    append(path, points(range(3, 5), log_format))
    increment: dict[str, Any] = {}

    def arrived() -> bool:
        increment.update(live.scalars(train_id, since=before["cursor"]))
        return bool(increment["step"])

    wait_until(arrived, "the appended points")
    # One write appended both, but a scan may see only the first page of it.
    if increment["step"] == [3]:
        increment = live.scalars(train_id, since=before["cursor"])
    assert (increment["step"], increment["value"]) == ([3, 4], [3.0, 4.0])
    assert not increment["reset"]
    assert live.scalars(train_id, since=increment["cursor"])["step"] == []
    assert live.scalars(train_id)["step"] == [0, 1, 2, 3, 4]


def test_a_record_written_in_two_halves_arrives_once(live: Live) -> None:
    train_id = "./halves"
    path = log_file(live.base_dir / train_id)
    whole = points(range(2, 3))
    path.write_bytes(head() + points(range(2)) + whole[:20])
    assert live.wait_for_steps(train_id, [0, 1])["step"] == [0, 1]
    append(path, whole[20:])
    live.wait_for_steps(train_id, [0, 1, 2])
    wait_until(lambda: live.train_jobs()[train_id]["problems"] == [], "nothing is cut off any more")


def test_a_file_truncated_in_place_is_read_again(live: Live) -> None:
    train_id = "./truncated"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(10)))
    before = live.wait_for_steps(train_id, list(range(10)))
    with path.open("r+b") as file:
        file.truncate()
        file.write(head() + points(range(4), scale=10))
    after = live.wait_for_steps(train_id, [0, 1, 2, 3])
    assert after["value"] == [0.0, 10.0, 20.0, 30.0]
    increment = live.scalars(train_id, since=before["cursor"])
    assert increment["reset"]
    assert increment["step"] == [0, 1, 2, 3]


@pytest.mark.parametrize("by_rename", [False, True])
def test_a_file_that_changed_only_in_its_middle_is_read_again(
    live: Live, *, by_rename: bool
) -> None:
    train_id = f"./middle/{by_rename}"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(1, 10)))
    before = live.wait_for_steps(train_id, list(range(1, 10)))
    changed = points(range(1, 5)) + points(range(5, 6), scale=10) + points(range(6, 10))
    overwritten(path, head() + changed, by_rename=by_rename)
    wait_until(lambda: live.scalars(train_id)["value"][4] == 50.0, "the changed point")
    increment = live.scalars(train_id, since=before["cursor"])
    assert increment["reset"]
    assert increment["value"] == [1.0, 2.0, 3.0, 4.0, 50.0, 6.0, 7.0, 8.0, 9.0]


def test_records_in_reserved_zeros_are_read_on(live: Live) -> None:
    train_id = "./reserved"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(1, 4)) + bytes(4096))
    before = live.wait_for_steps(train_id, [1, 2, 3])
    overwritten(path, (head() + points(range(1, 6))).ljust(path.stat().st_size, b"\0"))
    live.wait_for_steps(train_id, [1, 2, 3, 4, 5])
    increment = live.scalars(train_id, since=before["cursor"])
    assert not increment["reset"]
    assert increment["step"] == [4, 5]


def test_a_file_replaced_by_another_is_read_again(live: Live) -> None:
    train_id = "./replaced"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(4)))
    before = live.wait_for_steps(train_id, [0, 1, 2, 3])
    # Longer than the previous one, so that its size alone would look like an append.
    other = path.with_name("other")
    other.write_bytes(head() + points(range(100, 110)))
    other.replace(path)
    live.wait_for_steps(train_id, list(range(100, 110)))
    assert live.scalars(train_id, since=before["cursor"])["reset"]


def test_a_restart_in_a_further_file_supersedes(live: Live) -> None:
    train_id = "./restarted"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(6)))
    before = live.wait_for_steps(train_id, [0, 1, 2, 3, 4, 5])
    later = path.with_name("events.out.tfevents.1700000100.host")
    records = [
        encode_tensorboard.event(EPOCH + 100 + i, i, [encode_tensorboard.scalar("loss", -i)])
        for i in (4, 5, 6)
    ]
    later.write_bytes(head() + b"".join(frame(r, Framing.TFRECORD) for r in records))
    after = live.wait_for_steps(train_id, [0, 1, 2, 3, 4, 5, 6])
    assert after["value"] == [0.0, 1.0, 2.0, 3.0, -4.0, -5.0, -6.0]
    assert after["superseded"] == 2
    increment = live.scalars(train_id, since=before["cursor"])
    assert increment["reset"] or increment["truncate_from_step"] == 4
    kept = [] if increment["reset"] else [0, 1, 2, 3]
    assert kept + increment["step"] == after["step"]


def test_a_deleted_train_job_disappears_and_may_return(live: Live) -> None:
    train_id = "./short/lived"
    path = log_file(live.base_dir / train_id)
    path.write_bytes(head() + points(range(2)))
    live.wait_for_steps(train_id, [0, 1])
    shutil.rmtree(live.base_dir / "short")
    wait_until(lambda: train_id not in live.train_jobs(), "the job is gone")
    status, body = live.mindviz.request(f"/v1/mindviz/datavisual/single-job?train_id={train_id}")
    assert status != 200
    assert b"error_code" in body
    log_file(live.base_dir / train_id).write_bytes(head() + points(range(7, 9)))
    live.wait_for_steps(train_id, [7, 8])


def test_a_tree_moved_in_is_found_whole(live: Live, tmp_path: Path) -> None:
    for name in ("x", "y/z"):
        log_file(tmp_path / "tree" / name).write_bytes(head() + points(range(2)))
    (tmp_path / "tree").rename(live.base_dir / "moved")
    live.wait_for_steps("./moved/x", [0, 1])
    live.wait_for_steps("./moved/y/z", [0, 1])


def test_an_unreadable_file_is_a_problem_of_its_job_only(live: Live, tmp_path: Path) -> None:
    path = log_file(live.base_dir / "beside")
    path.write_bytes(head() + points(range(2)))
    (path.parent / "events.out.tfevents.9.host").symlink_to(tmp_path / "missing")
    (path.parent / "events.out.tfevents.7.host").symlink_to(tmp_path)
    os.mkfifo(path.parent / "events.out.tfevents.8.host")
    live.wait_for_steps("./beside", [0, 1])
    wait_until(lambda: live.train_jobs()["./beside"]["problems"], "the problem is listed")
    log_file(live.base_dir / "later").write_bytes(head() + points(range(3)))
    live.wait_for_steps("./later", [0, 1, 2])


@pytest.mark.parametrize("watching", WATCHING)
def test_a_base_dir_may_appear_disappear_and_return(watching: str, tmp_path: Path) -> None:
    base_dir = tmp_path / "not" / "yet"
    # Without a base dir there is no watch: only polling can find it.
    options = ["--reload-interval", "0.5", *WATCHING[watching][2:]]
    with Mindviz(base_dir, tmp_path / "workspace", *options) as mindviz:
        live = Live(base_dir, mindviz)
        assert live.train_jobs() == {}
        log_file(base_dir / "run").write_bytes(head() + points(range(2)))
        live.wait_for_steps("./run", [0, 1])
        shutil.rmtree(base_dir)
        wait_until(lambda: live.train_jobs() == {}, "the jobs are gone with their base dir")
        log_file(base_dir / "run").write_bytes(head() + points(range(5, 8)))
        live.wait_for_steps("./run", [5, 6, 7])


def test_reload_interval_0_loads_once(tmp_path: Path) -> None:
    path = log_file(tmp_path / "logs" / "run")
    path.write_bytes(head() + points(range(2)))
    options = ["--reload-interval", "0"]
    with Mindviz(tmp_path / "logs", tmp_path / "workspace", *options) as mindviz:
        mindviz.wait_until_loaded()
        live = Live(tmp_path / "logs", mindviz)
        version = mindviz.json("/status")["data_version"]
        append(path, points(range(2, 4)))
        assert live.scalars("./run")["step"] == [0, 1]
        assert mindviz.json("/status")["data_version"] == version
