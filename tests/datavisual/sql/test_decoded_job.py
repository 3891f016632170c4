from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.disk_faults import Faults
from tests.imported_logs import imported
from tests.written_logs import rows, tensorboard_log, write

NAME = "tfevents.1"
POINTS = [(step, 1.0) for step in range(100)]


def stored(database: Database, train_id: str) -> list[tuple[int, float]]:
    store = SqlStore(database)
    store.load_once()
    return rows(store.read_scalars(train_id, "loss"))


def test_a_job_that_cannot_be_read_at_the_moment_is_imported_later(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        write(base_dir / name, NAME, tensorboard_log(POINTS))
    with Faults(monkeypatch).on("preadv", "logs/a/"):
        progress = imported(database, base_dir)
    reason = "a/tfevents.1 cannot be read at the moment (Input/output error)."
    assert (progress.imported, progress.failed) == (1, {"./a": reason})
    assert stored(database, "./b") == POINTS
    assert imported(database, base_dir).imported == 1
    assert stored(database, "./a") == POINTS


def test_a_failed_read_is_repeated(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(base_dir, NAME, tensorboard_log(POINTS))
    real, errors = os.preadv, [OSError(errno.ESTALE, "replaced")]

    def fails_once(*arguments: Any) -> int:
        if errors:
            raise errors.pop()
        return real(*arguments)

    monkeypatch.setattr(os, "preadv", fails_once)
    assert not imported(database, base_dir).failed
    assert not errors
    assert stored(database, "./") == POINTS
