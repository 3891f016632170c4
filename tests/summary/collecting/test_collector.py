from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.errors import InvalidValue, RecordingFailed
from mindviz.summary import EvalLineage, ScalarSummary, SummaryCollector, TensorSummary, Training
from tests.peers.collected_logs import run_example
from tests.proto.loss_landscape_pb2 import LossLandscape
from tests.summary import recordings
from tests.summary.regression import LANDSCAPE, Regression, train


def steps_of(directory: Path) -> dict[str, list[int]]:
    """Tag -> the steps of its values."""
    values = recordings.values(directory)
    return {tag: [step for step, _ in points] for tag, points in values.items()}


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_by_default_everything_but_landscapes_is_recorded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    training = Regression()
    first = Regression().step()
    train(SummaryCollector(tmp_path, custom_lineage_data={"team": "vision"}), training)
    due = [1, 10, 20, 30]
    assert steps_of(tmp_path) == {
        "loss/auto": due,
        "input_data/auto": due,
        "layer.w/auto": due,
        "layer.b/auto": due,
    }
    losses = recordings.scalars(tmp_path)["loss/auto"]
    assert losses[0][0] == 1
    assert losses[0][1] == pytest.approx(first)
    assert losses[-1][1] < losses[0][1]
    (graph,) = [
        event.graph_def for event in recordings.events(tmp_path) if event.HasField("graph_def")
    ]
    assert [node.op_type for node in graph.node] == ["matmul", "add"]
    facts = recordings.facts(tmp_path)
    (dataset,) = [fact.dataset_graph for fact in facts if fact.HasField("dataset_graph")]
    assert dataset.parameter.map_int["num_samples"] == 64
    (custom,) = [fact.user_defined_info for fact in facts if fact.HasField("user_defined_info")]
    assert custom.user_info[0].map_str == {"team": "vision"}
    early, last = [fact.train_lineage for fact in facts if fact.HasField("train_lineage")]
    assert early.hyper_parameters.optimizer == "SGD"
    assert last.algorithm.network == "Regression"
    assert last.algorithm.loss == pytest.approx(losses[-1][1])
    assert messages(caplog) == []


def test_only_requested_data_is_collected(tmp_path: Path) -> None:
    requested = {"histogram_regular": r"layer\.b"}
    collector = SummaryCollector(
        tmp_path, 15, collect_specified_data=requested, keep_default_action=False
    )
    train(collector, Regression())
    assert steps_of(tmp_path) == {"layer.b/auto": [1, 15, 30]}
    assert recordings.facts(tmp_path) == []


def test_summary_operators_record_in_steps_that_are_collected(tmp_path: Path) -> None:
    scalar, tensor = ScalarSummary(), TensorSummary()
    collector = SummaryCollector(tmp_path, 4, keep_default_action=False, collect_tensor_freq=6)
    collector.begin(Regression())
    collected = []
    for step in range(1, 13):
        scalar("inner", step)
        tensor("whole", np.full(2, step))
        collected += [step] if collector.collects else []
        collector.step_end(step)
    scalar("inner", 99)
    collector.end()
    assert steps_of(tmp_path) == {"inner": [1, 4, 8, 12], "whole": [1, 6, 12]}
    assert [value for _, value in recordings.scalars(tmp_path)["inner"]] == [1, 4, 8, 12]
    assert collected == [1, 4, 6, 8, 12]


def test_summary_operators_do_nothing_while_the_network_is_evaluated(tmp_path: Path) -> None:
    scalar = ScalarSummary()
    collector = SummaryCollector(tmp_path, 1, keep_default_action=False)
    collector.begin(Regression())
    for step in range(1, 4):
        collector.pause()
        assert not collector.collects
        scalar("inner", 99)
        collector.resume()
        scalar("inner", step)
        collector.step_end(step)
    collector.end()
    assert recordings.scalars(tmp_path) == {"inner": [(1, 1), (2, 2), (3, 3)]}


def test_custom_values(tmp_path: Path) -> None:
    with SummaryCollector(tmp_path, 2, keep_default_action=False) as collector:
        collector.begin(Regression())
        for step in range(1, 5):
            if collector.collects and collector.record is not None:
                collector.record.add_value("scalar", "mine", step)
            collector.step_end(step)
    assert recordings.scalars(tmp_path) == {"mine": [(1, 1), (2, 2), (4, 4)]}


def test_the_frequency_may_count_epochs(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path, 2)
    collector.begin(Regression(total=4))
    for epoch in range(1, 5):
        collector.step_end(epoch * 100, loss=1.0, count=epoch)
    collector.end()
    assert steps_of(tmp_path)["loss/auto"] == [100, 200, 400]


