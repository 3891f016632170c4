"""Queries of runs: equal to a loop over all of them, and complete page by page."""

from __future__ import annotations

import math
from functools import cmp_to_key
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.series.value_order import natural_key, present_value, value_key
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_query import USUAL_ORDER, FoundRuns, RunQuery
from mindviz.lineagemgr.run_table import MOST_GROUPINGS
from mindviz.lineagemgr.run_view import RunTables, RunView
from tests.imported_logs import imported
from tests.lineage_logs import session_start, write_tensorboard_job
from tests.store_fake import START, FakeStore
from tests.written_logs import loaded

VALUES = st.sampled_from(
    [None, 0, 1, 1.0, 2.5, math.inf, -1, "", "a", "A", "run_2", "run_10", True]
)
RUNS = st.lists(
    st.fixed_dictionaries(
        {"x": VALUES, "y": VALUES, "created": st.integers(0, 2), "hidden": st.booleans()}
    ),
    max_size=12,
)
ORDERS = st.one_of(
    st.just(USUAL_ORDER),
    st.lists(st.sampled_from(["x", "-x", "y", "-y", "-name", "created"]), max_size=3).map(tuple),
)
FILTERS = st.sampled_from(["", "x > 0", "not x = a and y != none", "1", "x ~ r_ or hidden = true"])


def view_of(runs: list[dict[str, Any]]) -> RunView:
    store = FakeStore()
    notes = {}
    for number, run in enumerate(runs):
        job = store.add(f"./run_{number}")
        job.create_time = START + run["created"]
        job.facts = LineageFacts(user_defined={"x": run["x"], "y": run["y"]})
        notes[job.train_id] = Annotation(hidden=run["hidden"])
    return RunView(RunTables(store, Lineages(store)).table(), notes, START)


def ids(view: RunView, **query: Any) -> list[str]:
    return FoundRuns(view, RunQuery(**query)).page


@given(RUNS, ORDERS, FILTERS, st.integers(1, 5))
def test_pages_are_pieces_of_the_whole(
    runs: list[dict[str, Any]], order: tuple[str, ...], text: str, limit: int
) -> None:
    view = view_of(runs)
    every = ids(view, order=order, filter=text)
    pages = [
        ids(view, order=order, filter=text, offset=offset, limit=limit)
        for offset in range(0, len(runs) + limit, limit)
    ]
    assert [train_id for page in pages for train_id in page] == every
    assert FoundRuns(view, RunQuery(order=order, filter=text, limit=1)).matching == len(every)


@given(RUNS, ORDERS)
def test_the_order_is_that_of_a_comparison_run_by_run(
    runs: list[dict[str, Any]], order: tuple[str, ...]
) -> None:
    """As the page's `sortedRuns` compares."""

    def values(number: int) -> dict[str, Any]:
        return {**runs[number], "name": f"run_{number}", "pinned": False}

    def compare(a: int, b: int) -> int:
        for key in order:
            pair = [present_value(values(number)[key.removeprefix("-")]) for number in (a, b)]
            if None in pair:
                if pair[0] is not pair[1]:
                    return 1 if pair[0] is None else -1
                continue
            left, right = (value_key(value) for value in pair)
            if left != right:
                sign = -1 if left < right else 1
                return -sign if key.startswith("-") else sign
        newer = runs[b]["created"] - runs[a]["created"]
        return newer or (1 if natural_key(f"run_{a}") > natural_key(f"run_{b}") else -1)

    expected = sorted(range(len(runs)), key=cmp_to_key(compare))
    found = ids(view_of(runs), order=order, archived=True)
    assert found == [f"./run_{number}" for number in expected]


def test_archived_runs_match_if_the_filter_names_them() -> None:
    view = view_of([{"x": n, "y": None, "created": 0, "hidden": n > 0} for n in range(3)])
    assert ids(view) == ["./run_0"]
    assert ids(view, archived=True) == ["./run_0", "./run_1", "./run_2"]
    assert ids(view, filter="hidden = true") == ["./run_1", "./run_2"]
    assert ids(view, also=("./run_2", "./gone")) == ["./run_0", "./run_2"]


def test_a_table_remembers_the_fields_of_few_groupings() -> None:
    view = view_of([{"x": 1, "y": None, "created": 0, "hidden": False}])
    for number in range(MOST_GROUPINGS + 2):
        by = (f"field_{number}",)
        assert FoundRuns(view, RunQuery(by=by)).fields == [*by]
    assert len(view.table.groupings) <= MOST_GROUPINGS


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"order": ("name",), "limit": 3},
        {"order": ("-loss", "name"), "filter": "optimizer = ADAM or loss > 4"},
        {"order": ("loss/max", "-lr"), "filter": "lr < 0.25 and not run_1"},
        {"filter": "problems > 0 or formats ~ ^tensor", "order": ("points",)},
    ],
)
def test_databases_find_what_their_files_do(tmp_path: Path, query: dict[str, Any]) -> None:
    base = tmp_path / "logs"
    for number in range(12):
        hparams = {"lr": number / 20, "optimizer": ("adam", "sgd")[number % 2]}
        scalars = {"loss": number % 5 + 0.5, "accuracy": number / 7}
        write_tensorboard_job(base / f"run_{number}", [session_start(hparams)], scalars)
    database = Database(str(tmp_path / "runs.db"))
    imported(database, base)
    stored = SqlStore(database)
    stored.refresh()
    stores: list[Store] = [loaded(base), stored]
    found = [
        FoundRuns(RunView(RunTables(store, Lineages(store)).table(), {}, START), RunQuery(**query))
        for store in stores
    ]
    assert found[0].page == found[1].page
    assert found[0].matching == found[1].matching > 0
    database.close()


EVENTS = st.one_of(st.none(), st.tuples(*[st.integers(0, 2)] * 3))


@given(st.lists(EVENTS, max_size=8), st.booleans())
def test_anomalies_are_sorted_by_the_severe_ones_then_by_their_number(
    events: list[tuple[int, int, int] | None], descending: bool
) -> None:
    store = FakeStore()
    checked = {}
    for number, counts in enumerate(events):
        train_id = store.add(f"./run_{number}").train_id
        if counts is not None:
            checked[train_id] = counts
    view = RunView(RunTables(store, Lineages(store)).table(), {}, START, lambda: checked)
    sign = -1 if descending else 1

    def place(train_id: str) -> tuple[bool, int, int]:
        severe, warnings, _ = checked.get(train_id, (0, 0, 0))
        return train_id not in checked, sign * severe, sign * (severe + warnings)

    order = f"{'-' * descending}anomalies"
    places = [place(train_id) for train_id in ids(view, order=(order, "name"))]
    assert places == sorted(places)
    assert len(places) == len(events)
    assert ids(view, order=(order, "name")) == ids(
        view, order=(f"{'-' * descending}severe_anomalies", order, "name")
    )
    found = FoundRuns(view, RunQuery(order=(order, "name"), by=("name",)))
    groups = [found.groups.rows_of(at).tolist() for at in found.sorted_groups()]
    assert [place(view.table.ids_of(rows)[0]) for rows in groups] == places


def test_given_runs_keep_their_order() -> None:
    view = view_of([{"x": 1, "y": 0, "created": 0, "hidden": False}] * 3)
    given = ("./run_2", "./run_0", "./run_1")
    assert FoundRuns(view, RunQuery(train_ids=given, order=())).page == list(given)
