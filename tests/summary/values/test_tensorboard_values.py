from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.time_series import Audio as ReadAudio
from mindviz.datavisual.series.time_series import Embedding as ReadEmbedding
from mindviz.datavisual.series.time_series import Tensor as ReadTensor
from mindviz.errors import InvalidValue
from mindviz.summary import Audio, Embedding, Mesh, PrCurve, SummaryRecord
from mindviz.summary.values.tensorboard_values import counted_pr_curve
from tests.written_logs import loaded

POINTS = np.arange(12.0).reshape(4, 3)


def read(directory: Path, plugin: str, tag: str) -> Any:
    store = loaded(directory)
    try:
        series = store.read_values("./", plugin, tag)
        assert series.step.tolist() == [3]
        return series.read(0)
    finally:
        store.close()


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., Any]:
    """Record a value and read it again with mindviz."""

    def record(plugin: str, value: object, read_tag: str = "x") -> Any:
        with SummaryRecord(tmp_path) as record:
            record.add_value("scalar", "loss", 1)
            record.add_value(plugin, "x", value)
            record.record(3)
        return read(tmp_path, plugin, read_tag)

    return record


def test_a_text(recorded: Callable[..., Any]) -> None:
    value = recorded("text", "# 你好")
    assert isinstance(value, ReadTensor)
    assert value.data.tolist() == "# 你好".encode()


def test_a_lone_surrogate_is_replaced(recorded: Callable[..., Any]) -> None:
    assert recorded("text", "a\ud800b").data.tolist() == b"a?b"


@pytest.mark.parametrize("as_array", [False, True])
def test_audio(recorded: Callable[..., Any], *, as_array: bool) -> None:
    samples = np.sin(np.arange(100))
    value = recorded("audio", samples if as_array else Audio(samples, 8000))
    assert isinstance(value, ReadAudio)
    assert value.clips[0].startswith(b"RIFF")


def test_a_precision_recall_curve(recorded: Callable[..., Any]) -> None:
    value = recorded("pr_curve", PrCurve([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.7], thresholds=11))
    assert value.data.shape == (6, 11)
    assert value.data[:4, 0].tolist() == [2, 2, 0, 0]


def test_a_mesh(recorded: Callable[..., Any]) -> None:
    mesh = Mesh(POINTS, colors=np.full((4, 3), 200), faces=[[0, 1, 2]])
    value = recorded("mesh", mesh, "x_VERTEX")
    assert value.data.tolist() == [POINTS.tolist()]


@pytest.mark.parametrize(
    ("metadata", "header", "labels"),
    [
        ((), (), ()),
        (["a", 2], (), (("a",), ("2",))),
        ([["a", 1], ["b", 2]], ("word", "count"), (("a", "1"), ("b", "2"))),
    ],
    ids=itertools.count(),
)
def test_an_embedding(
    recorded: Callable[..., Any], metadata: list[Any], header: tuple[str, ...], labels: object
) -> None:
    value = recorded("embedding", Embedding([[1.0, 2, 3], [4, 5, 6]], metadata, header))
    assert isinstance(value, ReadEmbedding)
    assert value.vectors.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (value.labels, value.header) == (labels, header)


def test_all_files_of_a_record_are_one_writer(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path, max_file_size=3000, rotate=True, flush_seconds=0) as record:
        for step in range(60):
            record.add_value("scalar", "loss", step)
            record.add_value("text", "note", "text")
            record.add_value("tensor", "kernel", np.ones(20))
            record.record(step)
    assert len(list(tmp_path.iterdir())) > 4
    store = loaded(tmp_path)
    try:
        (job,) = store.list_train_jobs()
        assert job.problems == ()
        for plugin, tag in (("tensor", "kernel"), ("text", "note")):
            assert store.read_values("./", plugin, tag).step.tolist() == list(range(60))
        assert store.read_scalars("./", "loss").step.tolist() == list(range(60))
    finally:
        store.close()


@pytest.mark.parametrize(
    ("plugin", "value", "reason"),
    [
        ("text", b"bytes", "must be a string"),
        ("audio", np.zeros((2, 3, 4)), r"\[2, 3, 4\]"),
        ("audio", Audio([0.0], 0), "sample rate"),
        ("pr_curve", [1, 2], "must be a PrCurve"),
        ("pr_curve", PrCurve([1, 0], [0.5]), r"\[2\], \[1\]"),
        ("pr_curve", PrCurve([1], [0.5], thresholds=1), "thresholds"),
        ("mesh", np.zeros((4, 2)), r"\[4, 2\]"),
        ("mesh", Mesh(POINTS, colors=np.zeros((2, 3))), "colors"),
        ("embedding", np.zeros(3), r"\[3\]"),
        ("embedding", Embedding(POINTS, ["a"]), "metadata"),
        ("embedding", Embedding(POINTS[:2], [["a"], ["b", "c"]]), "metadata"),
    ],
    ids=itertools.count(),
)
def test_the_error_for_an_invalid_value_names_the_tag(
    tmp_path: Path, plugin: str, value: object, reason: str
) -> None:
    with SummaryRecord(tmp_path) as record, pytest.raises(InvalidValue, match=reason) as refused:
        record.add_value(plugin, "the tag", value)
    assert f"{plugin} 'the tag'" in str(refused.value)


def test_the_config_of_a_mesh_must_be_json(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path) as record, pytest.raises(InvalidValue, match=r"mesh 'x'.*config"):
        record.add_value("mesh", "x", Mesh(POINTS, config={"camera": object()}))


def test_colors_of_a_mesh_may_be_floats(recorded: Callable[..., Any]) -> None:
    value = recorded("mesh", Mesh(POINTS, colors=np.full((4, 3), 0.5)), "x_COLOR")
    assert np.unique(value.data).tolist() == [127]


PREDICTIONS = st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(0.5, 2)), max_size=30)


@given(PREDICTIONS, st.integers(2, 20))
def test_every_column_counts_predictions_above_its_threshold(
    predictions: list[tuple[bool, float, float]], thresholds: int
) -> None:
    columns = np.array(predictions, np.float64).reshape(-1, 3)
    curve = counted_pr_curve(columns[:, 0], columns[:, 1], thresholds, columns[:, 2])
    for at in range(thresholds):
        predicted = np.floor(columns[:, 1] * (thresholds - 1)) >= at
        true = columns[:, 0] > 0
        weight = columns[:, 2]
        expected = [weight[predicted & true], weight[predicted & ~true], weight[~predicted & ~true]]
        expected.append(weight[~predicted & true])
        np.testing.assert_allclose(curve[:4, at], [row.sum() for row in expected], atol=1e-5)


def test_precision_and_recall_of_perfect_predictions() -> None:
    curve = counted_pr_curve(np.array([1, 0, 1]), np.array([1.0, 0.0, 1.0]), 3)
    assert curve[:, 0].tolist() == [2, 1, 0, 0, np.float32(2 / 3), 1]
    assert curve[4:, 2].tolist() == [1, 1]


def test_nan_and_out_of_range_predictions_are_clipped() -> None:
    curve = counted_pr_curve(np.ones(4), np.array([np.nan, np.inf, -np.inf, 7]), 2)
    assert curve[0].tolist() == [4, 2]