def test_the_loss_is_the_mean_of_its_tensor(tmp_path: Path) -> None:
    with SummaryCollector(tmp_path) as collector:
        collector.begin(Regression())
        collector.step_end(1, loss=np.array([1, 2, 6]), metrics={"accuracy": np.float32(0.5)})
    scalars = recordings.scalars(tmp_path)
    assert scalars == {"loss/auto": [(1, 3.0)], "accuracy/auto": [(1, 0.5)]}


def test_irregular_metrics(tmp_path: Path) -> None:
    with SummaryCollector(tmp_path) as collector:
        collector.begin(Regression())
        collector.step_end(1)
        collector.measured(7, {"learning_rate": 0.5})
    assert recordings.scalars(tmp_path) == {"learning_rate/auto": [(7, 0.5)]}


@pytest.mark.parametrize("during", [True, False], ids=["during a training", "after it"])
def test_an_evaluation(tmp_path: Path, *, during: bool) -> None:
    collector = SummaryCollector(tmp_path)
    metrics = {"accuracy": np.float32(0.75), "by_class": np.array([1, 2]), "best": "a"}
    lineage = EvalLineage(metric=metrics, valid_dataset_size=8)
    if during:
        collector.begin(Regression())
    collector.evaluated(lineage, 5)
    collector.end()
    assert recordings.scalars(tmp_path) == {"accuracy/auto": [(5, 0.75)]}
    (fact,) = recordings.facts(tmp_path)
    assert json.loads(fact.evaluation_lineage.metric) == {
        "accuracy": 0.75,
        "by_class": [1, 2],
        "best": "a",
    }
    assert fact.evaluation_lineage.valid_dataset.valid_dataset_size == 8


def test_evaluations_can_be_disabled(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path, keep_default_action=False)
    collector.evaluated(EvalLineage(metric={"accuracy": 0.75}), 5)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------ landscapes


@pytest.mark.parametrize("unit", ["step", "epoch"])
def test_landscapes_along_the_path_and_around_its_end(tmp_path: Path, unit: str) -> None:
    training = Regression()
    collector = SummaryCollector(
        tmp_path,
        collect_specified_data={"collect_landscape": LANDSCAPE | {"unit": unit}},
        keep_default_action=False,
    )
    collector.begin(training)
    for number in range(1, 6):
        training.step()
        collector.step_end(number)
        collector.epoch_end(number)
    at_the_end = training.loss()
    collector.end()
    assert training.loss() == at_the_end
    assert set(steps_of(tmp_path)) == {"landscape_[1, 3]", "landscape_[4, 5]", "landscape_[5]"}
    written = {tag: recordings.one_value(tmp_path, tag) for tag in steps_of(tmp_path)}
    along = LossLandscape.FromString(written["landscape_[4, 5]"].loss_landscape)
    assert list(along.loss_path.intervals) == [4, 5]
    assert along.metadata.unit == unit
    assert along.convergence_point.z.float_data[0] == pytest.approx(at_the_end, rel=1e-4)
    around = LossLandscape.FromString(written["landscape_[5]"].loss_landscape)
    assert list(around.landscape.z.dims) == [3, 3]
    assert around.landscape.z.float_data[4] == pytest.approx(at_the_end, rel=1e-4)
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_each_kind_of_landscape_can_be_disabled(tmp_path: Path) -> None:
    requested = {"collect_landscape": LANDSCAPE | {"create_landscape": {"result": False}}}
    train(SummaryCollector(tmp_path, 30, collect_specified_data=requested), Regression())
    assert {"landscape_[1, 3]", "landscape_[4, 6]"} == {
        tag for tag in steps_of(tmp_path) if tag.startswith("landscape")
    }


# ------------------------------------------------------------------------------- failures


class Broken(Regression):
    """Every method raises."""

    def __getattribute__(self, name: str) -> Any:
        if name in {"parameters", "graph", "lineage", "dataset_graph", "losses"}:
            return self.fail
        return super().__getattribute__(name)

    def fail(self, *_: object) -> None:
        raise RuntimeError("no luck")


