from __future__ import annotations

from pathlib import Path

from mindviz.summary.writing.log_names import Log, LogNames

NAMES = LogNames(Path("/logs"), "events", "_MS", 1700000000, 3, "host")


def test_files_are_named_as_mindspore_and_tensorboard_name_theirs() -> None:
    names = [next(NAMES.paths(log, 1, None))[0].name for log in Log]
    assert names == [
        "events.out.events.summary.1700000000.3.host_MS",
        "events.out.events.summary.1700000000.3.host_lineage",
        "events.out.tfevents.1700000000.3.host_MS",
    ]


def test_what_one_recording_writes_has_the_same_claim() -> None:
    candidates = NAMES.paths(Log.SUMMARY, 1, None)
    next(candidates)
    path, claim = next(candidates)
    assert path.name == f"events.out.events.summary.1700000000.3.host{claim}_MS"
    ((lineage, _),) = NAMES.paths(Log.LINEAGE, 1, claim)
    assert lineage.name == f"events.out.events.summary.1700000000.3.host{claim}_lineage"


def test_no_two_candidates_are_equal() -> None:
    paths = [path for path, _ in NAMES.paths(Log.SUMMARY, 1, None)]
    assert len(set(paths)) == len(paths) > 100


def test_further_parts_say_so() -> None:
    ((path, _),) = NAMES.paths(Log.SUMMARY, 2, "")
    assert path.name == "events.out.events.summary.1700000000.3.host.part2_MS"
