"""The collector for Keras 3, on any of its backends: a callback of `fit` and `evaluate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import keras

from mindviz.errors import InvalidValue
from mindviz.summary.collecting import collector
from mindviz.summary.collecting.training import LossAt, Training
from mindviz.summary.record import SummaryRecord
from mindviz.summary.values.arrays import Array
from mindviz.wire.encode_graph import GraphOperator, TensorType, model
from mindviz.wire.encode_lineage import EvalLineage, TrainLineage


class KerasTraining(Training):
    """A running `fit`."""

    filter_axis = -1

    def __init__(self, network: Any, parameters: Mapping[str, Any], data: Any) -> None:
        """`parameters`: the callback's `params`. `data`: (inputs, targets), or None."""
        self._network = network
        self._epochs = parameters.get("epochs")
        steps = parameters.get("steps")
        self.step_per_epoch = steps or 1
        self.total = self._epochs * steps if self._epochs and steps else None
        self._data = data

    def parameters(self) -> Iterable[tuple[str, object]]:
        """(path, variable) of all trainable variables."""
        self._sync_variables()
        return [(variable.path, variable) for variable in self._network.trainable_variables]

    def graph(self) -> bytes:
        return graph_of(self._network)

    def lineage(self) -> TrainLineage:
        """From the compiled model; Keras gives callbacks no access to the data."""
        self._sync_variables()
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
        """The first samples of the data, or None."""
        return None if self._data is None else self._data[0][:number]

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Losses in inference mode, over the first samples of the data."""
        if self._data is None:
            raise InvalidValue("losses need data: pass data=(inputs, targets)")
        network = self._network
        inputs, targets = (array[:num_samples] for array in self._data)
        variables = {variable.path: variable for variable in network.trainable_variables}
        saved = {
            path: keras.ops.convert_to_numpy(variable).copy()
            for path, variable in variables.items()
        }

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
                variable.assign(saved[path])

    def _sync_variables(self) -> None:
        """On jax, `fit` updates the model's variables only on request."""
        if keras.backend.backend() == "jax":
            self._network.jax_state_sync()


class SummaryCollector(keras.callbacks.Callback):
    """Collects `fit` and the results of `evaluate`."""

    def __init__(
        self, *arguments: Any, data: tuple[Any, Any] | None = None, **options: Any
    ) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`.

        `data`: arrays (inputs, targets), because Keras gives callbacks no access to batches. Used
        for input images, landscapes and the number of samples in the lineage.
        """
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._data = data
        self._training: KerasTraining | None = None
        self._steps = 0
        """Steps of the completed epochs."""
        self._step = 0

    @property
    def record(self) -> SummaryRecord | None:
        return self._collector.record

    def on_train_begin(self, logs: Any = None) -> None:
        self._training = KerasTraining(self.model, self.params or {}, self._data)
        self._steps = self._step = 0
        self._collector.begin(self._training)

    def on_train_batch_end(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        """Keras's hook, after one step or `steps_per_execution` steps."""
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
        """Keras's hook, after an epoch and its validation."""
        self._steps = self._step
        measured = {k: v for k, v in (logs or {}).items() if k.startswith("val_")}
        if measured:
            self._collector.evaluated(EvalLineage(metric=measured), self._step)
        self._collector.epoch_end(epoch + 1)

    def on_test_end(self, logs: Mapping[str, Any] | None = None) -> None:
        """Keras's hook; `on_epoch_end` handles the validation within `fit`."""
        if self._training is None:
            self._collector.evaluated(EvalLineage(metric=dict(logs or {})))

    def on_train_end(self, logs: Any = None) -> None:
        self._collector.end()
        self._training = None


def _name_of(loss: Any) -> str | None:
    if loss is None or isinstance(loss, str):
        return loss
    name = getattr(loss, "__name__", None)
    return name if isinstance(name, str) else type(loss).__name__


def graph_of(network: Any) -> bytes:
    """MindSpore's ModelProto; each layer and each nested model is a scope.

    Raises InvalidValue for a subclassed model, whose layers are unknown.
    """
    functional = _functional(network)
    if functional is None:
        raise InvalidValue(f"{type(network).__name__} is a subclassed model without a layer graph")
    operators: list[GraphOperator] = []
    _add_layers(functional, "", (), operators)
    weights = {var.path: TensorType(tuple(var.shape), str(var.dtype)) for var in network.weights}
    return model(operators, weights)


def _add_layers(
    functional: Any, scope: str, sources: Sequence[str], operators: list[GraphOperator]
) -> list[str]:
    """Add the layers of a model with inputs from `sources`; returns the keys of its outputs."""
    outer = dict(zip(map(_name_of_source, functional.inputs), sources, strict=False))
    keys: dict[str, list[str]] = {}
    for operation in functional.operations:
        name = operation.name
        parents = [end.operation.name for node in _nodes(operation) for end in node.parent_nodes]
        inputs = [key for parent in parents for key in keys.get(parent, ())]
        inputs += [outer[name]] if name in outer else []
        inner = _functional(operation)
        if inner is not None:
            keys[name] = _add_layers(inner, f"{scope}{name}/", inputs, operators)
            continue
        keys[name] = [f"{scope}{name}"]
        weights = [weight.path for weight in getattr(operation, "weights", ())]
        operators.append(
            GraphOperator(
                key=f"{scope}{name}",
                type=type(operation).__name__,
                scope=f"{scope}{name}",
                inputs=[*inputs, *weights],
                output=_type_of(operation),
            )
        )
    return [key for output in functional.outputs for key in keys[_name_of_source(output)]]


def _functional(network: Any) -> Any:
    """The Functional model of a network, or None."""
    if isinstance(network, keras.Sequential):
        return network._functional  # noqa: SLF001 - Keras has no public access
    is_functional = isinstance(network, keras.Model) and hasattr(network, "operations")
    return network if is_functional else None


def _nodes(operation: Any) -> list[Any]:
    nodes: list[Any] = operation._inbound_nodes  # noqa: SLF001 - as above
    return nodes


def _name_of_source(tensor: Any) -> str:
    name: str = tensor._keras_history.operation.name  # noqa: SLF001 - as above
    return name


def _type_of(operation: Any) -> TensorType:
    tensors = [tensor for node in _nodes(operation) for tensor in node.output_tensors]
    if not tensors:
        return TensorType()
    shape = tuple(-1 if size is None else size for size in tensors[-1].shape)
    return TensorType(shape, str(tensors[-1].dtype))
