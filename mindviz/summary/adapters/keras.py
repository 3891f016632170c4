"""The collector for Keras 3, on any of its backends: a callback of `fit` and `evaluate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import keras

from mindviz.errors import InvalidValue
from mindviz.summary.adapters.keras_graph import graph_of
from mindviz.summary.collecting import collector
from mindviz.summary.collecting.training import LossAt, Training
from mindviz.summary.record import SummaryRecord
from mindviz.summary.values.arrays import Array
from mindviz.summary.values.lineage import EvalLineage, TrainLineage


class KerasTraining(Training):
    """A `fit` that runs."""

    filter_axis = -1

    def __init__(self, network: Any, parameters: Mapping[str, Any], data: Any) -> None:
        """`parameters`: those of callbacks. `data`: (inputs, targets), or None."""
        self._network = network
        self._epochs = parameters.get("epochs")
        steps = parameters.get("steps")
        self.step_per_epoch = steps or 1
        self.total = self._epochs * steps if self._epochs and steps else None
        self._data = data

    def parameters(self) -> Iterable[tuple[str, object]]:
        """By the paths of their variables."""
        self._synchronise()
        return [(one.path, one) for one in self._network.trainable_variables]

    def graph(self) -> bytes:
        """The layers."""
        return graph_of(self._network)

    def lineage(self) -> TrainLineage:
        """What the compiled model tells; Keras tells callbacks nothing about its data."""
        self._synchronise()
        network = self._network
        rate = getattr(network.optimizer, "learning_rate", None)
        distributed = keras.distribution.distribution() is not None
        devices = len(keras.distribution.list_devices()) if distributed else 1
        return TrainLineage(
            network=type(network).__name__,
            optimizer=None if network.optimizer is None else type(network.optimizer).__name__,
            learning_rate=None if rate is None else float(keras.ops.convert_to_numpy(rate)),
            loss_function=_name_of(network.loss),
            epoch=self._epochs,
            parallel_mode="data_parallel" if distributed else "stand_alone",
            device_num=devices,
            train_dataset_size=None if self._data is None else len(self._data[0]),
        )

    def inputs(self, number: int = 8) -> object:
        """The first samples of the data, if there are any."""
        return None if self._data is None else self._data[0][:number]

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Losses without dropout and the like, over the first samples of the data."""
        if self._data is None:
            raise InvalidValue("no data were given, so no loss can be computed")
        network = self._network
        inputs, targets = (one[:num_samples] for one in self._data)
        variables = {one.path: one for one in network.trainable_variables}
        kept = {path: keras.ops.convert_to_numpy(one).copy() for path, one in variables.items()}

        def loss_at(values: Mapping[str, Array]) -> float:
            for path, value in values.items():
                variables[path].assign(value)
            predicted = network(inputs, training=False)
            loss = network.compute_loss(x=inputs, y=targets, y_pred=predicted, training=False)
            return float(keras.ops.convert_to_numpy(loss))

        try:
            yield loss_at
        finally:
            for path, variable in variables.items():
                variable.assign(kept[path])

    def _synchronise(self) -> None:
        """On jax, `fit` keeps the variables elsewhere until somebody asks for them."""
        if keras.backend.backend() == "jax":
            self._network.jax_state_sync()


class SummaryCollector(keras.callbacks.Callback):
    """Collects a `fit`, and what `evaluate` finds."""

    def __init__(
        self, *arguments: Any, data: tuple[Any, Any] | None = None, **options: Any
    ) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`.

        `data`: (inputs, targets), arrays, since Keras shows callbacks no batches: the first inputs
        are drawn, landscapes are computed from both, and lineage counts them.
        """
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._data = data
        self._training: KerasTraining | None = None
        self._steps = 0
        """Of the epochs that are over."""
        self._step = 0

    @property
    def record(self) -> SummaryRecord | None:
        """For values of your own, in steps that are collected."""
        return self._collector.record

    def on_train_begin(self, logs: Any = None) -> None:
        """The training begins."""
        self._training = KerasTraining(self.model, self.params or {}, self._data)
        self._steps = self._step = 0
        self._collector.begin(self._training)

    def on_train_batch_end(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        """A step is over, or several: `steps_per_execution`."""
        if self._training is None:
            return
        metrics = dict(logs or {})
        self._step = self._steps + batch + 1
        self._collector.step_end(
            self._step,
            loss=metrics.pop("loss", None),
            inputs=self._training.inputs(),
            metrics=metrics,
        )

    def on_epoch_end(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        """An epoch is over, and its validation."""
        self._steps = self._step
        measured = {k: v for k, v in (logs or {}).items() if k.startswith("val_")}
        if measured:
            self._collector.evaluated(EvalLineage(metric=measured), self._step)
        self._collector.epoch_end(epoch + 1)

    def on_test_end(self, logs: Mapping[str, Any] | None = None) -> None:
        """The network was evaluated; what `fit` evaluates is told at the end of the epoch."""
        if self._training is None:
            self._collector.evaluated(EvalLineage(metric=dict(logs or {})))

    def on_train_end(self, logs: Any = None) -> None:
        """The training is over."""
        self._collector.end()
        self._training = None


def _name_of(loss: Any) -> str | None:
    """What `compile` was told: a name, a function or an object of a class."""
    if loss is None or isinstance(loss, str):
        return loss
    name = getattr(loss, "__name__", None)
    return name if isinstance(name, str) else type(loss).__name__
