"""Temporarily unreadable directories: known data stays."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.series.findings import FindingKind
from tests.disk_faults import Faults
from tests.log_directories import write_log


class _Entry:
    """A directory entry without a type, whose stat fails."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self.name = entry.name

    def is_dir(self) -> bool:
        raise OSError(errno.EIO, os.strerror(errno.EIO), self.name)


class _Entries:
    def __init__(self, entries: Any) -> None:
        self._entries = entries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._entries.close()

    def __iter__(self) -> Iterator[_Entry]:
        return map(_Entry, self._entries)


@contextmanager
def untold_entries(patch: pytest.MonkeyPatch) -> Iterator[None]:
    real = os.scandir
    with patch.context() as inner:
        inner.setattr(os, "scandir", lambda path=".": _Entries(real(path)))
        yield


@pytest.mark.parametrize("call", ["scandir", "stat"])
def test_an_unreadable_directory_keeps_its_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    for name in ("a", "b/c"):
        write_log(tmp_path / name)
    watcher = SummaryWatcher(tmp_path, inotify=False, sweep_seconds=0)
    before = dict(watcher.poll().jobs)
    with Faults(monkeypatch).on(call, str(tmp_path)):
        for _ in range(3):
            discovery = watcher.poll()
            assert discovery.jobs.keys() == before.keys()
            assert discovery.removed == frozenset()
            assert watcher.unsettled
    assert watcher.poll().jobs == before
    assert not watcher.unsettled


def test_entries_of_unknown_type_keep_their_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path / "a")
    write_log(tmp_path)
    watcher = SummaryWatcher(tmp_path, inotify=False, sweep_seconds=0)
    before = dict(watcher.poll().jobs)
    assert before.keys() == {"./", "./a"}
    with untold_entries(monkeypatch):
        write_log(tmp_path / "new")
        assert dict(watcher.poll().jobs) == before
        assert watcher.unsettled
    assert watcher.poll().jobs.keys() == {"./", "./a", "./new"}
    assert not watcher.unsettled


@pytest.mark.parametrize("call", ["scandir", "stat"])
def test_a_directory_unreadable_at_first_is_found_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    write_log(tmp_path / "a")
    watcher = SummaryWatcher(tmp_path, inotify=False)
    with Faults(monkeypatch).on(call, str(tmp_path)):
        discovery = watcher.poll()
    assert dict(discovery.jobs) == {}
    assert [finding.kind for finding in discovery.findings] == [FindingKind.UNREADABLE]
    assert watcher.unsettled
    assert watcher.poll().jobs.keys() == {"./a"}


def test_content_checks_are_retried_until_they_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    graph = tmp_path / "a" / "graph.pb"
    # ir_version 1, and a graph with one node.
    graph.write_bytes(bytes.fromhex("080122050a030a0131"))
    watcher = SummaryWatcher(tmp_path, inotify=False, sweep_seconds=0)
    expected = SummaryWatcher(tmp_path, inotify=False).poll().jobs.keys()
    with Faults(monkeypatch).on("open", "graph.pb"):
        assert watcher.poll().jobs.keys() == set()
        assert watcher.unsettled
    assert watcher.poll().jobs.keys() == expected == {"./a"}
    with Faults(monkeypatch).on("open", "graph.pb"):
        graph.write_bytes(graph.read_bytes() * 2)
        assert watcher.poll().jobs.keys() == {"./a"}
