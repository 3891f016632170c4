"""Paths and URLs, and errors about invalid ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import mindviz
from mindviz.errors import CannotOpen
from tests.served_logs import answering, serving
from tests.written_logs import tensorboard_log, write


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    write(tmp_path / "logs" / "a", "tfevents.1", tensorboard_log([(1, 0.5)]))
    return tmp_path / "logs"


def test_a_path_may_be_relative_or_below_home(
    base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(base_dir.parent)
    monkeypatch.setenv("HOME", str(base_dir.parent))
    for location in ("logs", "~/logs", Path("logs"), base_dir):
        with mindviz.open(location) as logs:
            assert logs.train_jobs()["train_id"].tolist() == ["./a"]


def test_a_misspelt_directory_is_suggested(base_dir: Path) -> None:
    with pytest.raises(CannotOpen, match="Did you mean 'logs'"):
        mindviz.open(base_dir.parent / "lgos")


def test_a_url_may_be_copied_from_a_browser(base_dir: Path) -> None:
    with serving(base_dir, "exp", prefix="/lab") as url:
        for shown in (url, url.rstrip("/"), f"{url}?x=1#/scalars?tag=loss"):
            assert mindviz.open(shown).scalars()["step"].tolist() == [1]


def test_an_experiment_of_a_server_is_named(base_dir: Path) -> None:
    with serving(base_dir, "exp") as url:
        logs = mindviz.open(url, "exp")
        assert logs.train_jobs()["train_id"].tolist() == ["./a"]
        assert repr(logs) == f"<1 run at {url}experiment/exp/>"
        with pytest.raises(CannotOpen, match="no experiment 'other', but 'exp'"):
            mindviz.open(url, "other")


@pytest.mark.parametrize(
    ("location", "complaint"),
    [
        ("", "empty path"),
        ("/no/such/place", "There is nothing at '/no/such/place'"),
        ("127.0.0.1:8080", "Did you mean 'http://127.0.0.1:8080'"),
        ("/no/such/train*", "a directory instead of a pattern"),
        ("nul\0byte", "cannot be read"),
        ("http://", "names no host"),
        ("http://[::1", "is no URL"),
        ("http://x:y/", "is no URL"),
        ("ftp://host/logs", "not a database that mindviz can use"),
        ("sqlite:////no/such.db", "There is no database"),
        ("http://127.0.0.1:1/", "does not answer"),
    ],
)
def test_unusable_paths_and_urls_are_errors(location: str, complaint: str) -> None:
    with pytest.raises(CannotOpen, match=complaint) as raised:
        mindviz.open(location)
    assert isinstance(raised.value, OSError)


def test_a_file_is_not_a_directory(base_dir: Path) -> None:
    with pytest.raises(CannotOpen, match="give the directory it lies in"):
        mindviz.open(base_dir / "a" / "tfevents.1")


@pytest.mark.parametrize("name", [None, "notes.txt"])
def test_the_error_about_a_directory_without_logs_lists_file_names(
    tmp_path: Path, name: str | None
) -> None:
    if name is not None:
        write(tmp_path / "a", name, b"not a log")
    with pytest.raises(CannotOpen, match=r"no logs in '.*' \(\*summary.*tfevents.*vdlrecords"):
        mindviz.open(tmp_path)


def test_a_directory_has_no_experiments_in_it(base_dir: Path) -> None:
    with pytest.raises(CannotOpen, match="'x' is not in it"):
        mindviz.open(base_dir, "x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "x.db", b"")
    path.chmod(0)
    with pytest.raises(CannotOpen, match="Permission denied"):
        mindviz.open(path)


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[]", b'"loaded"'])
def test_another_server_is_recognized(body: bytes) -> None:
    def app(_environ: object, start: object) -> list[bytes]:
        start("200 OK", [("Content-Length", str(len(body)))])  # type: ignore[operator]
        return [body]

    with answering(app) as url, pytest.raises(CannotOpen, match="is not a mindviz server"):
        mindviz.open(url)
