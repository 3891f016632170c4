from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.run_listing import JobVersion
from tests.written_logs import loaded, tensorboard_log, write

GOLDEN = Path(__file__).parents[3] / "golden"
NAME = "events.out.tfevents.1.h"


@pytest.mark.parametrize("unpacked", [0, 1, 1000])
def test_versions_are_those_of_the_entries(
    unpacked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", unpacked)
    base = tmp_path / "logs"
    shutil.copytree(GOLDEN / "written", base)
    log = tensorboard_log([(1, 0.5), (2, 0.25)])
    write(base / "whole", NAME, log)
    write(base / "cut", NAME, log[:-3])
    store = loaded(base)
    entries = list(store.list_train_jobs())
    assert len(entries) > 2
    assert {len(entry.problems) for entry in entries} >= {0, 1}
    assert store.job_versions() == [
        JobVersion(entry.train_id, entry.version, len(entry.problems)) for entry in entries
    ]
    some = [entry.train_id for entry in entries[::2]]
    assert [job.train_id for job in store.versions_of([*reversed(some), "./gone"])] == some
    assert {job.train_id: store.list_tags(job.train_id) for job in entries} == dict(
        zip(store.listing().train_id, store.listing().tags, strict=True)
    )
