"""torch and tensorboardX: in one process with mindviz, and their logs.

The reference is TensorBoard's EventFileLoader, which shares no code with ours: it converts every
old kind of value to a tensor first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    Read = Callable[[Path], LogStore]
    Values = dict[tuple[str, str, str], list[tuple[int, float, Any]]]

# torch's own graph writer uses deprecated functions.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")

STEPS = 25


def write_everything(writer: Any, generator: np.random.Generator) -> None:
    """All kinds that torch and tensorboardX have in common."""
    for step in range(STEPS):
        writer.add_scalar("loss", 1 / (step + 1), step, walltime=1e9 + step)
        writer.add_scalar("odd", [np.nan, np.inf, -np.inf][step % 3], step)
        writer.add_scalars("both", {"train": step, "test": -step}, step)
        writer.add_histogram("weights", generator.normal(size=200), step)
        writer.add_image("image", generator.integers(0, 255, (3, 5, 7), np.uint8), step)
        writer.add_images("images", generator.random((4, 3, 5, 7)), step)
        writer.add_text("notes", f"step **{step}**", step)
        writer.add_audio("sound", generator.uniform(-1, 1, 800).astype(np.float32), step, 8000)
        writer.add_pr_curve("pr", generator.integers(0, 2, 50), generator.random(50), step)
    writer.add_mesh("mesh", vertices=generator.random((1, 4, 3), np.float32), global_step=0)
    writer.add_custom_scalars({"page": {"chart": ["Multiline", ["loss"]]}})
    writer.add_hparams({"lr": 0.1, "name": "adam", "on": True}, {"hparam/accuracy": 0.9})
    writer.close()


@pytest.fixture(scope="module")
def torch_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from torch.utils.tensorboard import SummaryWriter

    directory = tmp_path_factory.mktemp("torch")
    writer = SummaryWriter(str(directory))
    for step in range(STEPS):
        writer.add_scalar("new", step / 3, step, new_style=True)
        writer.add_scalar("double", step / 3, step, double_precision=True)
        writer.add_tensor("tensor", torch.arange(6, dtype=torch.float32).reshape(2, 3) * step, step)
    writer.add_graph(torch.nn.Linear(3, 2), torch.zeros(1, 3))
    write_everything(writer, np.random.default_rng(3))
    return directory


@pytest.fixture(scope="module")
def tensorboardx_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tensorboardX import SummaryWriter

    directory = tmp_path_factory.mktemp("tensorboardx")
    write_everything(SummaryWriter(str(directory)), np.random.default_rng(4))
    return directory


@pytest.fixture(params=["torch_log", "tensorboardx_log"])
def log(request: pytest.FixtureRequest) -> Path:
    path = request.getfixturevalue(request.param)
    assert isinstance(path, Path)
    return path


@pytest.fixture
def values(log: Path) -> Values:
    """(train_id, plugin, tag) -> step, wall time, tensor as an array; as TensorBoard sees them."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.util.tensor_util import make_ndarray

    found: Values = {}
    plugins: dict[tuple[str, str], str] = {}
    for path in sorted(log.rglob("*tfevents*")):
        train_id = "./" + path.parent.relative_to(log).as_posix().removeprefix(".")
        for event in EventFileLoader(str(path)).Load():
            for value in event.summary.value:
                name = value.metadata.plugin_data.plugin_name
                plugin = plugins.setdefault((train_id, value.tag), name)
                found.setdefault((train_id, plugin, value.tag), []).append(
                    (event.step, event.wall_time, make_ndarray(value.tensor))
                )
    return found


def of_plugin(values: Values, plugin: str) -> Values:
    chosen = {key: points for key, points in values.items() if key[1] == plugin}
    assert chosen
    return chosen


def test_torch_tensorboard_and_mindviz_live_in_one_process(
    import_beside: Callable[[str], None],
) -> None:
    import_beside("import tensorboard.compat.proto.event_pb2, tensorboard.main")
    import_beside("import torch.utils.tensorboard, tensorboardX.proto.event_pb2")


def test_scalars_are_equal(read: Read, log: Path, values: Values) -> None:
    store = read(log)
    for (train_id, _, tag), points in of_plugin(values, "scalars").items():
        series = store.read_scalars(train_id, tag)
        step, wall_time, value = zip(*points, strict=True)
        np.testing.assert_array_equal(series.step, step, tag)
        np.testing.assert_array_equal(series.wall_time, wall_time, tag)
        np.testing.assert_array_equal(series.value, [item.item() for item in value], tag)


