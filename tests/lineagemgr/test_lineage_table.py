from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mindviz.datavisual.series.lineage_facts import LineageFacts, MetricTag
from mindviz.datavisual.store import ScalarSummaries
from mindviz.errors import TrainJobNotFound
from mindviz.lineagemgr.lineage_table import Lineages
from tests.store_fake import FakeJob, FakeStore


@pytest.fixture
def experiment() -> FakeStore:
    return FakeStore()


def add(experiment: FakeStore, train_id: str, **facts: Any) -> FakeJob:
    job = experiment.add(train_id)
    job.facts = LineageFacts(**facts)
    return job


def metrics(experiment: FakeStore) -> dict[str, Mapping[str, Any]]:
    return {row.summary_dir: row.metric for row in Lineages(experiment).table().rows}


# ------------------------------------------------------------------------------------- metrics


def test_a_metric_is_the_last_value_of_its_scalar(experiment: FakeStore) -> None:
    tags = (MetricTag("loss"), MetricTag("never logged"))
    add(experiment, "./a", hyper_parameters={"lr": 1}, metric_tags=tags).append(
        "loss", [1, 2], [0.5, 0.25]
    )
    assert metrics(experiment) == {"./a": {"loss": 0.25}}


def test_metrics_that_any_job_names_are_those_of_all_with_a_session(
    experiment: FakeStore,
) -> None:
    """TensorBoard 5596: what the first run does not list must not be missing in the others."""
    add(experiment, "./a", hyper_parameters={"lr": 1}, metric_tags=(MetricTag("loss"),)).append(
        "loss", [1], [0.5]
    )
    for train_id, hyper_parameters in (("./b", {"lr": 2}), ("./c", {})):
        job = add(experiment, train_id, hyper_parameters=hyper_parameters)
        job.append("loss", [1], [0.75])
    add(experiment, "./d", metric_tags=(MetricTag("accuracy"),)).append("accuracy", [1], [1.0])
    assert metrics(experiment) == {
        "./a": {"loss": 0.5},
        "./b": {"loss": 0.75},
        "./c": {},
        "./d": {"accuracy": 1.0},
    }


def test_an_experiment_beside_its_sessions_names_their_metrics(experiment: FakeStore) -> None:
    """As Keras logs: the experiment in the base dir, validation in a directory of its own."""
    add(experiment, "./", metric_tags=(MetricTag("acc", "validation"), MetricTag("acc", "../x")))
    add(experiment, "./run", hyper_parameters={"lr": 1})
    experiment.add("./run/validation").append("acc", [1, 2], [0.5, 0.75])
    experiment.add("./x").append("acc", [1], [0.125])
    rows = metrics(experiment)
    assert rows["./run"] == {"validation/acc": 0.75, "../x/acc": 0.125}
    assert rows["./run/validation"] == {}


def test_metrics_follow_their_scalars(experiment: FakeStore) -> None:
    tags = (MetricTag("acc"), MetricTag("acc", "validation"))
    job = add(experiment, "./run", hyper_parameters={"lr": 1}, metric_tags=tags)
    job.append("acc", [1], [0.5])
    other = experiment.add("./run/validation")
    other.append("acc", [1], [0.25])
    lineages = Lineages(experiment)
    assert lineages.table().column("metric/acc") == [0.5, None]
    job.append("acc", [2], [0.625])
    other.append("acc", [2], [0.375])
    table = lineages.table()
    assert table.column("metric/acc")[0] == 0.625
    assert table.column("metric/validation/acc")[0] == 0.375


# --------------------------------------------------------------------------------------- table


def test_every_job_is_a_row_the_one_updated_last_first(experiment: FakeStore) -> None:
    add(experiment, "./a", user_defined={"x": 1}).update_time = 5
    experiment.add("./b").update_time = 9
    experiment.add("./c").update_time = 7
    table = Lineages(experiment).table()
    assert [row.summary_dir for row in table.rows] == ["./b", "./c", "./a"]
    assert [row.is_logged for row in table.rows] == [False, False, True]
    assert (len(table), table.index_of("./c")) == (3, 1)
    with pytest.raises(TrainJobNotFound):
        table.index_of("./d")


def test_columns_of_all_kinds(experiment: FakeStore) -> None:
    job = add(experiment, "./a", user_defined={"x/y": 1}, dataset_graph={"n": 1})
    job.append("loss/train", [1, 2, 5], [0.5, 4.0, 0.10000000149011612])
    experiment.add("./b")
    table = Lineages(experiment).table()
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


def test_nothing_is_read_again_while_nothing_changes(
    experiment: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for train_id in ("./a", "./b"):
        add(
            experiment, train_id, hyper_parameters={"lr": 1}, metric_tags=(MetricTag("loss"),)
        ).append("loss", [1], [0.5])
    read: list[str] = []
    of_job = experiment.scalar_summaries

    def summaries(train_id: str) -> ScalarSummaries:
        read.append(train_id)
        return of_job(train_id)

    monkeypatch.setattr(experiment, "scalar_summaries", summaries)
    lineages = Lineages(experiment)
    first = lineages.table()
    assert sorted(read) == ["./a", "./b"]
    assert lineages.table() is first
    experiment.jobs["./b"].append("loss", [2], [0.25])
    assert lineages.table().column("metric/loss") == [0.5, 0.25]
    assert sorted(read) == ["./a", "./b", "./b"]


def test_a_job_that_is_gone_is_no_row(experiment: FakeStore) -> None:
    for train_id in ("./a", "./b"):
        add(experiment, train_id, hyper_parameters={"lr": 1})
    lineages = Lineages(experiment)
    lineages.table()
    del experiment.jobs["./a"]
    assert [row.summary_dir for row in lineages.table().rows] == ["./b"]


def test_a_job_that_goes_meanwhile_has_no_scalars(experiment: FakeStore) -> None:
    experiment.add("./a").append("loss", [1], [0.5])
    table = Lineages(experiment).table()
    del experiment.jobs["./a"]
    assert table.column("scalar/loss/last") == [None]


# ---------------------------------------------------------------------------------------- marks


def marks(experiment: FakeStore) -> dict[str, str | None]:
    table = Lineages(experiment).table()
    names = [row.summary_dir for row in table.rows]
    return dict(zip(names, table.column("dataset_mark"), strict=True))


def test_equal_dataset_graphs_share_a_mark_whoever_was_updated_last(
    experiment: FakeStore,
) -> None:
    graphs = {"./d": {"a": 1, "b": 2}, "./c": {"x": 0}, "./b": {"b": 2, "a": 1}, "./a": None}
    for train_id, graph in graphs.items():
        add(experiment, train_id, user_defined={"n": 1}, dataset_graph=graph)
    experiment.add("./0")
    expected = {"./0": None, "./a": "2", "./b": "3", "./c": "4", "./d": "3"}
    assert marks(experiment) == expected
    experiment.jobs["./c"].update_time += 100
    assert marks(experiment) == expected
