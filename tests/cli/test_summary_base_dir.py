"""The base dir as the user names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindviz.cli.summary_base_dir import absolute, check_directory, find_base_dir
from mindviz.errors import StartError


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    assert absolute("logs/../runs") == tmp_path / "runs"
    assert absolute("~/logs") == Path("/home/ada/logs")


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(StartError, match="empty path"):
        absolute("")


def test_a_directory_is_there_and_one_to_come_is_not_yet(tmp_path: Path) -> None:
    assert find_base_dir(tmp_path)
    assert not find_base_dir(tmp_path / "later" / "still")


def test_what_is_read_once_has_to_be_there(tmp_path: Path) -> None:
    check_directory(tmp_path)
    with pytest.raises(StartError, match="There is no directory"):
        check_directory(tmp_path / "later")


def test_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "events.out.tfevents.1.host"
    file.touch()
    with pytest.raises(StartError, match="is a file"):
        find_base_dir(file)
    with pytest.raises(StartError, match="cannot be read"):
        find_base_dir(file / "below")


@pytest.mark.parametrize("name", ["nul\0byte", "x" * 5000])
def test_a_name_that_no_directory_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StartError, match="cannot be read"):
        find_base_dir(tmp_path / name)


def test_a_link_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(StartError, match="cannot be read"):
        find_base_dir(tmp_path / "circle")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_directory_without_permission_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    with pytest.raises(StartError, match="Permission denied"):
        find_base_dir(closed)