def test_every_train_job_and_scalar_tag_is_found(read: Read, log: Path, values: Values) -> None:
    store = read(log)
    tags: dict[str, list[str]] = {}
    for train_id, _, tag in of_plugin(values, "scalars"):
        tags.setdefault(train_id, []).append(tag)
    assert {job.train_id for job in store.list_train_jobs()} == {key[0] for key in values}
    for train_id, names in tags.items():
        assert list(store.list_tags(train_id)["scalar"]) == sorted(names)


def test_histograms_are_equal(read: Read, log: Path, values: Values) -> None:
    store = read(log)
    for (train_id, _, tag), points in of_plugin(values, "histograms").items():
        series = store.read_values(train_id, "histogram", tag)
        assert series.step.tolist() == [step for step, _, _ in points]
        for index, (_, _, rows) in enumerate(points):
            seen: Any = series.read(index)
            # TensorBoard narrows the edges to float32 on the way.
            np.testing.assert_array_equal(seen.buckets.astype(rows.dtype), rows)


def test_images_are_equal(read: Read, log: Path, values: Values) -> None:
    store = read(log)
    for (train_id, _, tag), points in of_plugin(values, "images").items():
        series = store.read_values(train_id, "image", tag)
        assert series.step.tolist() == [step for step, _, _ in points]
        for index, (_, _, (width, height, *encoded)) in enumerate(points):
            seen: Any = series.read(index)
            assert (seen.width, seen.height) == (int(width), int(height))
            assert list(seen.encoded) == encoded


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("text", "text"),
        ("audio", "audio"),
        ("pr_curves", "pr_curve"),
        ("mesh", "mesh"),
        ("hparams", "hparams"),
        ("custom_scalars", "custom_scalars"),
    ],
)
def test_every_step_of_other_kinds_is_listed(
    read: Read, log: Path, values: Values, theirs: str, ours: str
) -> None:
    store = read(log)
    for (train_id, _, tag), points in of_plugin(values, theirs).items():
        series = store.read_values(train_id, ours, tag)
        # Steps that are written twice are served once: the later value counts.
        assert series.step.tolist() == sorted({step for step, _, _ in points})
        series.read(len(series.step) - 1)


def test_tensors_are_equal(read: Read, torch_log: Path) -> None:
    series = read(torch_log).read_values("./", "tensor", "tensor")
    assert series.step.tolist() == list(range(STEPS))
    for step in range(STEPS):
        seen: Any = series.read(step)
        np.testing.assert_array_equal(
            seen.data, np.arange(6, dtype=np.float32).reshape(2, 3) * step
        )


def test_the_graph_is_read(read: Read, torch_log: Path) -> None:
    assert read(torch_log).list_tags("./")["graph"]


def test_the_same_arrays_have_parity_with_ours(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    from tests.parity_logs import rows, scalars, unequal_writers

    values = scalars()
    with SummaryWriter(str(tmp_path / "peer")) as writer:
        for step, row in rows(values):
            for tag, value in row.items():
                writer.add_scalar(tag, value, step)
    assert unequal_writers(tmp_path / "peer", tmp_path, values) == []


def test_the_same_values_have_parity_with_ours(tmp_path: Path) -> None:
    import torch
    from torch.utils.tensorboard import SummaryWriter

    from tests.parity_values import RATE, steps, unequal_writers

    with SummaryWriter(str(tmp_path / "peer")) as writer:
        for step, one in enumerate(steps()):
            writer.add_tensor("tensor", torch.from_numpy(one.tensor), step)
            edges, counts = one.edges, one.counts
            writer.add_histogram_raw(
                "histogram", edges[0], edges[-1], counts.sum(), 0, 0, edges[1:], counts, step
            )
            writer.add_image("image", one.pixels, step, dataformats="HWC")
            writer.add_audio("audio", torch.from_numpy(one.sound), step, RATE)
            writer.add_text("text", one.text, step)
    plugins = "tensor histogram image audio text"
    text = "text/text_summary"
    assert unequal_writers(tmp_path / "peer", tmp_path, plugins, text=text) == []
