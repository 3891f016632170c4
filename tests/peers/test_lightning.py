"""SummaryCollector with Lightning."""

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

pytestmark = pytest.mark.filterwarnings("ignore")  # Lightning warns about small data


def module() -> Any:
    """A network for 8 x 8 images that logs all kinds of metrics."""
    import lightning
    import torch
    from torch import nn

    class Classifier(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.flatten, self.dense = (
                nn.Conv2d(1, 4, 3),
                nn.Flatten(),
                nn.Linear(144, 3),
            )
            self.loss_fn = nn.CrossEntropyLoss()
            self.losses: list[float] = []

        def forward(self, images: Any) -> Any:
            return self.dense(self.flatten(self.conv(images).relu()))

        def training_step(self, batch: Any, batch_idx: int) -> Any:
            images, labels = batch
            loss = self.loss_fn(self(images), labels)
            self.log("train_loss", loss)
            self.log("mean_loss", loss, on_step=False, on_epoch=True)
            if self.trainer.training:
                self.losses.append(loss.item())
            return loss

        def validation_step(self, batch: Any, batch_idx: int) -> None:
            self.log("val_loss", self.loss_fn(self(batch[0]), batch[1]))

        def test_step(self, batch: Any, batch_idx: int) -> None:
            self.log("test_loss", self.loss_fn(self(batch[0]), batch[1]))

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    torch.manual_seed(0)
    return Classifier()


def loader() -> Any:
    import torch

    data = torch.utils.data.TensorDataset(torch.rand(24, 1, 8, 8), torch.randint(0, 3, (24,)))
    return torch.utils.data.DataLoader(data, batch_size=4)


def trainer(directory: Path, collector: Any, **options: Any) -> Any:
    import lightning

    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False}
    return lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        default_root_dir=directory,
        callbacks=[collector],
        **(quiet | options),
    )


def test_a_training_with_validation_and_test(
    tmp_path: Path, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    from mindviz.summary.adapters.lightning import SummaryCollector

    requested = {"collect_landscape": {"landscape_size": 3, "intervals": [[1, 2, 3]]}}
    collector = SummaryCollector(tmp_path / "log", 5, collect_specified_data=requested)
    network, runs = module(), trainer(tmp_path, collector)
    runs.fit(network, loader(), loader())
    before = [one.detach().clone() for one in network.parameters()]
    runs.test(network, loader(), verbose=False)
    assert warnings_in(caplog) == []
    log = CollectedLog(read(tmp_path / "log"))
    assert log.findings() == []

    losses = {step: pytest.approx(network.losses[step - 1]) for step in (1, 5, 10)}
    assert log.scalars("loss/auto") == losses
    assert log.scalars("train_loss/auto") == losses
    means = {6: np.mean(network.losses[:6]), 12: np.mean(network.losses[6:12])}
    assert log.scalars("mean_loss/auto") == {k: pytest.approx(v) for k, v in means.items()}
    assert list(log.scalars("val_loss/auto")) == [6, 12]
    assert list(log.scalars("test_loss/auto")) == [12]
    assert log.tags("scalar") == [
        f"{name}/auto" for name in ("loss", "mean_loss", "test_loss", "train_loss", "val_loss")
    ]
    assert log.histogram_counts("conv.weight/auto") == {1: 36, 5: 36, 10: 36}
    assert list(log.values("image", "input_data/auto")) == [1, 5, 10]

    facts = log.facts()
    assert facts.train is not None
    assert (facts.train.network, facts.train.optimizer) == ("Classifier", "SGD")
    assert (facts.train.loss_function, facts.train.epoch) == ("CrossEntropyLoss", 2)
    assert (facts.train.batch_size, facts.train.train_dataset_count) == (4, 24)
    assert facts.train.model_size
    assert facts.evaluation is not None
    assert list(facts.evaluation.metric) == ["test_loss"]
    assert "DataLoader" in str(facts.dataset_graph)
    assert {"conv2d", "relu", "linear"} <= {node.type for node in log.operators()}

    assert set(log.landscapes()) == {"landscape_[1, 3]", "landscape_[3]"}
    assert np.ptp(log.landscapes()["landscape_[3]"].points.z) > 0
    assert all(bool((a == b).all()) for a, b in zip(before, network.parameters(), strict=True))


def test_a_step_is_over_when_its_gradients_are_gathered(tmp_path: Path, read: Read) -> None:
    from mindviz.summary.adapters.lightning import SummaryCollector

    collector = SummaryCollector(tmp_path / "log", 1)
    trainer(tmp_path, collector, accumulate_grad_batches=3).fit(module(), loader())
    assert list(CollectedLog(read(tmp_path / "log")).scalars("loss/auto")) == [1, 2, 3, 4]


def test_a_training_that_breaks_off_keeps_its_lineage(tmp_path: Path, read: Read) -> None:
    from mindviz.summary.adapters.lightning import SummaryCollector

    class Unlucky(Exception):
        pass

    network = module()
    step = network.training_step

    def unlucky(batch: Any, batch_idx: int) -> Any:
        if batch_idx == 4:
            raise Unlucky
        return step(batch, batch_idx)

    network.training_step = unlucky
    with pytest.raises(Unlucky):
        trainer(tmp_path, SummaryCollector(tmp_path / "log", 2)).fit(network, loader())
    log = CollectedLog(read(tmp_path / "log"))
    assert list(log.scalars("loss/auto")) == [1, 2, 4]
    train = log.facts().train
    assert train is not None
    assert train.loss == pytest.approx(network.losses[3])


def test_the_documented_example_works(tmp_path: Path, read: Read) -> None:
    run_example("Lightning", tmp_path)
    log = CollectedLog(read(tmp_path / "logs" / "run1"))
    assert list(log.scalars("loss/auto")) == [1, 10, 20]
    assert log.facts().evaluation is not None
    assert log.operators() != []
