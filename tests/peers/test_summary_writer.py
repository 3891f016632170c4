"""Our SummaryWriter and torch's: the same calls, read with TensorBoard and mindviz."""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    Read = Callable[[Path], LogStore]
    Values = dict[tuple[str, str, str], list[tuple[int, float, Any]]]

# torch's own graph writer uses deprecated functions; its bfloat16 goes through float16.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")

STEPS = 5
START = 1_700_000_000.5


def network() -> Any:
    import torch

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.convolution = torch.nn.Conv2d(1, 2, 3)
            self.head = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(8, 3))

        def forward(self, x: Any) -> Any:
            return self.head(torch.relu(self.convolution(x))) + 1

    return Net()


def record(writer: Any) -> None:
    """Everything that the two have in common; arrays are torch's."""
    import torch

    random = torch.Generator().manual_seed(0)

    def normal(*shape: int) -> Any:
        return torch.randn(*shape, generator=random)

    def shares(*shape: int) -> Any:
        return torch.rand(*shape, generator=random)

    for step in range(STEPS):
        at = START + step
        writer.add_scalar("loss", normal(1).requires_grad_(), step, at)
        writer.add_scalar("odd", [np.nan, np.inf, -np.inf][step % 3], step, walltime=at)
        writer.add_scalar("numpy", np.float64(step), np.int64(step), walltime=at)
        writer.add_scalar("new", step / 3, step, at, new_style=True)
        writer.add_scalar("double", step / 3, step, at, new_style=True, double_precision=True)
        writer.add_scalars("a/pair", {"train": step, "test": torch.tensor(-step)}, step, at)
        writer.add_tensor("tensor", normal(2, 3), step, at)
        writer.add_tensor("whole", torch.arange(4) * step, step, at)
        writer.add_histogram("weights", normal(300) * 10.0**step, step, walltime=at)
        writer.add_histogram("automatic", normal(300), step, "auto", at)
        writer.add_histogram("few", normal(300), step, walltime=at, max_bins=20)
        writer.add_histogram_raw("raw", 0, 3, 6, 9.5, 17.0, [1, 2, 3], [1, 2, 3], step, at)
        writer.add_image("image", shares(3, 5, 7) * 1.2, step, at)
        writer.add_image("gray", (shares(5, 7) * 255).to(torch.uint8), step, at, dataformats="HW")
        writer.add_image("sideways", shares(7, 5, 3), step, at, "WHC")
        writer.add_images("images", shares(11, 3, 5, 7), step, at)
        writer.add_text("notes", f"step **{step}** 你好", step, at)
        writer.add_audio("sound", shares(1, 800) * 2 - 1, step, 8000, at)
        labels = (shares(50) > 0.5).int()
        writer.add_pr_curve("curve", labels, shares(50), step, 20, walltime=at)
        writer.add_pr_curve_raw("counted", *shares(6, 5).numpy(), step, 5, walltime=at)
        faces = torch.tensor([[[0, 1, 2], [0, 2, 3]]])
        colors = torch.randint(0, 255, (1, 4, 3), generator=random)
        writer.add_mesh("mesh", normal(1, 4, 3), colors, faces, {"camera": 1}, step, at)
        writer.add_embedding(normal(5, 4), list("abcde"), shares(5, 3, 6, 6), step, "points/2d")
    writer.add_embedding(
        normal(3, 4), [["x", 1], ["y", 2], ["z", 3]], tag="named", metadata_header=["a", "b"]
    )
    writer.add_custom_scalars({"page": {"both": ["Multiline", ["loss", "odd"]]}})
    writer.add_hparams(
        {"lr": 0.1, "name": "adam", "layers": 3}, {"accuracy": 0.9}, {"lr": [0.1, 0.2]}, "best"
    )
    writer.add_graph(network(), torch.zeros(1, 1, 4, 4))
    writer.close()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Ours and torch's."""
    from torch.utils.tensorboard import SummaryWriter as TorchSummaryWriter

    from mindviz.summary.torch import SummaryWriter

    ours, theirs = tmp_path_factory.mktemp("ours"), tmp_path_factory.mktemp("theirs")
    record(SummaryWriter(ours))
    record(TorchSummaryWriter(str(theirs)))
    return ours, theirs


