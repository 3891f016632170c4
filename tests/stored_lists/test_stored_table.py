"""Columns as arrays follow an import: after each commit, lists are those of the logs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.train_jobs import base_name
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_lists import MemoryLists, RunLists
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery
from mindviz.stored_lists import sql_lists, sql_pages, sql_view, stored_table
from mindviz.stored_lists.lists_of import run_lists
from tests.imported_logs import imported
from tests.lineage_logs import (
    START,
    dataset,
    experiment,
    session_end,
    session_start,
    training,
    user_defined,
    write_mindspore_job,
    write_tensorboard_job,
)
from tests.postgresql import postgresql
from tests.written_logs import loaded

NOW = START + 4_000.0
NOTES = {"./run_2": Annotation(pinned=True), "./run_3": Annotation(hidden=True, tag=1)}
ORDERS = [
    USUAL_ORDER,
    *((word,) for word in ("created", "name", "state", "points", "formats", "x", "-x", "-acc")),
    *(("loss",), ("-pinned", "-loss"), ("opt", "-x", "name"), ("mark", "x"), ("metric/acc",)),
    *(("dataset_mark", "network"), ("loss/min_step",), ("acc/at_min:loss",), ("new",)),
]
FILTERS = [
    *("x = 1", "x != 1", "x in (1, adam)", "x > 0", "loss < 1 and not run_1", "run_1", '"n_2"'),
    *("^run_[0-9]$", "state = finished and x != adam", "state != finished"),
    *("x ~ a", "hidden = true", "name ~ n_1", "name !~ ^RUN", "name in (RUN_1, ms)"),
    # Names of fields that are the table's own words.
    *("names = 5 or run_1", "labels = 1 or run_2", "shapes = 1 or run_3", "ends != 1", "ranks = 1"),
    *("name < run_2", "name = run_3 or x = 1", "name ~ 2$ and loss < 5"),
    *("formats = tensorboard or network = lenet", "new = 1", "metric/acc >= 0", "nothing = none"),
]


def write_run(base: Path, number: int, value: Any, loss: float, *events: bytes) -> None:
    """A run that differs from others of its number in everything that lists show."""
    folder = base / f"run_{number}"
    edition = 1 + int(folder.stat().st_mtime - START) // 1_000 if folder.exists() else 0
    start = session_start({"x": value, "opt": ["adam", "sgd"][number % 2]})
    for file in folder.glob("*"):
        file.unlink()
    write_tensorboard_job(folder, [start, *events], {"loss": loss, "acc": number / 7})
    for path in (*folder.glob("*"), folder):  # imports detect changes by size and time
        os.utime(path, (START, START + 1_000 * edition + 100 * (number % 4)))


def steps(base: Path) -> Iterator[str]:
    """Changes of logs between imports."""
    for number in range(12):
        write_run(base, number, [1, "adam", 0.5, None][number % 4], number % 3)
    yield "the first runs"
    write_run(base, 3, "lion", 9.0)
    yield "a run replaced"
    write_run(base, 12, 1, 0.25)
    write_run(base, 13, "1", float("nan"))
    yield "new runs"
    yield "nothing"
    write_run(base, 0, "new text", -1.0, session_end(1))
    write_run(base, 14, True, 1.0)
    yield "a run ended"
    write_mindspore_job(base / "ms", training(), dataset(1), user_defined(new=1), start=START)
    yield "other fields and data sets"
    write_mindspore_job(base / "ms2", training(), dataset(0), user_defined(new="b"), start=START)
    yield "another data set"
    for name, more in (("twin_2", [user_defined(new=2)]), ("twin_1", [])):  # largest first
        write_mindspore_job(base / name, training(), *more, start=START + 500)
    yield "new runs of one time"
    write_run(base, 1, 7, 0.5, experiment("acc"))
    yield "a series that becomes a metric of all runs"
    write_run(base, 2, 8, 0.5)
    yield "another run replaced"


def check(lists: RunLists, expected: RunLists, notes: dict[str, Annotation], step: str) -> None:
    """Compare what both find."""
    ours, theirs = lists.at(notes, NOW), expected.at(notes, NOW)

    def compare(query: RunQuery) -> None:
        found, wanted = ours.find(query), theirs.find(query)
        assert (found.total, found.matching) == (wanted.total, wanted.matching), (step, query)
        assert found.page == wanted.page, (step, query)

    for order in ORDERS:
        compare(RunQuery(order=order, archived=True))
    for place, text in enumerate(FILTERS):
        compare(RunQuery(filter=text, order=ORDERS[place % len(ORDERS)], limit=4))
    for plugins in (("scalar",), ("image", "hparams")):
        compare(RunQuery(plugins=plugins))
    for by in (("x",), ("*-opt",), ("state", "opt"), ("names",)):
        grouped = RunQuery(by=by, archived=True)
        pages = [runs.groups(grouped, ["loss"], most=20, runs=20) for runs in (ours, theirs)]
        groups = [[(one.key, one.count, one.train_ids) for one in page.groups] for page in pages]
        assert groups[0] == groups[1], (step, by)
        assert pages[0].fields == pages[1].fields
    assert ours.overview() == theirs.overview(), step


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    is_sqlite = request.param == "sqlite"
    database = Database(str(tmp_path / "runs.db") if is_sqlite else postgresql().new_database())
    yield database
    database.close()


@pytest.mark.parametrize("few", [0, 20_000])
def test_lists_follow_commits(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    for module, limit in (
        *((sql_lists, "_MOST_COMPARED"), (sql_pages, "_FAR"), (sql_pages, "_MOST_SORTED")),
        (sql_view, "_FEW"),
    ):
        monkeypatch.setattr(module, limit, few)
    base = tmp_path / "logs"
    base.mkdir()
    lists = None
    for step in steps(base):
        imported(database, base)
        folder = loaded(base)
        if lists is None:
            store = SqlStore(database, scratch_folder=None if few else tmp_path)
            store.refresh()
            lists = run_lists(store, Lineages(store))
        store.refresh()
        check(lists, MemoryLists(folder, Lineages(folder)), NOTES, step)


@pytest.mark.parametrize("few", [0, 20_000])
def test_a_run_in_the_base_dir_is_sorted_by_its_name(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    for module, limit in ((sql_lists, "_MOST_COMPARED"), (sql_pages, "_FAR")):
        monkeypatch.setattr(module, limit, few)
    base = tmp_path / "logs"
    store = SqlStore(database, scratch_folder=tmp_path)
    name = "a"
    for _ in range(2):  # the second time, a run has the name of the one in the base dir
        for place in (base, base / name, base / "0", base / "z", base / name.upper()):
            write_tensorboard_job(place, [session_start({"x": place.name})], {"loss": 1.0})
        imported(database, base)
        store.refresh()
        name = base_name(store.status())
    lineages = Lineages(store)
    in_memory = MemoryLists(store, lineages)
    lists = [one.at({}, NOW) for one in (run_lists(store, lineages), in_memory)]
    for query in (
        *(RunQuery(order=order) for order in (("name",), ("-name",), ("-name", "x"))),
        RunQuery(order=("name",), offset=1, limit=3),
        *(RunQuery(filter=text) for text in ("#", f'name = "{name}"', f'name < "{name}"')),
    ):
        ours, theirs = (one.find(query) for one in lists)
        assert ours.matching == theirs.matching > 0, query
        assert ours.page == theirs.page, query


def test_an_experiment_that_replaces_another_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    found = []
    for name in ("a", "b"):
        write_tensorboard_job(tmp_path / name / name, [session_start({"x": name})], {"loss": 1.0})
        database = Database(str(path))
        imported(database, tmp_path / name)
        if name == "a":
            store = SqlStore(database)
            store.refresh()
            lists = run_lists(store, Lineages(store))
        found.append(lists.at({}, NOW).columns().column("x").values[:])
        database.close()
        for file in tmp_path.glob("runs.db*"):
            if name == "a":
                file.unlink()
    assert found == [["a"], ["b"]]


@pytest.mark.parametrize("few", [0, 1_000])
def test_names_of_added_runs_are_ranked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(stored_table, "_FEW_ADDED", few)
    for module, limit in ((sql_lists, "_MOST_COMPARED"), (sql_view, "_FEW")):
        monkeypatch.setattr(module, limit, 0)
    base = tmp_path / "logs"
    database = Database(str(tmp_path / "runs.db"))
    store = SqlStore(database)
    store_name = base_name(store.status())
    lists = None
    # The third one is the run in the base dir; then comes one with its name.
    for names in (("run_2", "a/b"), ("run_10", "run_1", "A"), ("",), (store_name, "run_3")):
        for name in names:
            write_tensorboard_job(base / name, [session_start({"x": name})], {"loss": 1.0})
        imported(database, base)
        store.refresh()
        lists = lists or run_lists(store, Lineages(store))
        query = RunQuery(order=("-name", "x"), filter="loss = 1")
        expected = MemoryLists(store, Lineages(store)).at({}, NOW).find(query).page
        assert lists.at({}, NOW).find(query).page == expected
    database.close()
