"""The base dir as the user names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindviz.cli.summary_base_dir import absolute, check_directory, find_base_dir
from mindviz.errors import StartError


def test_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    assert absolute("logs/../runs") == tmp_path / "runs"
    assert absolute("~/logs") == Path("/home/ada/logs")


def test_an_empty_path_is_an_error() -> None:
    with pytest.raises(StartError, match="path is empty"):
        absolute("")


def test_a_base_dir_may_be_missing(tmp_path: Path) -> None:
    assert find_base_dir(tmp_path)
    assert not find_base_dir(tmp_path / "later" / "still")


def test_a_directory_that_is_read_once_must_exist(tmp_path: Path) -> None:
    check_directory(tmp_path)
    with pytest.raises(StartError, match="does not exist"):
        check_directory(tmp_path / "later")


def test_a_file_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "events.out.tfevents.1.host"
    file.touch()
    with pytest.raises(StartError, match="is a file"):
        find_base_dir(file)
    with pytest.raises(StartError, match="Cannot read the base dir"):
        find_base_dir(file / "below")


@pytest.mark.parametrize("name", ["nul\0byte", "x" * 5000])
def test_an_impossible_name_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(StartError, match="Cannot read the base dir"):
        find_base_dir(tmp_path / name)


def test_a_link_loop_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(StartError, match="Cannot read the base dir"):
        find_base_dir(tmp_path / "circle")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_directory_without_permission_is_an_error(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    with pytest.raises(StartError, match="Permission denied"):
        find_base_dir(closed)
