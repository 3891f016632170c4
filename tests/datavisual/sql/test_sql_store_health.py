"""Anomalies found in a database while it is imported are those of the log files."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.health import log_health
from mindviz.datavisual.health.event_pages import marks_of
from mindviz.datavisual.health.health_events import SeriesEvent, series_events
from mindviz.datavisual.health.kept_checks import MAX_EVENTS
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.health.run_anomalies import run_anomalies
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.datavisual.health.test_rule_evaluation import TAGS, short_rules
from tests.datavisual.health.test_run_anomalies_live import RUN, GrowingLog, live_events
from tests.written_logs import loaded


def expect_events_of_files(health: LogHealth, base_dir: Path) -> list[SeriesEvent]:
    anomalies = run_anomalies(loaded(base_dir), RUN, health.rules)
    expected = series_events(anomalies)[:MAX_EVENTS]
    assert sorted(map(repr, live_events(health))) == sorted(map(repr, expected))
    assert repr(health.marks([RUN]).get(RUN, [])) == repr(marks_of(anomalies))
    return expected


def test_a_followed_import_has_the_events_of_the_files(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_health, "_PAUSE_FACTOR", 0)
    log = GrowingLog(base_dir)
    log.grow("train/loss", 0, 160, [])
    importer = Importer(database, ImportOptions(base_dir, "e"))
    importer.run()
    watching = importer.watch(0.0)
    store = SqlStore(database)
    store.load_once()
    health = LogHealth(store, short_rules())
    kinds = {event.kind for event in expect_events_of_files(health, base_dir)}
    for kind in range(6):
        for tag in TAGS:
            log.grow(tag, kind, 160, [(80, kind)])
            next(watching)
            store.refresh()
            kinds |= {event.kind for event in expect_events_of_files(health, base_dir)}
    assert {rule.kind for rule in short_rules().all} <= kinds
    for operation, steps in (("rewind", 90), ("restart", 200), ("replace", 0), ("go_on", 0)):
        getattr(log, operation)(steps)
        for tag in TAGS:
            log.grow(tag, 7, 60, [(30, 2)])
        next(watching)
        store.refresh()
        expect_events_of_files(health, base_dir)
