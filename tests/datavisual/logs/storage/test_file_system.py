from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.log_file import LogFile
from mindviz.datavisual.logs.storage.file_system import LocalFiles, file_system, log_file
from mindviz.datavisual.logs.storage.log_object import LogObject
from tests.written_logs import write


def test_paths_are_files_and_urls_are_objects() -> None:
    assert type(log_file("/a/b")) is LogFile
    assert type(log_file("s3://bucket/a")) is LogObject


def test_a_path_below_a_url_is_never_a_local_file(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret", b"1")
    with pytest.raises(OSError, match="Outside the base dir"):
        log_file(str(secret), "s3://bucket/logs").opened()


def test_local_files_are_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a", "x", b"123")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    monkeypatch.chdir(tmp_path)
    files = file_system("link")
    assert isinstance(files, LocalFiles)
    assert files.base_dir == str(tmp_path / "link")
    assert files.real_path() == str((tmp_path / "a").resolve())
    assert files.stat(str(path)).st_size == 3
    with files.scandir(files.base_dir) as entries:
        assert [(entry.name, entry.is_dir()) for entry in entries] == [("x", False)]
    assert files.refresh() == 0