def values(log: Path) -> Values:
    """(train_id, plugin, tag) -> step, wall time, tensor; as TensorBoard sees them."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.util.tensor_util import make_ndarray

    points_of: Values = {}
    plugins: dict[tuple[str, str], str] = {}
    for path in sorted(log.rglob("*tfevents*")):
        train_id = path.parent.relative_to(log).as_posix()
        for event in EventFileLoader(str(path)).Load():
            for value in event.summary.value:
                name = value.metadata.plugin_data.plugin_name
                plugin = plugins.setdefault((train_id, value.tag), name)
                tensor = make_ndarray(value.tensor) if value.HasField("tensor") else None
                point = (event.step, event.wall_time, tensor)
                points_of.setdefault((train_id, plugin, value.tag), []).append(point)
    # Only ours has embeddings in the log, only torch records the device of its graph.
    left_out = {"embedding", "graph_tagged_run_metadata"}
    return {key: points_of[key] for key in points_of if key[1] not in left_out}


def assert_same(plugin: str, ours: Any, theirs: Any) -> None:
    """Whether two tensors are equal."""
    if plugin == "images":
        assert ours[:2].tolist() == theirs[:2].tolist()
        own, peer = (
            np.asarray(Image.open(io.BytesIO(strings[2])).convert("RGB"))
            for strings in (ours, theirs)
        )
        np.testing.assert_array_equal(own, peer)
    elif plugin == "audio":
        own, peer = (samples(strings) for strings in (ours, theirs))
        assert np.abs(own - peer).max() <= 1  # torch cuts off where we round
    elif plugin in {"text", "custom_scalars"}:
        assert ours.tolist() == theirs.tolist()
    elif plugin not in {"hparams", "graphs"}:  # tested separately
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def samples(strings: Any) -> Any:
    with wave.open(io.BytesIO(strings.ravel()[0])) as sound:
        assert (sound.getnchannels(), sound.getframerate()) == (1, 8000)
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(int)


def test_the_methods_accept_torchs_arguments() -> None:
    from torch.utils.tensorboard import SummaryWriter as TorchSummaryWriter

    from mindviz.summary.torch import SummaryWriter

    names = {name for name in vars(TorchSummaryWriter) if not name.startswith("_")} | {"__init__"}
    for name in names:
        ours, theirs = (
            {
                parameter.name: parameter.default
                for parameter in signature(getattr(kind, name)).parameters.values()
                # Two seconds instead of two minutes; our extra arguments are keyword-only.
                if parameter.name != "flush_secs" and parameter.kind is not parameter.KEYWORD_ONLY
            }
            for kind in (SummaryWriter, TorchSummaryWriter)
        )
        assert list(ours.items()) == list(theirs.items()), name


def test_tensorboard_finds_the_same(logs: tuple[Path, Path]) -> None:
    ours, theirs = (values(log) for log in logs)
    assert ours.keys() == theirs.keys()
    for key in theirs:
        steps, their_steps = ([step for step, _, _ in values[key]] for values in (ours, theirs))
        assert steps == their_steps, key
        for (_, time, tensor), (_, their_time, their_tensor) in zip(
            ours[key], theirs[key], strict=True
        ):
            if START <= their_time < START + STEPS:
                assert time == their_time, key
            if their_tensor is not None:
                assert_same(key[1], tensor, their_tensor)


def test_tensorboard_s_accumulator_has_the_same_tags_and_scalars(logs: tuple[Path, Path]) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    ours, theirs = (EventAccumulator(str(log)).Reload() for log in logs)
    tags, their_tags = ours.Tags(), theirs.Tags()
    tags["tensors"] = [tag for tag in tags["tensors"] if tag not in {"points/2d", "named"}]
    assert sorted(tags.pop("tensors")) == sorted(their_tags.pop("tensors"))
    assert tags.pop("graph") is their_tags.pop("graph") is True
    assert (tags.pop("run_metadata"), their_tags.pop("run_metadata")) == ([], ["step1"])
    assert tags == their_tags
    for tag in ("loss", "odd", "numpy"):
        assert str(ours.Scalars(tag)) == str(theirs.Scalars(tag))


def test_mindviz_finds_the_same(read: Read, logs: tuple[Path, Path]) -> None:
    ours, theirs = (read(log) for log in logs)
    jobs = {job.train_id for job in theirs.list_train_jobs()}
    assert {job.train_id for job in ours.list_train_jobs()} == jobs
    for job in jobs:
        tags, their_tags = dict(ours.list_tags(job)), dict(theirs.list_tags(job))
        their_tags.pop("run_metadata", None)
        assert tags == their_tags
        for tag in tags.get("scalar", ()):
            own, peer = ours.read_scalars(job, tag), theirs.read_scalars(job, tag)
            assert own.step.tolist() == peer.step.tolist()
            np.testing.assert_array_equal(own.value, peer.value)
        for tag in tags.get("histogram", ()):
            mine, their = (of.read_values(job, "histogram", tag) for of in (ours, theirs))
            for row in range(STEPS):
                left: Any = mine.read(row)
                right: Any = their.read(row)
                np.testing.assert_allclose(left.buckets, right.buckets, rtol=1e-6)
    assert ours.list_tags("./")["embedding"] == ["named", "points/2d"]


def test_the_hyperparameters_are_equal(logs: tuple[Path, Path]) -> None:
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    contents_of = []
    for log in logs:
        (path,) = (log / "best").iterdir()
        contents = [
            HParamsPluginData.FromString(value.metadata.plugin_data.content)
            for event in EventFileLoader(str(path)).Load()
            for value in event.summary.value
            if value.metadata.plugin_data.plugin_name == "hparams"
        ]
        contents_of.append(contents)
    assert contents_of[0] == contents_of[1]
    assert len(contents_of[0]) == 3


def test_the_projector_finds_the_same(logs: tuple[Path, Path]) -> None:
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    ours, theirs = (
        {
            embedding.tensor_name: embedding
            for embedding in text_format.Parse(
                (log / "projector_config.pbtxt").read_text("utf-8"), ProjectorConfig()
            ).embeddings
        }
        for log in logs
    )
    assert ours == theirs
    assert len(ours) == STEPS + 1
    for embedding in ours.values():
        points, their_points = (np.loadtxt(log / embedding.tensor_path) for log in logs)
        np.testing.assert_allclose(points, their_points, rtol=1e-6)
        labels, their_labels = ((log / embedding.metadata_path).read_bytes() for log in logs)
        assert labels == their_labels
        if embedding.sprite.image_path:
            left, right = (Image.open(log / embedding.sprite.image_path) for log in logs)
            np.testing.assert_array_equal(np.asarray(left), np.asarray(right))


def test_a_graph_has_torch_s_operations_in_torch_s_scopes(logs: tuple[Path, Path]) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    ours, theirs = (
        {(node.op, node.name.rpartition("/")[0]) for node in graph.node if "aten" in node.op}
        for graph in (EventAccumulator(str(log)).Reload().Graph() for log in logs)
    )
    assert ours == theirs
    assert ("aten::_convolution", "Net/Conv2d[convolution]") in ours


def test_tracing_a_graph_leaves_the_network_as_it_was() -> None:
    import torch

    from mindviz.summary.values.traced_graph import traced_graph

    model = network()
    model.head.eval()
    graph = traced_graph(model, torch.zeros(1, 1, 4, 4))
    assert model.training
    assert not model.head.training
    names = [node.name for node in graph.node]
    assert len(names) == len(set(names))
    known = {*names, *(f"{name}:{output}" for name in names for output in range(3))}
    assert {source for node in graph.node for source in node.input} <= known
    assert "Net/Sequential[head]/Linear[1]/weight" in names
    shapes = {node.name: node.attr["_output_shapes"].list.shape for node in graph.node}
    assert [size.size for size in shapes["input/x"][0].dim] == [1, 1, 4, 4]


def test_untraceable_networks_are_reported(tmp_path: Path) -> None:
    import torch

    from mindviz.errors import InvalidValue
    from mindviz.summary.torch import SummaryWriter

    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(InvalidValue, match="Cannot trace Net"):
            writer.add_graph(network(), torch.zeros(2, 2))
        with pytest.raises(InvalidValue, match="it is not a torch module"):
            writer.add_graph(object())


@pytest.mark.parametrize("kind", ["bfloat16", "float16", "complex64", "bool", "int8"])
def test_tensors_of_every_type_keep_their_numbers(tmp_path: Path, kind: str) -> None:
    import torch
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util.tensor_util import make_ndarray

    from mindviz.summary.torch import SummaryWriter

    tensor = torch.tensor([0, 1, 0.5]).to(getattr(torch, kind))
    with SummaryWriter(tmp_path) as writer:
        writer.add_tensor("x", tensor)
    (point,) = EventAccumulator(str(tmp_path)).Reload().Tensors("x")
    assert make_ndarray(point.tensor_proto).tolist() == tensor.tolist()
