from __future__ import annotations

from pathlib import Path

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.imported_logs import imported
from tests.written_logs import tensorboard_log, write


def test_servers_have_the_same_versions_whenever_they_read(
    database: Database, base_dir: Path
) -> None:
    write(base_dir / "a", "tfevents.1", tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    early, late = SqlStore(database), SqlStore(database)
    assert early.version == 0
    early.load_once()
    write(base_dir / "b", "tfevents.1", tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    before = early.version
    for store in (early, late):
        store.load_once()
    assert early.version == late.version != before
    assert early.version < 1 << 53
    versions = [{job.train_id: job.version for job in s.list_train_jobs()} for s in (early, late)]
    assert versions[0] == versions[1]
    assert versions[0]["./a"] == before
