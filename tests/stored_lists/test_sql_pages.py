"""SQL finds the same pages of many runs as columns in memory do, wherever they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlalchemy

from examples.synthetic_runs import fill
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_lists import MemoryLists, Notes, RunLists
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery
from mindviz.stored_lists import sql_lists, sql_pages, sql_view
from mindviz.stored_lists.lists_of import run_lists
from mindviz.stored_lists.sql_lists import SqlLists
from tests.postgresql import postgresql

NOW = 1_700_010_000.0


class Many(NamedTuple):
    """More runs than a page skips one by one."""

    in_memory: MemoryLists
    in_sql: RunLists
    updated: float
    """When the last one was updated."""

    def check(self, query: RunQuery, notes: Notes, now: float) -> None:
        """Compare what both find."""
        expected = self.in_memory.at(notes, now).find(query)
        found = self.in_sql.at(notes, now).find(query)
        assert (found.total, found.matching) == (expected.total, expected.matching), query
        assert found.page == expected.page, query


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def many(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Many]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = str(tmp_path_factory.mktemp("db") / "runs.db")
        else:
            url = postgresql().new_database()
        database = Database(url)
        stack.callback(database.close)
        database.create()
        fill(database, 3_000)
        store = SqlStore(database)
        store.refresh()
        lineages = Lineages(store)
        updated = float(store.listing().update_time.max())
        yield Many(MemoryLists(store, lineages), run_lists(store, lineages), updated)


@pytest.fixture(params=[500, 5_000])
def far(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQL skips and sorts few rows, or all."""
    monkeypatch.setattr(sql_pages, "_FAR", request.param)
    monkeypatch.setattr(sql_pages, "_MOST_SORTED", request.param)
    monkeypatch.setattr(sql_lists, "_MOST_COMPARED", request.param)


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize(
    "word",
    [
        *("created", "updated", "name", "state", "points", "formats"),
        *("lr", "optimizer", "val/loss", "nothing"),
    ],
)
def test_pages_far_from_the_start_are_equal(many: Many, word: str) -> None:
    for order in ((word,), (f"-{word}",)):
        for offset in (0, 700, 1_400, 1_499, 1_600, 2_950, 2_999, 3_000):
            many.check(RunQuery(order=order, offset=offset, limit=20), {}, NOW)


@pytest.mark.parametrize(
    ("text", "few"),
    # If few runs pass, SQL reads them, else columns as arrays.
    [
        ("lr < 0.2", 0),
        ("lr >= 0.2 and optimizer = adam", 0),
        ("lr < 0.11 and optimizer = adam", 1_000),
        ("lr < 0.101 or optimizer != adam", 1_000),
        ("lr < 0.2 and run1", 0),
        ("state = finished and lr < 0.2", 0),
        ("lr < 0", 1_000),
    ],
)
def test_pages_of_filters_are_equal_wherever_the_runs_are(
    many: Many, monkeypatch: pytest.MonkeyPatch, text: str, few: int
) -> None:
    monkeypatch.setattr(sql_pages, "_SCANNED", 64)
    monkeypatch.setattr(sql_view, "_FEW", few)
    monkeypatch.setattr(sql_lists, "_MOST_COMPARED", few)
    for order in ((), USUAL_ORDER, ("created",), ("-state",), ("val/loss",)):
        matching = many.in_sql.at({}, NOW).find(RunQuery(filter=text, order=order)).matching
        for offset in (0, 30, max(0, matching - 10)):
            many.check(RunQuery(filter=text, order=order, offset=offset, limit=20), {}, NOW)


@pytest.mark.usefixtures("far")
def test_states_follow_the_time(many: Many) -> None:
    queries = [
        RunQuery(order=("state",)),
        RunQuery(order=("-state", "lr")),
        RunQuery(filter="state = running", order=("created",)),
        RunQuery(filter="state != finished"),
        RunQuery(filter="state in (finished, stalled) and lr < 0.2", order=("-state",)),
    ]
    # Each run is updated a second after the one before.
    for silent in (100.0, 101.5, 2_000.0, 2_000.0, 3_500.0, 10_000.0, 100.0):
        for query in queries:
            many.check(query, {}, many.updated + silent)


@pytest.mark.usefixtures("far")
def test_notes_change_the_order(many: Many) -> None:
    names = many.in_sql.at({}, NOW).find(RunQuery(order=("name",), offset=1_000, limit=2)).page
    for notes in (
        {},
        {names[0]: Annotation(pinned=True, tag=2)},
        {names[0]: Annotation(hidden=True, tag=1), names[1]: Annotation(pinned=True)},
    ):
        for order in (USUAL_ORDER, ("mark", "-lr"), ("hidden",)):
            for offset in (0, 1_500):
                query = RunQuery(order=order, offset=offset, limit=20)
                many.check(query, notes, NOW)


@pytest.mark.parametrize(
    "query",
    [
        *(RunQuery(order=order) for order in (("-created",), ("state",), ("name",), ("-points",))),
        *(RunQuery(order=order) for order in (("optimizer", "lr"), ("-val/loss",))),
        RunQuery(order=("train/loss/max",)),
    ],
)
def test_what_is_prepared_is_not_read_by_the_first_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: RunQuery
) -> None:
    for module, limit in ((sql_lists, "_MOST_COMPARED"), (sql_pages, "_FAR")):
        monkeypatch.setattr(module, limit, 10)
    database = Database(str(tmp_path / "runs.db"))
    database.create()
    fill(database, 100)
    store = SqlStore(database)
    store.refresh()
    lists = run_lists(store, Lineages(store))
    query = replace(query, offset=50, limit=5)
    statements: list[str] = []

    def trace(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(statements.append)

    with database.reading() as connection:
        sqlalchemy.event.listen(connection.engine, "checkout", trace)

    def executed() -> list[str]:
        statements.clear()
        assert len(lists.at({}, NOW).find(query).page) == 5
        return statements.copy()

    lists.prepare()
    assert isinstance(lists, SqlLists)
    assert lists.reading_ahead is not None
    lists.reading_ahead.join()
    first = executed()
    assert first == executed()
    database.close()