def test_each_failure_is_logged_once_and_the_training_continues(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    requested = {"collect_landscape": LANDSCAPE}
    train(SummaryCollector(tmp_path, 5, collect_specified_data=requested), Broken())
    assert steps_of(tmp_path)["loss/auto"] == [1, 5, 10, 15, 20, 25, 30]
    warnings = messages(caplog)
    assert sorted(warnings) == [
        f"Cannot collect {what}: no luck (reported once)"
        for what in (
            "the dataset graph",
            "the graph",
            "the landscape",
            "the lineage of the training",
            "the parameters' histograms",
        )
    ]


def test_a_training_without_losses_has_no_landscape(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Silent(Regression):
        losses = Training.losses

    requested = {"collect_landscape": LANDSCAPE}
    train(SummaryCollector(tmp_path, 30, collect_specified_data=requested), Silent())
    (warning,) = messages(caplog)
    assert "Cannot collect the landscape" in warning
    assert "cannot compute losses" in warning


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"loss": "low"}, "loss/auto"),
        ({"loss": np.zeros(0)}, "loss/auto"),
        ({"inputs": np.zeros((2, 7))}, "input_data/auto"),
        ({"inputs": {"ids": 1}}, "input_data/auto"),
        ({"inputs": np.zeros((2, 9, 9, 9))}, "input_data/auto"),
    ],
    ids=str,
)
def test_one_invalid_value_does_not_affect_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, values: dict[str, object], what: str
) -> None:
    with SummaryCollector(tmp_path, 1) as collector:
        collector.begin(Regression())
        for step in range(1, 4):
            collector.step_end(step, metrics={"other": 1.0}, **values)  # type: ignore[arg-type]
    assert steps_of(tmp_path)["other/auto"] == [1, 2, 3]
    assert (
        len([text for text in messages(caplog) if text.startswith(f"Cannot collect {what}")]) == 1
    )


def test_a_deleted_directory_does_not_stop_the_training(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path / "run", flush_seconds=0.01)
    (tmp_path / "run").rmdir()
    (tmp_path / "run").write_text("in the way", "utf-8")
    train(collector, Regression())
    assert (tmp_path / "run").read_text("utf-8") == "in the way"


def test_a_directory_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(RecordingFailed, match="Cannot create"):
        SummaryCollector(tmp_path / "file" / "run")


def _break_off(collector: SummaryCollector, training: Regression) -> None:
    with collector:
        collector.begin(training)
        collector.step_end(1, loss=training.step())
        raise KeyboardInterrupt


def test_a_crashed_training_keeps_its_values(tmp_path: Path) -> None:
    training = Regression()
    with pytest.raises(KeyboardInterrupt):
        _break_off(SummaryCollector(tmp_path), training)
    assert steps_of(tmp_path)["loss/auto"] == [1]
    assert len([fact for fact in recordings.facts(tmp_path) if fact.HasField("train_lineage")]) == 2


def test_a_collector_can_be_reused(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path)
    for _ in range(2):
        train(collector, Regression(), 1)
    assert steps_of(tmp_path)["loss/auto"] == [1, 1]
    assert len(list(tmp_path.glob("*_MS*"))) == 2


def test_before_and_after_a_training_nothing_is_collected(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path)
    collector.step_end(1, loss=1.0)
    collector.epoch_end(1)
    collector.measured(1, {"a": 1.0})
    collector.end()
    assert not collector.collects
    assert collector.record is None
    assert list(tmp_path.iterdir()) == []


# --------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"collect_freq": 0}, "collect_freq is 0"),
        ({"num_process": "4"}, "num_process is '4'"),
        ({"collect_tensor_freq": -1}, "collect_tensor_freq is -1"),
        ({"max_file_size": 0}, "max_file_size is 0"),
        ({"export_options": {"tensor_format": "csv"}}, "Invalid export_options 'tensor_format'"),
        ({"custom_lineage_data": ["a"]}, "custom_lineage_data is ['a']"),
        ({"custom_lineage_data": {"a": [1]}}, "custom_lineage_data has 'a': [1]"),
        (
            {"collect_specified_data": {"graph": True}},
            "collect_specified_data has unknown keys",
        ),
    ],
    ids=str,
)
def test_the_error_for_an_invalid_option_names_it(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidValue, match=re.escape(message)):
        SummaryCollector(tmp_path / "run", **options)


def test_hyperparameters_of_a_search_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = {"custom_lineage_data": {"layers": 3, "team": "tuner"}}
    monkeypatch.setenv("MINDINSIGHT_HYPER_CONFIG", json.dumps(reported))
    train(SummaryCollector(tmp_path, custom_lineage_data={"team": "vision"}), Regression(), 1)
    (info,) = [
        fact.user_defined_info
        for fact in recordings.facts(tmp_path)
        if fact.HasField("user_defined_info")
    ]
    assert [dict(part.map_int32) | dict(part.map_str) for part in info.user_info] == [
        {"layers": 3},
        {"team": "vision"},
    ]


def test_options_of_the_record_are_accepted(tmp_path: Path) -> None:
    collector = SummaryCollector(tmp_path, histogram_values=True, export_options=None)
    train(collector, Regression(), 1)
    kinds = [value.WhichOneof("value") for _, value in recordings.values(tmp_path)["layer.w/auto"]]
    assert sorted(kinds) == ["histogram", "tensor"]


def test_the_documented_example_works(tmp_path: Path) -> None:
    run_example("Any other framework", tmp_path)
    log = tmp_path / "logs" / "run1"
    assert steps_of(log)["loss/auto"] == [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    assert [fact.HasField("evaluation_lineage") for fact in recordings.facts(log)].count(True) == 1
