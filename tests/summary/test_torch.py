"""SummaryWriter with numpy only; tests/peers compares it with torch's."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.errors import InvalidValue, RecordingFailed
from mindviz.summary.torch import SummaryWriter
from tests.summary.recordings import payloads, tensorboard_values
from tests.written_logs import loaded, rows


def scalars(directory: Path, tag: str, train_id: str = "./") -> list[tuple[int, float]]:
    store = loaded(directory)
    try:
        return rows(store.read_scalars(train_id, tag))
    finally:
        store.close()


def tags(directory: Path) -> dict[str, list[str]]:
    """plugin -> tags, of the directory itself."""
    store = loaded(directory)
    try:
        return {plugin: list(of) for plugin, of in store.list_tags("./").items() if of}
    finally:
        store.close()


def test_no_framework_is_imported(tmp_path: Path) -> None:
    code = f"""
import sys
from mindviz.summary.torch import SummaryWriter
with SummaryWriter({str(tmp_path)!r}) as writer:
    writer.add_scalar("loss", 1, 0)
sys.exit(bool({{"torch", "tensorboard", "matplotlib", "PIL"}} & set(sys.modules)))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_mindviz_reads_the_values_of_every_method(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", 0.5, 3)
        writer.add_tensor("tensor", random.random((2, 3)), 3)
        writer.add_histogram("histogram", random.random(50), 3)
        writer.add_histogram_raw("raw", 0, 2, 3, 4.0, 5.0, [1, 2], [1, 2], 3)
        writer.add_image("image", random.random((3, 4, 5)), 3)
        writer.add_images("images", random.random((2, 3, 4, 5)), 3)
        writer.add_image_with_boxes("boxes", random.random((3, 40, 50)), [[1, 2, 20, 30]], 3)
        writer.add_video("video", random.random((1, 2, 3, 4, 5)), 3)
        writer.add_audio("audio", random.random((1, 100)), 3)
        writer.add_text("text", "# text", 3)
        writer.add_pr_curve("curve", [0, 1], [0.1, 0.9], 3)
        counts = np.ones(4)
        writer.add_pr_curve_raw("counted", counts, counts, counts, counts, counts, counts, 3)
        writer.add_mesh("mesh", random.random((1, 4, 3)), global_step=3)
        writer.add_embedding(random.random((3, 2)), ["a", "b", "c"], None, 3, "points")
        writer.add_custom_scalars_multilinechart(["loss"])
    listed = tags(tmp_path)
    assert listed["scalar"] == ["loss"]
    assert listed["tensor"] == ["tensor"]
    assert listed["histogram"] == ["histogram", "raw"]
    assert listed["image"] == ["boxes", "image", "images", "video"]
    assert listed["audio"] == ["audio"]
    assert len(listed["text"]) == 1
    assert listed["pr_curve"] == ["counted", "curve"]
    assert listed["embedding"] == ["points"]
    assert listed["custom_scalars"]
    assert listed["mesh"]


def test_a_scalar_may_be_a_one_element_array(tmp_path: Path) -> None:
    values = [1, 2.0, True, np.float32(4), np.array([[5]]), np.array(6, np.int8), np.nan, 1e300]
    with SummaryWriter(tmp_path) as writer:
        for step, value in enumerate(values):
            writer.add_scalar("x", value, step)
    values = [value for _, value in scalars(tmp_path, "x")]
    np.testing.assert_array_equal(values, [1, 2, 1, 4, 5, 6, np.nan, np.inf])


@pytest.mark.parametrize("value", [np.ones(2), np.empty(0), "1", None, [1, 2], 1j])
def test_the_error_for_an_invalid_scalar_names_the_tag(tmp_path: Path, value: object) -> None:
    with SummaryWriter(tmp_path) as writer, pytest.raises(InvalidValue, match="scalar 'loss'"):
        writer.add_scalar("loss", value, 0)


def test_a_tag_must_be_a_string(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(InvalidValue, match="tag of a scalar is 5"):
            writer.add_scalar(5, 1.0)  # type: ignore[arg-type]
        writer.add_scalar("x", 1.0)
    assert scalars(tmp_path, "x") == [(0, 1.0)]


@pytest.mark.parametrize(
    ("given", "written"),
    [(None, 0), (3, 3), (np.int64(4), 4), (5.7, 5), (np.array(6), 6), (-1, -1)],
)
def test_steps_are_converted_as_in_torch(tmp_path: Path, given: Any, written: int) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("x", 1.0, given)
    assert scalars(tmp_path, "x") == [(written, 1.0)]


@pytest.mark.parametrize("step", ["a", np.nan, np.inf, 1 << 63])
def test_an_invalid_step_is_an_error(tmp_path: Path, step: object) -> None:
    with SummaryWriter(tmp_path) as writer, pytest.raises(InvalidValue, match="step"):
        writer.add_scalar("x", 1.0, step)


def test_double_precision_is_kept(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("single", 0.1, new_style=True)
        writer.add_scalar("double", 0.1, new_style=True, double_precision=True)
    assert scalars(tmp_path, "single") == [(0, float(np.float32(0.1)))]
    assert scalars(tmp_path, "double") == [(0, 0.1)]


def test_add_scalars_writes_one_run_per_scalar(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        for step in range(3):
            writer.add_scalars("a/loss", {"train": step, "test": -step}, step)
    assert scalars(tmp_path, "a/loss", "./a_loss_train") == [(0, 0.0), (1, 1.0), (2, 2.0)]
    assert scalars(tmp_path, "a/loss", "./a_loss_test") == [(0, 0.0), (1, -1.0), (2, -2.0)]


def test_hyperparameters_are_a_separate_run(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1, "adam": True, "none": None}, {"accuracy": 0.9}, None, "a")
        writer.add_hparams({"lr": np.float32(0.5)}, {"accuracy": 0.8})
    ((step, accuracy),) = scalars(tmp_path, "accuracy", "./a")
    assert (step, accuracy) == (0, float(np.float32(0.9)))
    store = loaded(tmp_path)
    try:
        assert len(store.list_train_jobs()) == 2
        assert "hparams" in store.list_tags("./a")
    finally:
        store.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ({"lr": [1, 2]}, {}),
        ({"lr": object()}, {}),
        ([1], {}),
        ({"lr": 1}, {"accuracy": "good"}),
        ({"lr": 0.1}, {}, {"lr": ["0.1"]}),
        ({"lr": 0.1}, {}, {"momentum": [0.1]}),
    ],
)
def test_hyperparameters_of_other_types_are_errors(
    tmp_path: Path, arguments: tuple[Any, ...]
) -> None:
    with SummaryWriter(tmp_path) as writer, pytest.raises(InvalidValue):
        writer.add_hparams(*arguments)
    assert not list(tmp_path.iterdir())


def test_purge_step_hides_earlier_records_from_that_step_on(tmp_path: Path) -> None:
    for start in (0, 3):
        with SummaryWriter(tmp_path, purge_step=start or None) as writer:
            for step in range(start, start + 5):
                writer.add_scalar("x", start + step, step)
    points = scalars(tmp_path, "x")
    assert points == [(0, 0.0), (1, 1.0), (2, 2.0), *((step, 3.0 + step) for step in range(3, 8))]


def test_writing_after_close_starts_another_file(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)
    writer.add_scalar("x", 1, 1)
    writer.close()
    writer.close()
    writer.add_scalar("x", 2, 2)
    writer.close()
    assert len(list(tmp_path.iterdir())) == 2
    assert scalars(tmp_path, "x") == [(1, 1.0), (2, 2.0)]


def test_a_flushed_value_is_in_the_file_with_the_given_time(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, flush_secs=3600, filename_suffix=".mine") as writer:
        writer.add_scalar("x", 1, 1, walltime=12.5)
        writer.add_image("y", np.zeros((1, 2, 2)), 1)
        writer.flush()
        (log,) = tmp_path.iterdir()
        assert log.name.endswith(".mine")
        assert len(payloads(log)) == 3
    store = loaded(tmp_path)
    try:
        assert store.read_scalars("./", "x").wall_time.tolist() == [12.5]
    finally:
        store.close()


def test_the_default_directory_is_named_after_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr_1") as writer:
        writer.add_scalar("x", 1)
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name.endswith("_lr_1")
    assert str(writer.get_logdir()) == f"runs/{run.name}"


def test_a_directory_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecordingFailed, match="file/run"):
        SummaryWriter(tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("add_image", [np.ones((5, 4, 4))]),
        ("add_image", [np.ones((4, 4))]),
        ("add_images", [np.ones((3, 4, 4))]),
        ("add_image_with_boxes", [np.ones((3, 4, 4)), [1, 2, 3, 4]]),
        ("add_video", [np.ones((1, 2, 3, 4))]),
        ("add_video", [np.ones((1, 2, 3, 4, 5)), 0, 0]),
        ("add_audio", [np.ones((2, 2, 2))]),
        ("add_audio", [np.ones(2), 0, 0]),
        ("add_histogram", [np.empty((0, 2))]),
        ("add_histogram", [["a"]]),
        ("add_histogram", [[1], 0, 3, None, 0]),
        ("add_histogram", [[1], 0, "by feeling"]),
        ("add_histogram", [[1], 0, 0]),
        ("add_histogram", [[1], 0, 2.5]),
        ("add_histogram", [[1], 0, [3, 2, 1]]),
        ("add_histogram", [[1], 0, [[1, 2], [3, 4]]]),
        ("add_histogram", [[1], 0, None]),
        ("add_image_with_boxes", [np.ones((3, 4, 4)), [[1, 2, 3, np.nan]]]),
        ("add_image_with_boxes", [np.ones((3, 4, 4)), [[1, 2, 3, 4]], 0, None, 0]),
        ("add_audio", [np.ones(2), 0, "fast"]),
        ("add_histogram_raw", [0, 1, 2, 3, 4, [1, 2], [1]]),
        ("add_tensor", ["text"]),
        ("add_text", [b"bytes"]),
        ("add_pr_curve", [[1, 0], [0.5]]),
        ("add_pr_curve_raw", [[1], [1], [1], [1], [1], [1, 2]]),
        ("add_mesh", [np.ones((4, 2))]),
    ],
)
def test_the_error_for_a_wrong_shape_names_the_tag(
    tmp_path: Path, method: str, arguments: list[Any]
) -> None:
    with SummaryWriter(tmp_path) as writer, pytest.raises(InvalidValue, match="'mine'"):
        getattr(writer, method)("mine", *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("add_scalar", [1.0]),
        ("add_image", [np.ones((3, 4, 4))]),
        ("add_video", [np.ones((1, 2, 3, 4, 4))]),
        ("add_histogram", [[1.0]]),
        ("add_tensor", [[1.0]]),
        ("add_text", ["text"]),
        ("add_audio", [np.ones(2)]),
        ("add_pr_curve", [[1, 0], [0.5, 0.5]]),
        ("add_mesh", [np.ones((4, 3))]),
    ],
)
def test_every_method_rejects_a_tag_that_is_not_a_string(
    tmp_path: Path, method: str, arguments: list[Any]
) -> None:
    with SummaryWriter(tmp_path) as writer, pytest.raises(InvalidValue, match=r"tag of a .* is 5"):
        getattr(writer, method)(5, *arguments)
    assert not list(tmp_path.iterdir())


