from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mindviz.errors import AnnotationsBusy, AnnotationsUnavailable
from mindviz.lineagemgr import annotation_store
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotation_store import LAYOUT, AnnotationStore


@contextmanager
def opened(path: Path, base_dir: str = "/logs") -> Iterator[AnnotationStore]:
    store = AnnotationStore(path, base_dir)
    try:
        yield store
    finally:
        store.close()


def test_the_database_is_readable_by_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite3"
    with opened(path) as store:
        store.update("./a", {"tag": 3, "hidden": True})
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute(
            'SELECT base_dir, train_id, tag, hidden, remark, changed > 0 FROM "annotations"'
        ).fetchall()
        assert row == [("/logs", "./a", 3, 1, None, 1)]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA user_version").fetchone() == (LAYOUT,)


def test_a_layout_of_the_future_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {LAYOUT + 1}")
    with pytest.raises(AnnotationsUnavailable, match="newer version"):
        AnnotationStore(path, "/logs")


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite3"
    with opened(path) as store:
        store.update("./a", {"tag": 3})
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("UPDATE annotations SET tag = 4")
            assert store.all() == {"./a": Annotation(tag=3)}
            writer.execute("COMMIT")
        assert store.all() == {"./a": Annotation(tag=4)}


def test_a_locked_database_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A request waits meanwhile.
    assert annotation_store.WAIT <= 1
    monkeypatch.setattr(annotation_store, "WAIT", 0)
    path = tmp_path / "notes.sqlite3"
    with opened(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(AnnotationsBusy, match="is locked"):
            store.update("./a", {"tag": 3})
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AnnotationsBusy, match="is locked"):
            AnnotationStore(path, "/logs")
