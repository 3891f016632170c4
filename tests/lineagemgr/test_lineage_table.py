from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mindviz.datavisual.series.lineage_facts import LineageFacts, MetricTag
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.store import ScalarSummaries
from mindviz.deadline import LongWorkAhead, allow, doing
from mindviz.errors import LogUnreadable, TrainJobNotFound
from mindviz.lineagemgr.lineage_table import Lineages
from tests.store_fake import FakeJob, FakeStore


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


def add(store: FakeStore, train_id: str, **facts: Any) -> FakeJob:
    job = store.add(train_id)
    job.facts = LineageFacts(**facts)
    return job


def metrics(store: FakeStore) -> dict[str, Mapping[str, Any]]:
    return {row.summary_dir: row.metric for row in Lineages(store).table().rows}


# ------------------------------------------------------------------------------------- metrics


def test_a_metric_is_the_last_value_of_its_scalar(store: FakeStore) -> None:
    tags = (MetricTag("loss"), MetricTag("never logged"))
    add(store, "./a", hyper_parameters={"lr": 1}, metric_tags=tags).append(
        "loss", [1, 2], [0.5, 0.25]
    )
    assert metrics(store) == {"./a": {"loss": 0.25}}


def test_metrics_that_any_job_names_are_those_of_all_with_a_session(
    store: FakeStore,
) -> None:
    """TensorBoard 5596: metrics that the first run does not list must appear in the others."""
    add(store, "./a", hyper_parameters={"lr": 1}, metric_tags=(MetricTag("loss"),)).append(
        "loss", [1], [0.5]
    )
    for train_id, hyper_parameters in (("./b", {"lr": 2}), ("./c", {})):
        job = add(store, train_id, hyper_parameters=hyper_parameters)
        job.append("loss", [1], [0.75])
    add(store, "./d", metric_tags=(MetricTag("accuracy"),)).append("accuracy", [1], [1.0])
    assert metrics(store) == {
        "./a": {"loss": 0.5},
        "./b": {"loss": 0.75},
        "./c": {},
        "./d": {"accuracy": 1.0},
    }


def test_an_experiment_next_to_its_sessions_declares_their_metrics(store: FakeStore) -> None:
    """As Keras logs: the experiment in the base dir, validation in a separate directory."""
    add(store, "./", metric_tags=(MetricTag("acc", "validation"), MetricTag("acc", "../x")))
    add(store, "./run", hyper_parameters={"lr": 1})
    store.add("./run/validation").append("acc", [1, 2], [0.5, 0.75])
    store.add("./x").append("acc", [1], [0.125])
    rows = metrics(store)
    assert rows["./run"] == {"validation/acc": 0.75, "../x/acc": 0.125}
    assert rows["./run/validation"] == {}


def test_metrics_follow_their_scalars(store: FakeStore) -> None:
    tags = (MetricTag("acc"), MetricTag("acc", "validation"))
    job = add(store, "./run", hyper_parameters={"lr": 1}, metric_tags=tags)
    job.append("acc", [1], [0.5])
    other = store.add("./run/validation")
    other.append("acc", [1], [0.25])
    lineages = Lineages(store)
    assert lineages.table().column("metric/acc") == [0.5, None]
    job.append("acc", [2], [0.625])
    other.append("acc", [2], [0.375])
    table = lineages.table()
    assert table.column("metric/acc")[0] == 0.625
    assert table.column("metric/validation/acc")[0] == 0.375


# --------------------------------------------------------------------------------------- table


def test_every_job_is_a_row_the_one_updated_last_first(store: FakeStore) -> None:
    add(store, "./a", user_defined={"x": 1}).update_time = 5
    store.add("./b").update_time = 9
    store.add("./c").update_time = 7
    table = Lineages(store).table()
    assert [row.summary_dir for row in table.rows] == ["./b", "./c", "./a"]
    assert [row.is_logged for row in table.rows] == [False, False, True]
    assert (len(table), table.index_of("./c")) == (3, 1)
    with pytest.raises(TrainJobNotFound):
        table.index_of("./d")


def test_columns_of_all_kinds(store: FakeStore) -> None:
    job = add(store, "./a", user_defined={"x/y": 1}, dataset_graph={"n": 1})
    job.append("loss/train", [1, 2, 5], [0.5, 4.0, 0.10000000149011612])
    store.add("./b")
    table = Lineages(store).table()
    assert table.column("summary_dir") == ["./a", "./b"]
    assert table.column("user_defined/x/y") == [1, None]
    assert table.column("metric/none") == [None, None]
    assert table.column("network") == [None, None]
    assert table.column("dataset_mark") == ["2", None]
    found = {
        name: table.column(f"scalar/loss/train/{name}")
        for name in ("last", "min", "max", "min_step", "max_step")
    }
    assert found == {
        "last": [0.1, None],
        "min": [0.1, None],
        "max": [4.0, None],
        "min_step": [5, None],
        "max_step": [2, None],
    }


