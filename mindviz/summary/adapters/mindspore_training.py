"""MindSporeTraining: reads MindSpore's callback parameters. Source: mindspore.SummaryCollector."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mindspore
import mindspore.dataset
from mindspore import nn
from mindspore.train.callback import ModelCheckpoint

from mindviz.errors import InvalidValue
from mindviz.summary.collecting.training import LossAt, Training
from mindviz.summary.values.arrays import Array
from mindviz.wire.encode_lineage import TrainLineage

_PATHS = ("dataset_dir", "dataset_files", "dataset_file")
"""Attributes of datasets that name their files."""


class MindSporeTraining(Training):
    """A running `Model.train`."""

    def __init__(self, parameters: Any) -> None:
        """`parameters`: the callback's; MindSpore keeps them up to date."""
        self._given = parameters
        self.step_per_epoch = parameters.batch_num
        epochs = parameters.epoch_num
        self.total = epochs if parameters.dataset_sink_mode else epochs * parameters.batch_num

    def parameters(self) -> Iterable[tuple[str, object]]:
        return [(parameter.name, parameter.asnumpy()) for parameter in self._optimizer().parameters]

    def graph(self) -> bytes:
        """The compiled graph of the training network."""
        compiled: bytes | None = self._given.train_network.get_func_graph_proto()
        if compiled is None:
            raise InvalidValue("the network is not compiled; graphs need GRAPH_MODE")
        return compiled

    def lineage(self) -> TrainLineage:
        training = self._given
        optimizer = self._find_optimizer()
        loss_fn = training.loss_fn or _first_cell(training.train_network, nn.LossBase)
        checkpoint = _latest_checkpoint(training.list_callback)
        path, size = dataset_facts(training.train_dataset)
        return TrainLineage(
            network=type(training.network).__name__,
            optimizer=None if optimizer is None else type(optimizer).__name__,
            learning_rate=_learning_rate(optimizer),
            loss_function=None if loss_fn is None else type(loss_fn).__name__,
            epoch=training.epoch_num,
            parallel_mode=training.parallel_mode,
            device_num=training.device_number,
            batch_size=training.train_dataset.get_batch_size(),
            train_dataset_path=path,
            train_dataset_size=size,
            model_path=None if checkpoint is None else str(checkpoint),
            model_size=0 if checkpoint is None else checkpoint.stat().st_size,
        )

    def dataset_graph(self) -> object:
        return mindspore.dataset.serialize(self._given.train_dataset)

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Losses in inference mode, on the first batches."""
        network = _loss_network(self._given.train_network)
        parameters = {parameter.name: parameter for parameter in self._optimizer().parameters}
        saved = {name: parameter.asnumpy().copy() for name, parameter in parameters.items()}
        dataset = self._given.train_dataset
        batches = _first_batches(dataset, -(-num_samples // dataset.get_batch_size()))

        def loss_at(values: Mapping[str, Array]) -> float:
            for name, value in values.items():
                parameters[name].set_data(mindspore.Tensor(value))
            losses = [float(_first(network(*batch)).asnumpy().mean()) for batch in batches]
            return sum(losses) / len(losses)

        was_training = network.training
        network.set_train(False)
        try:
            yield loss_at
        finally:
            for name, value in saved.items():
                parameters[name].set_data(mindspore.Tensor(value))
            network.set_train(was_training)

    def _optimizer(self) -> Any:
        optimizer = self._find_optimizer()
        if optimizer is None:
            raise InvalidValue("the network has no MindSpore optimizer")
        return optimizer

    def _find_optimizer(self) -> Any:
        optimizer = self._given.optimizer
        if isinstance(optimizer, nn.Optimizer):
            return optimizer
        return _first_cell(self._given.train_network, nn.Optimizer)


def dataset_facts(dataset: Any) -> tuple[str | None, int]:
    """(directory, number of samples) of a dataset."""
    path = _path_of(dataset)
    if path is not None and Path(path).is_file():
        path = os.path.dirname(path)  # noqa: PTH120 - Path would normalize it; MindSpore does not
    return path, dataset.get_dataset_size() * dataset.get_batch_size()


def _path_of(dataset: Any) -> str | None:
    while dataset is not None:
        path = next(filter(None, (getattr(dataset, name, None) for name in _PATHS)), None)
        if isinstance(path, list | tuple):
            path = path[0]
        if isinstance(path, str):
            return path
        dataset = dataset.children[0] if dataset.children else None
    return None


def _first_cell(network: Any, kind: type) -> Any:
    return next((cell for _, cell in network.cells_and_names() if isinstance(cell, kind)), None)


def _loss_network(network: Any) -> Any:
    """The cell that computes the loss, within the training network. Raises InvalidValue."""
    while "optimizer" in network.name_cells() and "network" in network.name_cells():
        network = network.network
        if "optimizer" not in network.name_cells():
            return network
    raise InvalidValue("the training network has no cells named `network` and `optimizer`")


def _first_batches(dataset: Any, number: int) -> list[Any]:
    batches = dataset.create_tuple_iterator(num_epochs=1)
    return [batch for batch, _ in zip(batches, range(number), strict=False)]


def _first(output: Any) -> Any:
    return output[0] if isinstance(output, list | tuple) else output


def _learning_rate(optimizer: Any) -> float | None:
    """The constant learning rate; None for a schedule."""
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, mindspore.Parameter):
        return None
    return float(rate.asnumpy().flat[0])


def _latest_checkpoint(callbacks: Iterable[Any]) -> Path | None:
    names = [hook.latest_ckpt_file_name for hook in callbacks if isinstance(hook, ModelCheckpoint)]
    paths = [Path(name).resolve() for name in names if name]
    return next((path for path in reversed(paths) if path.is_file()), None)
