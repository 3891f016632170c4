from __future__ import annotations

from pathlib import Path

from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.recorded_step import Log

NAMES = LogNames(Path("/logs"), "events", "_MS", 1700000000, 3, "host")


def test_file_names_follow_mindspore_and_tensorboard() -> None:
    names = [next(NAMES.paths(log, 1, None))[0].name for log in Log]
    assert names == [
        "events.out.events.summary.1700000000.3.host_MS",
        "events.out.events.summary.1700000000.3.host_lineage",
        "events.out.tfevents.1700000000.3.host_MS",
    ]


def test_files_of_one_recording_share_a_claim() -> None:
    candidates = NAMES.paths(Log.SUMMARY, 1, None)
    next(candidates)
    path, claim = next(candidates)
    assert path.name == f"events.out.events.summary.1700000000.3.host{claim}_MS"
    ((lineage, _),) = NAMES.paths(Log.LINEAGE, 1, claim)
    assert lineage.name == f"events.out.events.summary.1700000000.3.host{claim}_lineage"


def test_candidates_are_unique() -> None:
    paths = [path for path, _ in NAMES.paths(Log.SUMMARY, 1, None)]
    assert len(set(paths)) == len(paths) > 100


def test_further_parts_have_a_number() -> None:
    ((path, _),) = NAMES.paths(Log.SUMMARY, 2, "")
    assert path.name == "events.out.events.summary.1700000000.3.host.part2_MS"
