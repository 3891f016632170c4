from __future__ import annotations

import pytest

from mindviz.datavisual.plugins.run_facts import series, tags, values, view
from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.errors import TagNotFound, TrainJobNotFound
from tests.store_fake import FakeStore


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    store.add("./a").facts = LineageFacts(user_defined={"seed": 1}, dataset_graph={"x": [1]})
    return store


def test_each_kind_of_fact_is_a_series(store: FakeStore) -> None:
    assert sorted(tags(store, "./a")) == ["dataset_graph", "user_defined"]
    assert view(store, "./a", "user_defined").whole().columns["fact"] == [{"seed": 1}]
    assert values(store, "./a", "dataset_graph").whole().columns["data"] == [[{"x": [1]}]]
    assert series(store, "./a", "user_defined").read(0) == b'{"seed": 1}'


def test_missing_facts_are_not_found(store: FakeStore) -> None:
    with pytest.raises(TagNotFound):
        view(store, "./a", "train")
    with pytest.raises(TrainJobNotFound):
        view(store, "./b", "train")
