"""LogDirectory: relevant names, when to list again, train ids."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.log_directory import (
    LogDirectory,
    directory_identity,
    list_directory,
)
from mindviz.datavisual.logs.directories.log_entry import LogEntry
from mindviz.datavisual.series.findings import FindingKind

EVENTS = "events.out.tfevents.1700000000.host"
SUMMARY = "run.out.events.summary.1700000000.0.host_MS"
PIR = Path(__file__).parents[3] / "golden" / "real" / "paddle" / "program.json"
SAVED_MODEL = bytes.fromhex("0801 1206 0a04 0a02 0801")


def directory_at(path: Path) -> LogDirectory:
    """A directory with all of its current entries."""
    status = path.stat()
    directory = LogDirectory(str(path), 0, None, directory_identity(status))
    directory.entries = tuple(
        LogEntry(str(path), "", name, log_format, kind, is_link=is_link)
        for name, (log_format, kind, is_link) in list_directory(str(path)).logs.items()
    )
    for entry in directory.entries:
        entry.refresh()
    return directory


def test_a_listing_has_logs_and_directories_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / EVENTS).touch()
    (tmp_path / "model.ckpt").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "profiler_0").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "link").symlink_to("sub")
    (tmp_path / "nowhere").symlink_to("missing")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "circle.tfevents.1").symlink_to("circle.tfevents.1")
    listing = list_directory(str(tmp_path))
    assert listing.directories == {"sub": False, ".hidden": False, "link": True}
    assert {name: is_link for name, (_, _, is_link) in listing.logs.items()} == {
        EVENTS: False,
        "circle.tfevents.1": True,
    }


def test_listing_makes_no_system_calls_for_unrelated_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        (tmp_path / f"image{number}.png").touch()

    def no_stat(*arguments: object, **options: object) -> None:
        raise AssertionError(arguments)

    monkeypatch.setattr(os, "stat", no_stat)
    listing = list_directory(str(tmp_path))
    monkeypatch.undo()
    assert listing.logs == {}


def test_many_json_files_are_a_data_set_and_not_opened(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number}.json").touch()
    assert len(list_directory(str(tmp_path)).logs) == 100
    (tmp_path / "one.more.json").touch()
    (tmp_path / EVENTS).touch()
    assert list(list_directory(str(tmp_path)).logs) == [EVENTS]


def test_a_directory_without_logs_is_no_job(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(SAVED_MODEL)
    (tmp_path / "memory_usage_0.pb").write_bytes(SAVED_MODEL)
    (tmp_path / "x.summary.1_explain").write_bytes(b"\x18")
    assert directory_at(tmp_path).find_job() is None


def test_all_formats_of_a_directory_are_one_job_sorted_by_path(tmp_path: Path) -> None:
    names = ["vdlrecords.1.log", SUMMARY, EVENTS, "ms_output_1.pb"]
    for name in names:
        (tmp_path / name).write_bytes(bytes.fromhex("1800000000000000"))
    job = directory_at(tmp_path).find_job()
    assert job is not None
    assert job.train_id == "./"
    assert [file.name for file in job.files] == sorted(names)
    assert {file.format.name for file in job.files} == {"mindspore", "tensorboard", "visualdl"}
    assert job.findings == ()


def test_any_pb_next_to_a_mindspore_summary_is_a_graph(
    tmp_path: Path,
) -> None:
    (tmp_path / EVENTS).write_bytes(b"\x18")
    (tmp_path / "saved_model.pb").write_bytes(SAVED_MODEL)
    job = directory_at(tmp_path).find_job()
    assert job is not None
    assert [file.name for file in job.files] == [EVENTS]
    (tmp_path / SUMMARY).write_bytes(b"\x18")
    job = directory_at(tmp_path).find_job()
    assert job is not None
    assert [file.name for file in job.files] == [EVENTS, SUMMARY, "saved_model.pb"]


def test_a_json_file_is_a_graph_only_if_it_is_a_paddle_program(
    tmp_path: Path,
) -> None:
    (tmp_path / "config.json").write_bytes(b'{"model": {"magic": "pir"}}')
    (tmp_path / "empty.json").touch()
    (tmp_path / "folder.json").mkdir()
    assert directory_at(tmp_path).find_job() is None
    (tmp_path / "inference.json").write_bytes(PIR.read_bytes())
    for others in ((), ("vdlrecords.1.log",), (EVENTS, "vdlrecords.1.log")):
        for name in others:
            (tmp_path / name).write_bytes(bytes.fromhex("1800000000000000"))
        job = directory_at(tmp_path).find_job()
        assert job is not None
        assert [file.name for file in job.files] == [*others[:-1], "inference.json", *others[-1:]]
        assert job.findings == ()


def test_an_unchanged_job_is_the_same_object(tmp_path: Path) -> None:
    (tmp_path / EVENTS).write_bytes(b"\x18")
    directory = directory_at(tmp_path)
    directory.job = directory.find_job()
    assert directory.find_job() is directory.job
    (tmp_path / EVENTS).write_bytes(b"\x18\x00")
    directory.entries[0].refresh()
    job = directory.find_job()
    assert job is not None
    assert job != directory.job


def test_a_directory_with_a_logs_name_is_a_problem_unless_jobs_are_in_it(tmp_path: Path) -> None:
    (tmp_path / EVENTS).write_bytes(b"\x18")
    directory = directory_at(tmp_path)
    child = LogDirectory("my.tfevents", 1, directory, 0, named_like_log=True)
    directory.subdirectories = {"my.tfevents": child}
    job = directory.find_job()
    assert job is not None
    assert [(f.kind, f.path) for f in job.findings] == [(FindingKind.NOT_A_LOG, "my.tfevents")]
    child.jobs_below = 1
    job = directory.find_job()
    assert job is not None
    assert job.findings == ()


def test_a_directory_is_listed_when_its_times_change_and_until_they_have_settled() -> None:
    directory = LogDirectory("", 0, None, 0, stamp=5, stamp_seen=100.0)
    directory.listed_at = 101.0
    assert directory.should_be_listed(6, 102.0)
    # It was listed within the tick of a coarse clock in which it changed.
    assert directory.should_be_listed(5, 102.0)
    directory.listed_at = 102.5
    assert not directory.should_be_listed(5, 103.0)
    # Some file systems don't update directory times: it is listed periodically.
    assert directory.should_be_listed(5, 103.0 + 3600)


def test_a_huge_directory_that_changes_all_the_time_is_listed_a_twentieth_of_the_time() -> None:
    directory = LogDirectory("", 0, None, 0, listed_at=100.0, listing_cost=1.0)
    assert not directory.should_be_listed(6, 119.0)
    assert directory.should_be_listed(6, 120.5)


@pytest.mark.parametrize("path", ["/base", "/"])
def test_parents_lead_to_the_base_dir_and_children_have_paths(path: str) -> None:
    base = LogDirectory(path, 0, None, 1)
    child = LogDirectory("a", 1, base, 2)
    other = LogDirectory(os.fsdecode(b"\xff"), 2, child, 3)
    assert list(other.lineage()) == [other, child, base]
    assert (base.path, base.shown) == (path, "")
    assert (other.path, other.shown) == (f"{path.rstrip('/')}/a/\udcff", "a/%FF")
