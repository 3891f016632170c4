"""Which train jobs of a database are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.sql import job_reader
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.imported_logs import imported
from tests.written_logs import tensorboard_log, write


def test_of_too_many_runs_the_newest_and_damaged_ones_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_reader, "MOST_CHECKED", 2)
    for number in range(5):
        log = tensorboard_log([(1, 0.5)], start=1_000.0 + 100 * number)
        name = f"events.out.tfevents.{1_000 + 100 * number}.host"
        write(tmp_path / "logs" / str(number), name, log[:-3] if number == 0 else log)
    database = Database(str(tmp_path / "runs.db"))
    imported(database, tmp_path / "logs")
    store = SqlStore(database)
    store.refresh()
    newest = [info.train_id for info in store.list_train_jobs()]
    versions = store.job_versions()
    assert [job.train_id for job in versions] == [
        train_id for train_id in newest if train_id in {*newest[:2], "./0"}
    ]
    assert store.job_versions() is versions
    health = LogHealth(store)
    page = health.page(wait=60)
    assert (page.jobs, page.unchecked) == (3, 2)
    others = [train_id for train_id in newest[2:] if train_id != "./0"]
    selected = health.page(others, wait=60)
    assert (selected.jobs, selected.looked_into, selected.unchecked) == (2, 2, 0)
    database.close()
