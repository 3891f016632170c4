"""The fields of runs by the names that the page uses."""

from __future__ import annotations

import pytest

from mindviz.datavisual.series.lineage_facts import EvaluationFacts, LineageFacts
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_table import RunTable
from mindviz.lineagemgr.run_view import RunTables, RunView
from tests.store_fake import START, FakeStore


@pytest.fixture
def view() -> RunView:
    store = FakeStore("/data/summaries")
    for number, train_id in enumerate(("./", "./b/c", "./d")):
        job = store.add(train_id)
        job.update_time = START - number
        job.append("val/acc", [1, 2], [0.25, 0.5])
    store.jobs["./d"].facts = LineageFacts(
        hyper_parameters={"lr": 0.1}, evaluation=EvaluationFacts({"acc": 0.75})
    )
    store.jobs["./b/c"].facts = LineageFacts(session_status="success", user_defined={"n": [1]})
    notes = {"./d": Annotation(pinned=True, tag=3), "./gone": Annotation(hidden=True)}
    return RunView(RunTables(store, Lineages(store)).table(), notes, now=START + 3_000)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        *(("lr", "user_defined/lr"), ("learning_rate", "user_defined/lr"), ("status", "state")),
        *(
            ("Learning Rate", "user_defined/lr"),
            ("acc", "metric/acc"),
            ("spark/x", "scalar/x/last"),
        ),
        *(("val/acc", "scalar/val/acc/last"), ("val/acc/min", "scalar/val/acc/min")),
        *(("nothing", "nothing"), ("scalar/a", "scalar/a"), ("mark", "mark")),
    ],
)
def test_words_are_resolved_as_in_the_page(view: RunView, word: str, name: str) -> None:
    assert view.table.resolve(word) == name


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("name", ["summaries", "b/c", "d"]),
        ("state", ["stalled", "finished", "stalled"]),
        ("learning_rate", [None, None, 0.1]),
        ("n", [None, "[1]", None]),
        ("mark", [None, None, 3]),
        ("pinned", [False, False, True]),
        ("tags", [1, 1, 1]),
        ("val/acc/max", [0.5, 0.5, 0.5]),
        ("nothing", [None, None, None]),
        ("scalar/val/acc/median", [None, None, None]),
    ],
)
def test_columns(view: RunView, word: str, values: list[object]) -> None:
    assert list(view.column(word).values) == values


def test_facts_of_other_rows_than_the_listing_are_matched_by_id(view: RunView) -> None:
    table = view.table
    assert isinstance(table, RunTable)
    assert [row.summary_dir for row in table.facts.rows] == table.listing.train_id


def test_runs_created_at_one_time_are_in_natural_order() -> None:
    store = FakeStore()
    for number in (10, 9, 1):
        store.add(f"./run_{number}")
    store.add("./newer").create_time = START + 1
    table = RunTables(store, Lineages(store)).table()
    assert [table.name(row) for row in table.newest.tolist()] == [
        *("newer", "run_1", "run_9", "run_10"),
    ]
