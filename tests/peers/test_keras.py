"""SummaryCollector with Keras 3 on torch."""

from __future__ import annotations

import os
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

pytestmark = pytest.mark.filterwarnings("ignore")  # torch warns about Keras


@pytest.fixture(scope="module", autouse=True)
def backend() -> None:
    os.environ.setdefault("KERAS_BACKEND", "torch")


def images() -> tuple[Any, Any]:
    generator = np.random.default_rng(0)
    return generator.random((24, 8, 8, 1), np.float32), generator.integers(0, 3, 24)


def classifier() -> Any:
    """Two branches, and a model in the model."""
    import keras

    keras.utils.set_random_seed(0)
    given = keras.Input((8, 8, 1), name="images")
    left = keras.layers.Conv2D(4, 3, name="left")(given)
    right = keras.layers.Conv2D(4, 3, name="right")(given)
    head = keras.Sequential(
        [keras.Input((6, 6, 4)), keras.layers.Flatten(), keras.layers.Dense(3, name="out")],
        name="head",
    )
    return compiled(keras.Model(given, head(keras.layers.Add(name="both")([left, right]))))


def compiled(model: Any) -> Any:
    import keras

    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(0.1), loss=loss, metrics=["accuracy"])
    return model


def fit(model: Any, collector: Any, **options: Any) -> Any:
    inputs, targets = images()
    options = {"batch_size": 4, "epochs": 2, "verbose": 0, "shuffle": False} | options
    return model.fit(inputs, targets, callbacks=[collector], **options)


def test_a_training_with_validation_and_evaluation(
    tmp_path: Path, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    from mindviz.summary.adapters.keras import SummaryCollector

    requested = {"collect_landscape": {"landscape_size": 3, "intervals": [[10, 11, 12]]}}
    collector = SummaryCollector(tmp_path, 5, collect_specified_data=requested, data=images())
    model = classifier()
    history = fit(model, collector, validation_data=images()).history
    measured = model.evaluate(*images(), verbose=0, return_dict=True, callbacks=[collector])
    assert warnings_in(caplog) == []
    log = CollectedLog(read(tmp_path))
    assert log.findings() == []

    assert log.tags("scalar") == [
        f"{name}/auto" for name in ("accuracy", "loss", "val_accuracy", "val_loss")
    ]
    assert list(log.scalars("loss/auto")) == [1, 5, 10]
    means = dict(zip([6, 12], history["val_loss"], strict=True))
    assert log.scalars("val_loss/auto") == {k: pytest.approx(v) for k, v in means.items()}
    assert log.histogram_counts("left/kernel/auto") == {1: 36, 5: 36, 10: 36}
    assert len(log.tags("histogram")) == 5
    pictures = log.values("image", "input_data/auto")
    assert [(one.width, one.height) for one in pictures.values()] == [(64, 8)] * 3

    train, evaluation = log.facts().train, log.facts().evaluation
    assert train is not None
    assert (train.network, train.optimizer) == ("Functional", "SGD")
    assert train.loss_function == "SparseCategoricalCrossentropy"
    assert train.learning_rate == pytest.approx(0.1)
    assert (train.epoch, train.device_num, train.train_dataset_count) == (2, 1, 24)
    assert evaluation is not None
    assert evaluation.metric == {name: pytest.approx(value) for name, value in measured.items()}

    # The data of the landscape are those of the evaluation.
    assert set(log.landscapes()) == {"landscape_[10, 12]", "landscape_[12]"}
    around = log.landscapes()["landscape_[12]"]
    assert around.points.z[1, 1] == pytest.approx(measured["loss"], rel=1e-4)
    assert np.ptp(around.points.z) > 0


def test_the_graph_is_that_of_the_layers(tmp_path: Path, read: Read) -> None:
    from mindviz.summary.adapters.keras import SummaryCollector

    fit(classifier(), SummaryCollector(tmp_path), epochs=1)
    nodes = {node.type: node for node in CollectedLog(read(tmp_path)).operators()}
    assert set(nodes) >= {"InputLayer", "Add", "Flatten", "Dense"}
    add, dense = nodes["Add"], nodes["Dense"]
    assert (add.name.rpartition("-op")[0], add.shapes) == ("Default/both/Add", ((-1, 6, 6, 4),))
    sources = {name.rpartition("-op")[0] for name in add.inputs}
    assert sources == {"Default/left/Conv2D", "Default/right/Conv2D"}
    assert dense.name.startswith("Default/head/out/Dense-op")
    inner = [node for node in CollectedLog(read(tmp_path)).operators() if node.type == "InputLayer"]
    assert any(set(node.inputs) == {add.name} for node in inner)


def test_a_model_that_is_a_subclass_has_no_graph(
    tmp_path: Path, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    import keras

    from mindviz.summary.adapters.keras import SummaryCollector

    class Own(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.flatten, self.dense = keras.layers.Flatten(), keras.layers.Dense(3)

        def call(self, inputs: Any) -> Any:
            return self.dense(self.flatten(inputs))

    fit(compiled(Own()), SummaryCollector(tmp_path, 5))
    (warning,) = warnings_in(caplog)
    assert "Own is a subclass" in warning
    log = CollectedLog(read(tmp_path))
    assert list(log.scalars("loss/auto")) == [1, 5, 10]
    assert log.tags("graph") == []


def test_without_data_there_is_no_landscape(
    tmp_path: Path, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    from mindviz.summary.adapters.keras import SummaryCollector

    requested = {"collect_landscape": {"landscape_size": 3}}
    fit(classifier(), SummaryCollector(tmp_path, collect_specified_data=requested))
    (warning,) = warnings_in(caplog)
    assert "Cannot collect the landscape" in warning
    assert "losses need data" in warning
    assert CollectedLog(read(tmp_path)).landscapes() == {}


def test_the_documented_example_works(tmp_path: Path, read: Read) -> None:
    run_example("Keras", tmp_path)
    log = CollectedLog(read(tmp_path / "logs" / "run1"))
    assert list(log.scalars("loss/auto")) == [1, 10, 20]
    assert log.facts().evaluation is not None
    assert log.operators() != []