def test_bucket_edges_are_copied(tmp_path: Path) -> None:
    edges = [0.0, 1.0, 2.0]
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("h", [0.5, 1.5], 0, edges)
        edges[:] = [7.0]
    ((_, value),) = tensorboard_values(tmp_path)
    assert list(value.histo.bucket_limit) == [0.0, 1.0, 2.0]


def test_margin_charts_need_three_tags(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(InvalidValue, match="three"):
            writer.add_custom_scalars_marginchart(["a", "b"])
        writer.add_custom_scalars_marginchart(["a", "b", "c"])
    ((_, value),) = tensorboard_values(tmp_path)
    assert value.metadata.plugin_data.plugin_name == "custom_scalars"


def test_raw_messages_are_written_unchanged(tmp_path: Path) -> None:
    from tests.proto import tensorboard_pb2 as proto

    summary = proto.Summary(value=[proto.Summary.Value(tag=b"x", simple_value=4)])
    with SummaryWriter(tmp_path) as writer:
        writer._get_file_writer().add_summary(summary, 3)
        writer.file_writer.add_event(proto.Event(summary=summary), 4)
    assert scalars(tmp_path, "x") == [(3, 4.0), (4, 4.0)]


def test_a_figure_is_drawn_and_closed(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot as plt

    def figure(width: int) -> Any:
        drawing, axes = plt.subplots(figsize=(width, 2), dpi=50)
        axes.plot([1, 2])
        return drawing

    with SummaryWriter(tmp_path) as writer:
        writer.add_figure("one", figure(3))
        writer.add_figure("kept", kept := figure(3), close=False)
        writer.add_figure("several", [figure(3), figure(3)])
        with pytest.raises(InvalidValue, match="sizes"):
            writer.add_figure("mixed", [figure(3), figure(4)])
    assert plt.get_fignums() == [kept.number]
    plt.close(kept)
    sizes = {
        value.tag.decode(): (value.image.width, value.image.height)
        for _, value in tensorboard_values(tmp_path)
    }
    assert sizes == {"one": (150, 100), "kept": (150, 100), "several": (300, 100)}


def test_an_onnx_file_is_recorded_as_a_graph(tmp_path: Path) -> None:
    from tests.summary.values.test_onnx_graph import MODEL

    with SummaryWriter(tmp_path) as writer:
        writer.add_onnx_graph(io.BytesIO(MODEL))
    assert tags(tmp_path)["graph"]
