from __future__ import annotations

import math
from typing import Any

import pytest

from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.errors import TrainJobNotFound
from mindviz.lineagemgr.diff import Difference, LineageDiff, diff_lineages
from mindviz.lineagemgr.lineage_table import Lineages
from tests.store_fake import FakeStore


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


def diff(store: FakeStore, *train_ids: str) -> LineageDiff:
    table = Lineages(store).table()
    return diff_lineages(table, train_ids, store.scalar_summaries)


def pairs(differences: tuple[Difference, ...]) -> dict[str, tuple[Any, ...]]:
    return {difference.name: difference.values for difference in differences}


def test_only_differences_are_returned(store: FakeStore) -> None:
    for train_id, epoch, seed, accuracy, loss in (
        ("./a", 1, 5, 0.5, 0.25),
        ("./b", 2, 6, 0.6, 0.5),
    ):
        job = store.add(train_id)
        job.facts = LineageFacts(
            train=TrainFacts(epoch=epoch, network="Net", loss=loss),
            evaluation=EvaluationFacts({"accuracy": accuracy, "f1": 1}),
            user_defined={"seed": seed, "team": "vision"},
        )
        job.append("loss", [1, 2], [1, loss])
        job.append("lr", [1], [0.125])
    result = diff(store, "./a", "./b")
    assert result.train_ids == ("./a", "./b")
    assert pairs(result.hyper_parameters) == {"epoch": (1, 2)}
    assert pairs(result.user_defined) == {"seed": (5, 6)}
    assert pairs(result.metrics) == {"loss": (0.25, 0.5), "accuracy": (0.5, 0.6)}
    assert pairs(result.scalars) == {"loss": (0.25, 0.5)}
    assert result.dataset_graph == ()


def test_a_value_missing_in_some_jobs_differs(store: FakeStore) -> None:
    store.add("./a").facts = LineageFacts(user_defined={"x": 1, "none": None})
    store.add("./b").append("loss", [1], [0.5])
    store.add("./c").facts = LineageFacts(user_defined={"x": True})
    result = diff(store, "./a", "./b", "./c")
    assert pairs(result.user_defined) == {"x": (1, None, True)}
    assert pairs(result.scalars) == {"loss": (None, 0.5, None)}
    assert pairs(diff(store, "./a", "./c").user_defined) == {"x": (1, True)}


def test_dataset_graphs_are_compared_by_path(store: FakeStore) -> None:
    graphs: list[dict[str, Any]] = [
        {"op": "Batch", "size": 8, "children": [{"op": "Map", "columns": ["a", "b"]}]},
        {"op": "Batch", "size": 16, "children": [{"op": "Map", "columns": ["a"]}]},
    ]
    for train_id, graph in zip(("./a", "./b"), graphs, strict=True):
        store.add(train_id).facts = LineageFacts(dataset_graph=graph)
    store.add("./c")
    assert pairs(diff(store, "./a", "./b").dataset_graph) == {
        "size": (8, 16),
        "children/0/columns/1": ("b", None),
    }
    assert "op" in pairs(diff(store, "./a", "./c").dataset_graph)


def test_nan_equals_nan(store: FakeStore) -> None:
    for train_id in ("./a", "./b"):
        store.add(train_id).append("loss", [1], [math.nan])
    assert diff(store, "./a", "./b").scalars == ()


def test_a_job_does_not_differ_from_itself(store: FakeStore) -> None:
    store.add("./a").facts = LineageFacts(user_defined={"x": 1})
    result = diff(store, "./a", "./a")
    assert (result.train_ids, result.user_defined) == (("./a",), ())


def test_an_unknown_job_is_an_error(store: FakeStore) -> None:
    store.add("./a")
    with pytest.raises(TrainJobNotFound):
        diff(store, "./a", "./b")
