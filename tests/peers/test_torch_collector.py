"""SummaryCollector with torch: a small training, read with mindviz."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.peers.collected_logs import CollectedLog, run_example, warnings_in

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    Read = Callable[[Path], LogStore]

LANDSCAPE = {"landscape_size": 4, "intervals": [[1, 2, 3, 4], [6, 7, 8]], "num_samples": 16}


class Run:
    """A convolutional network that learns 24 images in batches of 4 by heart."""

    def __init__(self) -> None:
        import torch
        from torch import nn

        torch.manual_seed(0)
        self.network = nn.Sequential()
        self.network.add_module("conv", nn.Conv2d(1, 4, 3))
        self.network.add_module("norm", nn.BatchNorm2d(4))
        self.network.add_module("head", nn.Sequential(nn.Flatten(), nn.Linear(144, 3)))
        self.data = torch.utils.data.TensorDataset(
            torch.rand(24, 1, 8, 8), torch.randint(0, 3, (24,))
        )
        self.loader = torch.utils.data.DataLoader(self.data, batch_size=4)
        self.optimizer = torch.optim.Adam(self.network.parameters(), 0.01)
        self.loss_fn = nn.CrossEntropyLoss()
        self.losses: list[float] = []

    def collector(self, directory: Path, *arguments: Any, **options: Any) -> Any:
        from mindviz.summary.adapters.torch import SummaryCollector

        given = {"optimizer": self.optimizer, "loss_fn": self.loss_fn, "loader": self.loader}
        return SummaryCollector(directory, *arguments, network=self.network, **(given | options))

    def train(self, collector: Any, epochs: int = 2) -> None:
        for _ in collector.epochs(epochs):
            for inputs, targets in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.network(inputs), targets)
                loss.backward()
                self.optimizer.step()
                self.losses.append(loss.item())


@pytest.fixture
def run() -> Run:
    return Run()


def test_the_collector_records_a_plain_loop(
    tmp_path: Path, run: Run, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    checkpoint = tmp_path / "network.pt"
    torch.save(run.network.state_dict(), checkpoint)
    options = {"collect_specified_data": {"collect_landscape": LANDSCAPE}, "checkpoint": checkpoint}
    with run.collector(
        tmp_path / "log", 5, custom_lineage_data={"fold": 1}, **options
    ) as collector:
        run.train(collector)
        before = {name: one.clone() for name, one in run.network.state_dict().items()}
        run.network.eval()
        with torch.no_grad():
            run.loss_fn(run.network(run.data.tensors[0]), run.data.tensors[1])
        run.network.train()
        collector.evaluated({"accuracy": 0.5}, run.loader)
    assert warnings_in(caplog) == []
    log = CollectedLog(read(tmp_path / "log"))
    assert log.findings() == []

    assert log.tags("scalar") == ["accuracy/auto", "loss/auto"]
    losses = {step: pytest.approx(run.losses[step - 1]) for step in (1, 5, 10)}
    assert log.scalars("loss/auto") == losses
    assert log.scalars("accuracy/auto") == {12: 0.5}
    assert log.tags("histogram") == [
        f"{name}/auto"
        for name in ("conv.bias", "conv.weight", "head.1.weight", "norm.bias", "norm.weight")
    ]
    assert log.histogram_counts("conv.weight/auto") == {1: 36, 5: 36, 10: 36}
    pictures = log.values("image", "input_data/auto")
    assert [(one.width, one.height) for one in pictures.values()] == [(32, 8)] * 3

    facts = log.facts()
    train, evaluation = facts.train, facts.evaluation
    assert train is not None
    assert evaluation is not None
    assert (train.network, train.loss_function) == ("Sequential", "CrossEntropyLoss")
    assert train.optimizer == "Adam"
    assert train.learning_rate == pytest.approx(0.01)
    assert (train.epoch, train.batch_size, train.train_dataset_count) == (2, 4, 24)
    assert (train.device_num, train.model_size) == (1, checkpoint.stat().st_size)
    assert train.loss == pytest.approx(run.losses[-1])
    assert (evaluation.metric, evaluation.test_dataset_count) == ({"accuracy": 0.5}, 24)
    assert facts.user_defined == {"fold": 1}
    assert facts.dataset_graph is not None
    assert "DataLoader" in str(facts.dataset_graph)
    assert "TensorDataset" in str(facts.dataset_graph)

    # Landscapes leave the network unchanged.
    assert set(log.landscapes()) == {"landscape_[1, 4]", "landscape_[6, 8]", "landscape_[8]"}
    along, around = log.landscapes()["landscape_[1, 4]"], log.landscapes()["landscape_[8]"]
    assert along.intervals == (1, 2, 3, 4)
    assert along.points.z.shape == around.points.z.shape == (4, 4)
    assert np.isfinite(along.points.z).all()
    assert np.ptp(along.points.z) > 0
    for name, tensor in run.network.state_dict().items():
        assert torch.equal(tensor, before[name])
    assert run.network.training


def test_the_graph_has_the_modules_as_its_scopes(tmp_path: Path, run: Run, read: Read) -> None:
    with run.collector(tmp_path) as collector:
        run.train(collector, 1)
    nodes = {
        node.name.rpartition("-op")[0]: node for node in CollectedLog(read(tmp_path)).operators()
    }
    conv, linear = (
        nodes["Default/conv-Conv2d/conv2d"],
        nodes["Default/head-Sequential/1-Linear/linear"],
    )
    assert (conv.type, conv.shapes) == ("conv2d", ((4, 4, 6, 6),))
    assert any(name.startswith("Default/head-Sequential/0-Flatten/") for name in linear.inputs)
    assert any("norm-BatchNorm2d" in name for name in nodes)
    assert not any(name.startswith("Default/conv2d") for name in nodes)


def test_the_middle_of_a_landscape_is_the_loss_of_the_network(
    tmp_path: Path, run: Run, read: Read
) -> None:
    import torch

    requested = {"collect_landscape": {"landscape_size": 3, "intervals": [[10, 11, 12]]}}
    with run.collector(tmp_path, collect_specified_data=requested) as collector:
        run.train(collector)
    run.network.eval()
    with torch.no_grad():
        loss = float(run.loss_fn(run.network(run.data.tensors[0]), run.data.tensors[1]))
    found = CollectedLog(read(tmp_path)).landscapes()
    for one in found.values():
        assert one.convergence_point[2] == pytest.approx(loss, rel=1e-5)
    assert found["landscape_[12]"].points.z[1, 1] == pytest.approx(loss, rel=1e-5)


def test_a_loop_may_pass_everything_explicitly(tmp_path: Path, run: Run, read: Read) -> None:
    from torch.nn import functional

    with run.collector(tmp_path, 3, optimizer=None, loss_fn=None, first_step=101) as collector:
        for inputs, targets in run.loader:
            loss = functional.cross_entropy(run.network(inputs), targets)
            collector.observe(loss=loss, samples=len(inputs))
            if collector.collects:
                collector.record.add_value("text", "note", "collected")
            collector.step_end()
        collector.epoch_end()
    log = CollectedLog(read(tmp_path))
    assert list(log.scalars("loss/auto")) == [101, 102, 105]
    assert log.scalars("samples/auto") == {101: 4, 102: 4, 105: 4}
    assert list(log.values("text", "note")) == [101, 102, 105]


def test_operators_in_the_network_record_training_inputs(
    tmp_path: Path, run: Run, read: Read
) -> None:
    import torch

    from mindviz.summary import ScalarSummary

    log_mean = ScalarSummary()

    class Talking(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(64, 3)

        def forward(self, images: Any) -> Any:
            log_mean("mean", images.mean())
            return self.layer(images.flatten(1))

    run.network = Talking()
    run.optimizer = torch.optim.SGD(run.network.parameters(), 0.1)
    with run.collector(tmp_path, 2):
        for inputs, targets in run.loader:
            with torch.no_grad():
                run.network(torch.full((1, 1, 8, 8), 99.0))
            run.optimizer.zero_grad()
            run.loss_fn(run.network(inputs), targets).backward()
            run.optimizer.step()
    log = CollectedLog(read(tmp_path))
    assert log.tags("scalar") == ["loss/auto", "mean"]
    assert list(log.scalars("mean")) == [1, 2, 4, 6]
    assert max(log.scalars("mean").values()) < 1
    assert "linear" in {node.type for node in log.operators()}


def test_a_network_that_cannot_be_traced_is_still_trained_and_collected(
    tmp_path: Path, run: Run, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    class Wilful(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(64, 3)

        def forward(self, images: Any) -> Any:
            assert float(images.sum()) > 0
            return self.layer(images.flatten(1))

    run.network = Wilful()
    run.optimizer = torch.optim.SGD(run.network.parameters(), 0.1)
    with run.collector(tmp_path, 5) as collector:
        run.train(collector)
    (warning,) = warnings_in(caplog)
    assert warning.startswith("Cannot collect the graph: torch.export failed")
    log = CollectedLog(read(tmp_path))
    assert list(log.scalars("loss/auto")) == [1, 5, 10]
    assert log.tags("graph") == []


def test_tokens_are_not_an_image(
    tmp_path: Path, run: Run, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    run.data = torch.utils.data.TensorDataset(
        torch.randint(0, 9, (8, 6)), torch.randint(0, 2, (8,))
    )
    run.loader = torch.utils.data.DataLoader(run.data, batch_size=4)
    run.network = torch.nn.Sequential(
        torch.nn.Embedding(9, 2), torch.nn.Flatten(), torch.nn.Linear(12, 2)
    )
    run.optimizer = torch.optim.SGD(run.network.parameters(), 0.1)
    with run.collector(tmp_path) as collector:
        run.train(collector)
    (warning,) = warnings_in(caplog)
    assert "Cannot collect input_data/auto" in warning
    assert "its shapes are [4, 6]" in warning
    log = CollectedLog(read(tmp_path))
    assert log.tags("image") == []
    assert "embedding" in {node.type for node in log.operators()}


def test_the_hooks_are_gone_afterwards(tmp_path: Path, run: Run) -> None:
    with run.collector(tmp_path) as collector:
        run.train(collector, 1)
    assert not run.network._forward_pre_hooks
    assert not run.loss_fn._forward_hooks
    files = {path: path.stat().st_size for path in tmp_path.iterdir()}
    run.train(collector, 1)
    assert {path: path.stat().st_size for path in tmp_path.iterdir()} == files


def test_datasets_within_datasets_and_their_transforms(tmp_path: Path) -> None:
    import torch

    from mindviz.summary.adapters import torch_data

    class Folder(torch.utils.data.Dataset[int]):
        root = tmp_path
        transform = type("Compose", (), {"transforms": [len, torch.nn.Flatten()]})()

        def __len__(self) -> int:
            return 10

        def __getitem__(self, index: int) -> int:
            return index

    several = torch.utils.data.ConcatDataset([Folder(), torch.utils.data.Subset(Folder(), [1, 2])])
    loader = torch.utils.data.DataLoader(several, batch_size=3, drop_last=True)
    assert torch_data.dataset_facts(loader) == (str(tmp_path), 12)
    assert torch_data.batch_size_of(loader) == 3
    graph: Any = torch_data.dataset_graph_of(loader)
    assert (graph["batch_size"], graph["drop_last"]) == (3, True)
    assert graph["sampler"] == {"sampler_name": "SequentialSampler"}
    (concat,) = graph["children"]
    folder, subset = concat["children"]
    assert folder["operations"] == [
        {"tensor_op_name": "builtin_function_or_method"},
        {"tensor_op_name": "Flatten"},
    ]
    assert subset["children"] == [folder]


def test_the_documented_example_works(tmp_path: Path, read: Read) -> None:
    run_example("PyTorch", tmp_path)
    log = CollectedLog(read(tmp_path / "logs" / "run1"))
    assert list(log.scalars("loss/auto")) == [1, 10, 20, 30, 40]
    assert log.facts().evaluation is not None
    assert log.operators() != []
