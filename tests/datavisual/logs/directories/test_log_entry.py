"""LogEntry: classification of an entry with a log's name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.log_entry import LogEntry, Territory, recognize
from mindviz.datavisual.series.findings import FindingKind

EVENTS = "events.out.tfevents.1700000000.host.1.0"
RECORD = bytes.fromhex("18000000000000 00") + bytes(40)
GRAPH = bytes.fromhex("0801 2204 0a02 0a00")  # ModelProto: ir_version 1, a graph with one node
SAVED_MODEL = bytes.fromhex("0801 1206 0a04 0a02 0801")  # schema version 1, a MetaGraphDef


def entry_at(path: Path, *, is_link: bool = False) -> LogEntry:
    match = recognize(path.name)
    assert match is not None
    return LogEntry(str(path.parent), "", path.name, *match, is_link=is_link)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.out.events.summary.1700000000.0.host_MS", ("mindspore", "summary")),
        ("a.out.events.summary.1700000000.0.host_lineage", ("mindspore", "lineage")),
        ("ms_output_0.pb", ("mindspore", "graph")),
        ("model.pb", ("mindspore", "graph")),
        (EVENTS, ("tensorboard", "summary")),
        (EVENTS + ".v2", ("tensorboard", "summary")),
        ("vdlrecords.1700000000.log", ("visualdl", "summary")),
        ("vdlgraph.1700000000.log", ("visualdl", "graph")),
        (
            "x.tfevents.pb",
            ("tensorboard", "summary"),
        ),  # a certain name takes precedence over a likely one
        ("a.out.events.summary.1700000000.0.host_explain", None),
        ("memory_usage_0.pb", None),
        ("model.ckpt", None),
        ("README.md", None),
    ],
)
def test_names_determine_format_and_kind(name: str, expected: tuple[str, str] | None) -> None:
    match = recognize(name)
    assert (match and (match[0].name, match[1].name)) == expected


def test_a_log_is_found_and_growth_is_a_change(tmp_path: Path) -> None:
    path = tmp_path / EVENTS
    path.write_bytes(RECORD)
    entry = entry_at(path)
    assert entry.refresh()
    assert entry.found is not None
    assert entry.found.name == EVENTS
    assert entry.found.identity.size == len(RECORD)
    assert entry.finding is None
    found = entry.found
    assert not entry.refresh()
    assert entry.found is found
    with path.open("ab") as file:
        file.write(RECORD)
    assert entry.refresh()
    assert entry.found.identity.size == 2 * len(RECORD)


def test_an_empty_file_is_a_problem_until_it_has_content(tmp_path: Path) -> None:
    path = tmp_path / EVENTS
    path.touch()
    entry = entry_at(path)
    entry.refresh()
    assert entry.finding is not None
    assert entry.finding.kind is FindingKind.NOT_A_LOG
    path.write_bytes(RECORD)
    assert entry.refresh()
    assert entry.finding is None
    assert entry.found is not None


def test_a_git_lfs_pointer_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / EVENTS
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12345\n")
    entry = entry_at(path)
    entry.refresh()
    assert entry.found is None
    assert entry.finding is not None
    assert entry.finding.kind is FindingKind.NOT_A_LOG
    path.write_bytes(RECORD)  # git lfs pull
    assert entry.refresh()
    assert entry.found is not None
    assert entry.finding is None


def test_a_pipe_named_like_a_log_is_ignored_without_blocking(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / EVENTS)
    entry = entry_at(tmp_path / EVENTS)
    entry.refresh()
    assert entry.found is None
    assert entry.finding is not None
    assert entry.finding.kind is FindingKind.NOT_A_LOG


def test_a_vdlgraph_is_a_log_in_json(tmp_path: Path) -> None:
    path = tmp_path / "vdlgraph.1700000000.log"
    path.write_text('{"script_node": {}}')
    entry = entry_at(path)
    entry.refresh()
    assert entry.found is not None
    assert entry.finding is None


def test_a_link_that_leads_nowhere_or_in_a_circle_cannot_be_read(tmp_path: Path) -> None:
    for target in ("missing", EVENTS):
        path = tmp_path / EVENTS
        path.symlink_to(target)
        entry = entry_at(path, is_link=True)
        assert entry.refresh(Territory(str(tmp_path), follow_external_links=False))
        assert entry.found is None
        assert not entry.gone
        assert entry.finding is not None
        assert entry.finding.kind is FindingKind.UNREADABLE
        path.unlink()


def test_a_deleted_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / EVENTS
    path.write_bytes(RECORD)
    entry = entry_at(path)
    entry.refresh()
    path.unlink()
    assert entry.refresh()
    assert entry.gone


def test_links_are_followed_inside_the_base_dir_and_outside_on_request(tmp_path: Path) -> None:
    base = tmp_path / "base"
    (base / "sub").mkdir(parents=True)
    neighbor = tmp_path / "base2"  # its path begins like the base dir's
    neighbor.mkdir()
    (neighbor / "log").write_bytes(RECORD)
    (base / "sub" / "log").write_bytes(RECORD)
    path = base / EVENTS
    path.symlink_to(neighbor / "log")
    inside = Territory(str(base), follow_external_links=False)
    entry = entry_at(path, is_link=True)
    entry.refresh(inside)
    assert entry.found is None
    assert entry.finding is not None
    assert entry.finding.kind is FindingKind.OUTSIDE
    assert not entry.refresh(inside)
    assert entry.refresh(Territory(str(base), follow_external_links=True))
    assert entry.found is not None
    path.unlink()
    path.symlink_to("sub/log")
    entry.refresh(inside)
    assert entry.found is not None
    assert entry.finding is None


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("model.pb", GRAPH, True),
        ("saved_model.pb", SAVED_MODEL, False),
        ("frozen.pb", b"\xff" * 100, False),
        ("empty.pb", b"", False),
        ("ms_output_0.pb", SAVED_MODEL, True),
        (EVENTS, RECORD, True),
    ],
)
def test_content_decides_where_the_name_does_not(
    tmp_path: Path, name: str, content: bytes, *, expected: bool
) -> None:
    (tmp_path / name).write_bytes(content)
    entry = entry_at(tmp_path / name)
    entry.refresh()
    assert entry.is_wanted() == expected


def test_content_is_checked_again_when_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "model.pb"
    path.write_bytes(SAVED_MODEL)
    entry = entry_at(path)
    entry.refresh()
    assert not entry.is_wanted()
    path.write_bytes(GRAPH)
    entry.refresh()
    assert entry.is_wanted()
