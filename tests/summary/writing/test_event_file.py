from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mindviz.summary.writing.event_file import WRITE_SIZE, EventFile, FullLog
from tests.summary.disks import disk_of


def claims(directory: Path) -> Callable[[int], tuple[int, Path]]:
    def claim(part: int) -> tuple[int, Path]:
        path = directory / f"log{part}"
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), path

    return claim


def log(directory: Path, max_size: int | None = None, *, rotate: bool = False) -> EventFile:
    return EventFile(claims(directory), lambda: b"first:", max_size, rotate=rotate)


def contents(directory: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(directory.iterdir())]


def test_no_file_is_created_before_the_first_record(tmp_path: Path) -> None:
    file = log(tmp_path)
    assert contents(tmp_path) == []
    assert file.append([b"one", b"two"]) == 2
    assert contents(tmp_path) == [b"first:onetwo"]


def test_a_full_disk_leaves_no_half_record(tmp_path: Path) -> None:
    file = log(tmp_path)
    large = [b"x" * WRITE_SIZE, b"y" * WRITE_SIZE, b"z" * WRITE_SIZE]
    with disk_of(2 * WRITE_SIZE):
        assert file.append(large) == 1
        with pytest.raises(OSError, match="large"):
            file.append(large[1:])
        assert contents(tmp_path) == [b"first:" + large[0]]
    assert file.append(large[1:]) == 2
    assert contents(tmp_path) == [b"first:" + b"".join(large)]


def test_a_disk_that_is_full_from_the_start_gets_no_file(tmp_path: Path) -> None:
    file = log(tmp_path)
    with disk_of(3):
        for _ in range(3):
            with pytest.raises(OSError, match="large"):
                file.append([b"one"])
        assert contents(tmp_path) == []
    file.append([b"one"])
    assert contents(tmp_path) == [b"first:one"]


def test_a_full_log_rejects_records(tmp_path: Path) -> None:
    file = log(tmp_path, 12)
    assert file.append([b"123", b"456", b"789"]) == 2
    with pytest.raises(FullLog):
        file.append([b"789"])
    assert contents(tmp_path) == [b"first:123456"]


def test_rotation_starts_further_files(tmp_path: Path) -> None:
    file = log(tmp_path, 12, rotate=True)
    assert file.append([b"123", b"456", b"789", b"012", b"345"]) == 5
    assert contents(tmp_path) == [b"first:123456", b"first:789012", b"first:345"]


def test_a_record_larger_than_max_size_ends_rotation(tmp_path: Path) -> None:
    file = log(tmp_path, 12, rotate=True)
    with pytest.raises(FullLog):
        file.append([b"x" * 7])


def test_a_deleted_file_is_replaced_by_another(tmp_path: Path) -> None:
    file = log(tmp_path)
    file.append([b"one"])
    (tmp_path / "log1").unlink()
    file.append([b"two"])
    assert contents(tmp_path) == [b"first:two"]


def test_a_deleted_directory_is_an_error_until_it_is_recreated(tmp_path: Path) -> None:
    directory = tmp_path / "logs"
    directory.mkdir()
    file = log(directory)
    file.append([b"one"])
    (directory / "log1").unlink()
    directory.rmdir()
    with pytest.raises(FileNotFoundError):
        file.append([b"two"])
    directory.mkdir()
    file.append([b"two"])
    assert contents(directory) == [b"first:two"]
