"""Why no logs were found: other files, other names, patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.cli import log_search
from mindviz.cli.log_search import hint_for_missing, names_of_logs, why_no_logs


@pytest.mark.parametrize("pattern", ["run*", "run?/x", "*/a/[12]"])
def test_a_pattern_is_recognized(pattern: str, tmp_path: Path) -> None:
    hint = hint_for_missing(tmp_path / "logs" / pattern)
    assert "did not expand" in hint
    assert f"Give {str(tmp_path / 'logs')!r}" in hint


def test_a_directory_of_a_similar_name_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "trainings").mkdir()
    (tmp_path / "trainnings.txt").touch()
    assert hint_for_missing(tmp_path / "trainngs") == " Did you mean 'trainings'?"
    assert hint_for_missing(tmp_path / "other") == ""
    assert str(tmp_path / "no") in hint_for_missing(tmp_path / "no" / "such")


def test_other_files_are_named_and_so_is_what_would_be_a_log(tmp_path: Path) -> None:
    assert why_no_logs([tmp_path]) == f"There are no files; logs are named like {names_of_logs()}."
    for name in ("d", "a.csv", "c\x1b[2J", "b.txt"):
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / name).touch()
    said = why_no_logs([tmp_path])
    assert "4 files (a.csv, b.txt, c\\x1b[2J, ...)" in said
    for name in ("*tfevents*", "summary", "vdlrecords"):
        assert name in said


def test_one_other_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "make.py").touch()
    assert why_no_logs([tmp_path]).startswith("There is 1 file (make.py), but logs are named like")


def test_files_that_are_named_like_logs_are_another_matter(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "events.out.tfevents.1.host").touch()
    assert why_no_logs([tmp_path]) == ""


def test_a_large_tree_is_not_searched_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_search, "_MOST", 3)
    for i in range(5):
        (tmp_path / f"file{i}").touch()
    assert "3 and more files" in why_no_logs([tmp_path])
