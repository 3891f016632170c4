"""TorchTraining: the training of a PyTorch network, in a custom loop or by a trainer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch.utils.hooks import RemovableHandle

from mindviz.errors import InvalidValue
from mindviz.summary.adapters import torch_data
from mindviz.summary.adapters.torch_graph import graph_of
from mindviz.summary.collecting.collector import SummaryCollector
from mindviz.summary.collecting.training import LossAt, Training
from mindviz.summary.values.arrays import Array
from mindviz.wire.encode_lineage import TrainLineage


class TorchTraining(Training):
    """A network and the objects that train it, as far as given."""

    def __init__(
        self,
        network: torch.nn.Module,
        *,
        optimizer: torch.optim.Optimizer | None = None,
        loss_fn: object = None,
        loader: Any = None,
        epochs: int | None = None,
        compute_loss: Callable[[Any], Any] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """`compute_loss(batch)`: the loss of a batch; default for batches (inputs, targets)."""
        self.network = network
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.loader = loader
        self.checkpoint = checkpoint
        self._arguments: tuple[tuple[Any, ...], dict[str, Any]] | None = None
        self._compute_loss = compute_loss
        self._handle: RemovableHandle | None = None
        self.set_epochs(epochs)

    def set_epochs(self, epochs: int | None) -> None:
        """Set the number of epochs, and so the number of steps."""
        self.epochs = epochs
        steps = _length_of(self.loader)
        self.step_per_epoch = steps or 1
        self.total = epochs * steps if epochs and steps else None

    def watch(self, collector: SummaryCollector, before: Callable[[], None] = lambda: None) -> None:
        """Keep the network's inputs in collected steps.

        Calls without gradients are not part of the training. `before` runs before all others.
        """

        def on_forward(_: object, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
            if torch.compiler.is_compiling():  # `torch.export` traces with fake tensors
                return
            if not torch.is_grad_enabled():
                collector.pause()
                return
            before()
            collector.resume()
            if collector.collects:
                self._arguments = arguments, named

        self._handle = self.network.register_forward_pre_hook(on_forward, with_kwargs=True)

    def unwatch(self) -> None:
        if self._handle is not None:
            self._handle.remove()
        self.forget()

    def forget(self) -> None:
        self._arguments = None

    @property
    def inputs(self) -> object:
        """The network's last inputs in a collected step, or None."""
        if self._arguments is None:
            return None
        arguments, named = self._arguments
        return [*arguments, *named.values()]

    def parameters(self) -> Iterable[tuple[str, object]]:
        return [(name, p) for name, p in self.network.named_parameters() if p.requires_grad]

    def graph(self) -> bytes:
        """The graph from `torch.export`."""
        if self._arguments is None:
            raise InvalidValue("no forward pass was observed")
        return graph_of(self.network, *self._arguments)

    def lineage(self) -> TrainLineage:
        path, size = torch_data.dataset_facts(self.loader)
        devices = _process_count()
        checkpoint = None if self.checkpoint is None else Path(self.checkpoint).resolve()
        return TrainLineage(
            network=_name_of(self.network),
            optimizer=None if self.optimizer is None else type(self.optimizer).__name__,
            learning_rate=_learning_rate(self.optimizer),
            loss_function=None if self.loss_fn is None else _name_of(self.loss_fn),
            epoch=self.epochs,
            parallel_mode="stand_alone" if devices == 1 else "data_parallel",
            device_num=devices,
            batch_size=torch_data.batch_size_of(self.loader),
            train_dataset_path=path,
            train_dataset_size=size,
            model_path=None if checkpoint is None else str(checkpoint),
            model_size=_size_of(checkpoint),
        )

    def dataset_graph(self) -> Mapping[str, object] | None:
        return torch_data.dataset_graph_of(self.loader)

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Losses in eval mode, over the first batches of the loader."""
        if self.loader is None:
            raise InvalidValue("losses need a loader: pass loader=")
        network = self.network
        parameters = {name: p for name, p in network.named_parameters() if p.requires_grad}
        device = next(iter(parameters.values())).device
        was_training = {module: module.training for module in network.modules()}
        saved = {name: parameter.detach().clone() for name, parameter in parameters.items()}
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            batches = [
                (torch_data.moved(batch, device), size)
                for batch, size in torch_data.batches_of(self.loader, num_samples)
            ]

            def loss_at(values: Mapping[str, Array]) -> float:
                for name, value in values.items():
                    parameters[name].copy_(torch.from_numpy(value))
                total = sum(float(self._loss_of(batch)) * size for batch, size in batches)
                return total / sum(size for _, size in batches)

            network.eval()
            try:
                yield loss_at
            finally:
                for name, parameter in parameters.items():
                    parameter.copy_(saved[name])
                for module, training in was_training.items():
                    module.training = training

    def _loss_of(self, batch: Any) -> Any:
        if self._compute_loss is not None:
            return self._compute_loss(batch)
        if not callable(self.loss_fn) or not isinstance(batch, list) or len(batch) != 2:
            raise InvalidValue(
                "losses need batches (inputs, targets) and a loss_fn; otherwise pass compute_loss="
            )
        inputs, targets = batch
        return self.loss_fn(self.network(inputs), targets)


def _name_of(thing: object) -> str:
    if isinstance(thing, torch.nn.parallel.DistributedDataParallel):
        thing = thing.module
    name = getattr(thing, "__name__", None)
    return name if isinstance(name, str) else type(thing).__name__


def _learning_rate(optimizer: torch.optim.Optimizer | None) -> float | None:
    if optimizer is None:
        return None
    rate = optimizer.param_groups[0].get("lr")
    return None if rate is None else float(rate)


def _process_count() -> int:
    distributed = torch.distributed
    if distributed.is_available() and distributed.is_initialized():
        return int(distributed.get_world_size())
    return 1


def _length_of(loader: Any) -> int | None:
    try:
        return len(loader)
    except TypeError:  # no loader, or one without a length
        return None


def _size_of(checkpoint: Path | None) -> int | None:
    return checkpoint.stat().st_size if checkpoint is not None and checkpoint.is_file() else None