def test_the_value_where_another_scalar_is_best(store: FakeStore) -> None:
    job = store.add("./a")
    job.append("val/acc", [10, 20, 30], [0.5, 0.9, 0.7])
    job.append("loss", [5, 15, 25], [3.0, 0.10000000149011612, 1.0])
    later = store.add("./b")
    later.append("val/acc", [1], [0.5])
    later.append("loss", [2], [1.0])
    unequal = store.add("./c")
    unequal.append("val/acc", [1], [float("nan")])
    unequal.append("loss", [1], [1.0])
    store.add("./d").append("loss", [1], [1.0])
    table = Lineages(store).table()
    rows = [row.summary_dir for row in table.rows]
    at_max = dict(zip(rows, table.column("scalar/loss/at_max:val%2Facc"), strict=True))
    # The last value up to step 20; none was logged before, all are NaN, there is no accuracy.
    assert at_max == {"./a": 0.1, "./b": None, "./c": None, "./d": None}
    assert table.column("scalar/loss/at_min:val%2Facc")[rows.index("./a")] == 3.0


def test_an_unreadable_series_has_no_value_where_another_is_best(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for train_id in ("./a", "./b"):
        job = store.add(train_id)
        job.append("acc", [1], [0.5])
        job.append("loss", [1], [1.0])
    read = store.read_scalars

    def fails(train_id: str, tag: str) -> ScalarTimeSeries:
        if train_id == "./a":
            raise LogUnreadable("It cannot be read.")
        return read(train_id, tag)

    monkeypatch.setattr(store, "read_scalars", fails)
    table = Lineages(store).table()
    values = zip(table.rows, table.column("scalar/loss/at_max:acc"), strict=True)
    assert {row.summary_dir: value for row, value in values} == {"./a": None, "./b": 1.0}


def test_reading_many_series_is_long_work(store: FakeStore) -> None:
    for number in range(40):
        store.add(f"./{number}").append("loss", [1], [1.0])
    table = Lineages(store).table()
    with doing(allow(10.0, is_short=True)):
        table.column("scalar/loss/last")
        with pytest.raises(LongWorkAhead):
            table.column("scalar/loss/at_max:loss")


def test_nothing_is_read_again_while_nothing_changes(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for train_id in ("./a", "./b"):
        add(store, train_id, hyper_parameters={"lr": 1}, metric_tags=(MetricTag("loss"),)).append(
            "loss", [1], [0.5]
        )
    read: list[str] = []
    of_job = store.scalar_summaries

    def summaries(train_id: str) -> ScalarSummaries:
        read.append(train_id)
        return of_job(train_id)

    monkeypatch.setattr(store, "scalar_summaries", summaries)
    lineages = Lineages(store)
    first = lineages.table()
    assert sorted(read) == ["./a", "./b"]
    assert lineages.table() is first
    store.jobs["./b"].append("loss", [2], [0.25])
    assert lineages.table().column("metric/loss") == [0.5, 0.25]
    assert sorted(read) == ["./a", "./b", "./b"]


def test_a_removed_job_is_not_a_row(store: FakeStore) -> None:
    for train_id in ("./a", "./b"):
        add(store, train_id, hyper_parameters={"lr": 1})
    lineages = Lineages(store)
    lineages.table()
    del store.jobs["./a"]
    assert [row.summary_dir for row in lineages.table().rows] == ["./b"]


def test_a_job_removed_meanwhile_has_no_scalars(store: FakeStore) -> None:
    store.add("./a").append("loss", [1], [0.5])
    table = Lineages(store).table()
    del store.jobs["./a"]
    assert table.column("scalar/loss/last") == [None]


# ---------------------------------------------------------------------------------------- marks


def marks(store: FakeStore) -> dict[str, str | None]:
    table = Lineages(store).table()
    names = [row.summary_dir for row in table.rows]
    return dict(zip(names, table.column("dataset_mark"), strict=True))


def test_equal_dataset_graphs_share_a_mark_in_any_update_order(
    store: FakeStore,
) -> None:
    graphs = {"./d": {"a": 1, "b": 2}, "./c": {"x": 0}, "./b": {"b": 2, "a": 1}, "./a": None}
    for train_id, graph in graphs.items():
        add(store, train_id, user_defined={"n": 1}, dataset_graph=graph)
    store.add("./0")
    expected = {"./0": None, "./a": "2", "./b": "3", "./c": "4", "./d": "3"}
    assert marks(store) == expected
    store.jobs["./c"].update_time += 100
    assert marks(store) == expected
