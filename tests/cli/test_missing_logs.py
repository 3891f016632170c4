"""Why no logs were found: other files, other names, patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.cli import missing_logs
from mindviz.cli.missing_logs import hint_for_missing, log_file_patterns, why_no_logs


@pytest.mark.parametrize("pattern", ["run*", "run?/x", "*/a/[12]"])
def test_a_pattern_is_recognized(pattern: str, tmp_path: Path) -> None:
    hint = hint_for_missing(tmp_path / "logs" / pattern)
    assert "did not expand" in hint
    assert f"Use {str(tmp_path / 'logs')!r} instead" in hint


def test_a_directory_of_a_similar_name_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "trainings").mkdir()
    (tmp_path / "trainnings.txt").touch()
    assert hint_for_missing(tmp_path / "trainngs") == " Did you mean 'trainings'?"
    assert hint_for_missing(tmp_path / "other") == ""
    assert str(tmp_path / "no") in hint_for_missing(tmp_path / "no" / "such")


def test_the_message_lists_other_files_and_log_names(tmp_path: Path) -> None:
    assert (
        why_no_logs([tmp_path])
        == f"The directory has no files. Log files are named like {log_file_patterns()}."
    )
    for name in ("d", "a.csv", "c\x1b[2J", "b.txt"):
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / name).touch()
    said = why_no_logs([tmp_path])
    assert "4 files (a.csv, b.txt, c\\x1b[2J, ...)" in said
    for name in ("*tfevents*", "summary", "vdlrecords"):
        assert name in said


def test_links_out_of_the_directory_are_mentioned(tmp_path: Path) -> None:
    logs, outside = tmp_path / "logs", tmp_path / "outside"
    (logs / "inside").mkdir(parents=True)
    outside.mkdir()
    (logs / "within").symlink_to(logs / "inside")
    assert "link" not in why_no_logs([logs])
    (logs / "run1").symlink_to(outside)
    assert why_no_logs([logs]) == (
        "The directory has no files, but 1 link to directories outside, which are read only with "
        "--follow-external-links."
    )
    (logs / "run2").symlink_to(outside)
    assert "but 2 links to directories outside" in why_no_logs([logs])


def test_the_message_for_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "make.py").touch()
    assert why_no_logs([tmp_path]).startswith(
        "Found 1 file (make.py), but log files are named like"
    )


def test_files_named_like_logs_need_no_explanation(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "events.out.tfevents.1.host").touch()
    assert why_no_logs([tmp_path]) == ""


def test_the_search_of_a_large_tree_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missing_logs, "_MAX_FILES", 3)
    for i in range(5):
        (tmp_path / f"file{i}").touch()
    assert "3 or more files" in why_no_logs([tmp_path])
