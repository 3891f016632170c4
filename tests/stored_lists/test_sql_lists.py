"""SQL lists the same runs as columns in memory do, from folders, SQLite and PostgreSQL."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.series.value_order import is_number, value_text
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.errors import InvalidFilter
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_groups import Summary
from mindviz.lineagemgr.run_lists import MemoryLists, RunList
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery
from mindviz.stored_lists import sql_lists, sql_pages, sql_view
from mindviz.stored_lists.lists_of import run_lists
from tests.imported_logs import imported
from tests.lineage_logs import (
    START,
    config_text,
    dataset,
    evaluation,
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

GOLDEN = Path(__file__).parents[1] / "golden" / "run_lists.json"
NOTES = {
    "./run_1": Annotation(pinned=True, tag=3, remark="Best"),
    "./run_4": Annotation(hidden=True),
    "./Run_12": Annotation(hidden=True, pinned=True, group="a"),
    "./ms/b": Annotation(notes="10", group="A"),
    "./gone": Annotation(pinned=True, hidden=True),
}
NOW = START + 4_000.0
EVENTS = {"./run_1": (1, 2, 0), "./run_4": (0, 3, 5), "./ms/b": (0, 0, 1), "./gone": (9, 0, 0)}
"""Severe events, warnings and notes, which a server computes and no store has."""
WORDS = [
    *("name", "state", "status", "updated", "created", "formats", "tags", "points", "size"),
    *("anomalies", "severe_anomalies"),
    *("problems", "remark", "notes", "group", "mark", "pinned", "hidden"),
    *("lr", "learning_rate", "LR", "batch", "opt", "optimizer", "x", "y", "seed", "user_defined/x"),
    *("loss", "acc", "metric/acc", "accuracy", "scalar/loss/last", "loss/max", "acc/min"),
    *(
        "spark/loss",
        "loss/min_step",
        "acc/at_min:loss",
        "dataset_mark",
        "network",
        "epoch",
        "nothing",
        "scalar/",
    ),
]
VALUES = [
    *("0", "1", "0.1", "1e-3", "-1", "Infinity", "-Infinity", "nan", "none", "adam", "ADAM"),
    *("Kelvin", "\u212aelvin", "true", "run_2", '""', "finished", "stalled", "2", "Best", "10"),
    *("tensorboard", "mindspore", "é", "0.5", "1700000000"),
]


def write_runs(base: Path) -> None:
    """Runs with every kind of value, several created at the same time."""
    values: list[Any] = [
        *(1, 1.0, 0.1, "0.1", "adam", "Adam", "run_2", "run_10", True, False, "true", ""),
        *(math.nan, math.inf, -math.inf, None, "é", "\u212aelvin", [1, 2], -0.0, "1", "x" * 1200),
    ]
    for number, value in enumerate(values):
        name = f"{'Run' if number % 3 == 0 else 'run'}_{number}"
        hparams = {"x": value, "lr": [0.1, "0.1", 1e-3][number % 3], "seed": number % 2}
        scalars = {"loss": [1.5, 0.1, math.nan, math.inf, -2.0][number % 5], "acc": number / 7}
        if number % 4 == 3:
            del scalars["acc"]
        head = (
            [session_start(hparams)] if number % 5 else [session_start(hparams), experiment("acc")]
        )
        tail = [session_end(1 + number % 2)] if number % 6 == 0 else []
        write_tensorboard_job(base / name, [*head, *tail], scalars)
    for number, name in enumerate(["a", "b", "c"]):
        facts: list[Any] = [
            training(learning_rate=[0.1, 0.25, 1.0][number]),
            evaluation({"accuracy": number}),
        ]
        facts += [dataset(number // 2)] if number else []
        facts += [user_defined(optimizer="Adam", y=("q", 2.5, 3)[number])]
        write_mindspore_job(base / "ms" / name, *facts, start=START + number)
    hparams = {"lr": 0.2, "optimiser": "sgd"}
    write_tensorboard_job(base / "named", [session_start(hparams)], {"loss": 0.5})
    config = {"lr": 5e-05, "x": [1], "optim": {"name": "adam"}, "seed": 2**60, "none": None}
    write_tensorboard_job(base / "trainer", [config_text(config)], {"loss": 0.25})
    write_tensorboard_job(base / "plain" / "x", [], {"loss": 3.0, "other/tag": 1.0})
    write_tensorboard_job(base / ("x" * 200) / "one", [], {"loss": 3.0})
    for number, path in enumerate(sorted(base.rglob("*.*"))):
        os.utime(path, (START, START + 300 * (number % 9)))


def events() -> dict[str, tuple[int, int, int]]:
    return EVENTS


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, RunList]]:
    """The same runs in each store; `expected` has columns in memory."""
    base = tmp_path_factory.mktemp("logs")
    write_runs(base)
    folder = loaded(base)
    found = {"expected": MemoryLists(folder, Lineages(folder), events).at(NOTES, NOW)}
    file = tmp_path_factory.mktemp("db") / "runs.db"
    databases = {"sqlite": Database(str(file)), "postgresql": Database(postgresql().new_database())}
    for name, database in databases.items():
        imported(database, base)
        store = SqlStore(database)
        store.refresh()
        found[name] = run_lists(store, Lineages(store), events).at(NOTES, NOW)
    yield found
    for database in databases.values():
        database.close()


COMPARED = st.one_of(
    st.tuples(
        st.sampled_from(WORDS),
        st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "~", "!~"]),
        st.sampled_from(VALUES),
    ).map(" ".join),
    st.tuples(
        st.sampled_from(WORDS), st.lists(st.sampled_from(VALUES), min_size=1, max_size=3)
    ).map(lambda part: f"{part[0]} in ({', '.join(part[1])})"),
    st.sampled_from(["run", "(?i)RUN_1", '"n_1"', "^ms/", "k"]),
)
FILTERS = st.recursive(
    COMPARED,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' and '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' or '.join(parts)})"),
        inner.map(lambda part: f"not ({part})"),
    ),
    max_leaves=4,
)
ORDERS = st.one_of(
    st.just(USUAL_ORDER),
    st.lists(
        st.tuples(st.sampled_from(["", "-"]), st.sampled_from(WORDS)).map("".join), max_size=3
    ).map(tuple),
)
IDS = st.lists(
    st.sampled_from(["./run_1", "./run_4", "./Run_12", "./gone", "./named", "./ms/a", "./run_2"]),
    max_size=4,
).map(tuple)
QUERIES = st.builds(
    RunQuery,
    filter=st.one_of(st.just(""), FILTERS),
    order=ORDERS,
    offset=st.integers(0, 30),
    limit=st.one_of(st.none(), st.integers(0, 8)),
    train_ids=st.one_of(st.none(), IDS),
    also=st.one_of(st.just(()), IDS),
    archived=st.booleans(),
    plugins=st.sampled_from([(), ("scalar",), ("hparams", "scalar"), ("image",)]),
)


BY = st.lists(
    st.sampled_from(["*", "*-seed", "*-x", "*-nothing", *WORDS]), min_size=1, max_size=3
).map(tuple)
GROUPINGS = st.builds(
    RunQuery,
    filter=st.one_of(st.just(""), FILTERS),
    order=ORDERS,
    offset=st.integers(0, 8),
    limit=st.one_of(st.none(), st.integers(0, 8)),
    archived=st.booleans(),
    plugins=st.sampled_from([(), ("hparams",)]),
    by=BY,
)


def figures_of(summary: Summary) -> list[tuple[type, str]]:
    """The figures as texts, which are equal for NaN; integers are numbers as any."""
    figures = asdict(summary).values()
    return [(float if is_number(one) else type(one), value_text(one)) for one in figures]


def groups_in(runs: RunList, query: RunQuery, columns: list[str]) -> object:
    try:
        page = runs.groups(query, columns, most=20, runs=3)
    except InvalidFilter as error:
        return str(error)
    groups = [
        (
            group.values,
            group.key,
            group.count,
            group.train_ids,
            {name: figures_of(summary) for name, summary in group.columns.items()},
        )
        for group in page.groups
    ]
    return page.found.total, page.found.matching, page.fields, page.group_count, groups


def found_in(runs: RunList, query: RunQuery) -> Any:
    try:
        found = runs.find(query)
    except InvalidFilter as error:
        return str(error)
    return found.total, found.matching, found.page


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(query=QUERIES)
def test_all_stores_list_the_same_runs(lists: dict[str, RunList], query: RunQuery) -> None:
    expected = found_in(lists["expected"], query)
    assert found_in(lists["sqlite"], query) == expected
    assert found_in(lists["postgresql"], query) == expected


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(query=QUERIES, few=st.integers(0, 10))
def test_pages_that_sql_does_not_read_are_equal(
    lists: dict[str, RunList], query: RunQuery, few: int
) -> None:
    expected = found_in(lists["expected"], query)
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("_FAR", "_MOST_SORTED", "_SCANNED"):
            patch.setattr(sql_pages, limit, few)
        patch.setattr(sql_view, "_MOST_CODED", few)
        patch.setattr(sql_view, "_FEW", few)
        patch.setattr(sql_lists, "_MOST_COMPARED", few)
        for _ in range(2):  # read, and kept
            assert found_in(lists["sqlite"], query) == expected
            assert found_in(lists["postgresql"], query) == expected


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(query=GROUPINGS, columns=st.lists(st.sampled_from(WORDS), max_size=3))
def test_all_stores_group_the_same_runs(
    lists: dict[str, RunList], query: RunQuery, columns: list[str]
) -> None:
    expected = groups_in(lists["expected"], query, columns)
    assert groups_in(lists["sqlite"], query, columns) == expected
    assert groups_in(lists["postgresql"], query, columns) == expected


GROUPED_BY = [("x",), ("lr",), ("lr", "x"), ("state", "mark"), ("*-seed",), ("*",)]


@pytest.mark.parametrize("by", GROUPED_BY)
def test_the_runs_of_each_group_are_listed(lists: dict[str, RunList], by: tuple[str, ...]) -> None:
    grouped = RunQuery(by=by, archived=True, order=("-acc",))
    groups = lists["expected"].groups(grouped, [], most=100, runs=100).groups
    for group in groups:
        query = replace(grouped, group=group.key or "")
        expected = found_in(lists["expected"], query)
        # A flag and a text may have one key.
        with_key = [other.train_ids for other in groups if other.key == group.key]
        assert expected[1] == sum(map(len, with_key))
        assert set(expected[2]) == {train_id for ids in with_key for train_id in ids}
        assert found_in(lists["sqlite"], query) == expected
        assert found_in(lists["postgresql"], query) == expected


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_each_field_is_sorted_alike(lists: dict[str, RunList], store: str, word: str) -> None:
    for order in ((word,), (f"-{word}", "name"), ("-seed", word)):
        query = RunQuery(order=order, archived=True)
        expected = lists["expected"].find(query).page
        assert lists[store].find(query).page == expected
        pages = [
            lists[store].find(RunQuery(order=order, archived=True, offset=at, limit=4)).page
            for at in range(0, len(expected), 4)
        ]
        assert [train_id for page in pages for train_id in page] == expected


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_the_filters_shared_with_the_page_find_the_same(
    lists: dict[str, RunList], store: str
) -> None:
    cases = orjson.loads(GOLDEN.read_bytes())
    for text, *_ in (*cases["filters"], *cases["errors"]):
        query = RunQuery(filter=text)
        assert found_in(lists[store], query) == found_in(lists["expected"], query), text


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_overviews_are_equal(lists: dict[str, RunList], store: str) -> None:
    assert lists[store].overview() == lists["expected"].overview()


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_frequent_values_are_equal(lists: dict[str, RunList], store: str, word: str) -> None:
    assert lists[store].frequent(word, 200) == lists["expected"].frequent(word, 200)
    assert lists[store].frequent(word, 3) == lists["expected"].frequent(word, 3)


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_lineages_of_a_page_are_those_of_the_whole(lists: dict[str, RunList], store: str) -> None:
    page = lists["expected"].find(RunQuery(order=("-x",), limit=15)).page
    whole, part = lists["expected"].lineages(page), lists[store].lineages(page)
    names = [
        "user_defined/x",
        "user_defined/lr",
        *("metric/acc", "metric/accuracy", "dataset_mark", "learning_rate"),
    ]
    for name in (*names, "scalar/loss/last", "scalar/acc/min_step"):
        cells = [
            repr(table.column(name)[table.index_of(i)]) for table in (whole, part) for i in page
        ]
        assert cells[: len(page)] == cells[len(page) :]


def test_changes_are_listed(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "runs.db"))
    base = tmp_path / "logs"
    write_tensorboard_job(base / "a", [session_start({"lr": 1})], {"loss": 1.0})
    imported(database, base)
    store = SqlStore(database)
    store.refresh()
    lists = run_lists(store, Lineages(store))
    query = RunQuery(filter="lr > 1", order=("loss",))
    assert lists.at({}, NOW).find(query).page == []
    write_tensorboard_job(base / "b", [session_start({"lr": 2})], {"loss": 0.5})
    write_tensorboard_job(base / "a", [session_start({"lr": 3})], {"loss": 0.25, "more": 1.0})
    imported(database, base)
    assert lists.at({}, NOW).find(query).page == ["./a", "./b"]
    assert lists.at({}, NOW).overview()["scalar_tags"] == {"loss": 2, "more": 1}
    database.close()
