from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.log_set import LogSet
from mindviz.summary.writing.recorded_step import Log
from tests.summary.disks import disk_of
from tests.summary.recordings import payloads


def log_set(directory: Path, **settings: object) -> LogSet:
    names = LogNames(directory, "events", "_MS", 17, 0, "host")
    return LogSet(
        lambda: names,
        Log.SUMMARY,
        lambda log: b"first" if log is Log.SUMMARY else None,
        **settings,  # type: ignore[arg-type]
    )


def write(logs: LogSet, *contents: bytes, log: Log = Log.SUMMARY, droppable: bool = False) -> None:
    for payload in contents:
        logs.add(log, payload, droppable=droppable)
    logs.write()


def written(directory: Path) -> dict[str, list[bytes]]:
    return {path.name: payloads(path) for path in sorted(directory.iterdir())}


def test_all_kinds_of_logs_share_a_claim(tmp_path: Path) -> None:
    logs = log_set(tmp_path)
    write(logs, b"fact", log=Log.LINEAGE)
    write(logs, b"one", b"two")
    assert written(tmp_path) == {
        "events.out.events.summary.17.0.host_MS": [b"first", b"one", b"two"],
        "events.out.events.summary.17.0.host_lineage": [b"fact"],
    }


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    one, other = log_set(tmp_path), log_set(tmp_path)
    for logs in (one, other):
        write(logs, b"step")
        write(logs, b"fact", log=Log.LINEAGE)
    assert len(written(tmp_path)) == 4
    assert one.path != other.path
    assert other.path.name.endswith("_MS")
    claim = other.path.name.removesuffix("_MS")
    assert (tmp_path / f"{claim}_lineage").exists()


def test_a_full_log_stops_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logs = log_set(tmp_path, max_size=60)
    write(logs, b"one", b"two", b"three")
    write(logs, b"four")
    write(logs, b"fact", log=Log.LINEAGE)
    assert written(tmp_path)["events.out.events.summary.17.0.host_MS"] == [b"first", b"one", b"two"]
    assert written(tmp_path)["events.out.events.summary.17.0.host_lineage"] == [b"fact"]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "max_file_size" in caplog.text


def test_rotated_logs_share_their_claim(tmp_path: Path) -> None:
    write(log_set(tmp_path, max_size=60, rotate=True), b"one", b"two", b"three")
    assert written(tmp_path) == {
        "events.out.events.summary.17.0.host_MS": [b"first", b"one", b"two"],
        "events.out.events.summary.17.0.host.part2_MS": [b"first", b"three"],
    }


def test_records_wait_while_the_disk_is_full(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logs = log_set(tmp_path)
    with disk_of(50):
        for payload in (b"one", b"two", b"three"):
            write(logs, payload)
        assert logs.trouble is not None
        assert str(tmp_path) in str(logs.trouble)
        assert [r.levelno for r in caplog.records] == [logging.ERROR]
        assert written(tmp_path) == {"events.out.events.summary.17.0.host_MS": [b"first", b"one"]}
    logs.write()
    assert logs.trouble is None
    (contents,) = written(tmp_path).values()
    assert contents == [b"first", b"one", b"two", b"three"]
    assert [r.levelno for r in caplog.records] == [logging.ERROR, logging.WARNING]


def test_the_backlog_drops_the_oldest_large_values_first(tmp_path: Path) -> None:
    logs = log_set(tmp_path, backlog=3 * (16 + 3))
    with disk_of(0):
        write(logs, b"im1", droppable=True)
        write(logs, b"sc1")
        write(logs, b"im2", droppable=True)
        write(logs, b"sc2", b"sc3")
        write(logs, b"sc4")
    logs.write()
    (contents,) = written(tmp_path).values()
    assert contents == [b"first", b"sc2", b"sc3", b"sc4"]
    assert logs.lost == 3


def test_a_deleted_directory_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory = tmp_path / "logs"
    directory.mkdir()
    logs = log_set(directory)
    write(logs, b"one")
    shutil.rmtree(directory)
    for payload in (b"two", b"three"):
        write(logs, payload)
    assert str(logs.trouble) == f"The log directory {directory} no longer exists."
    assert len(caplog.records) == 1
    logs.close()
    assert "2 records could not be written" in caplog.text
