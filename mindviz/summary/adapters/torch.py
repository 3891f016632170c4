"""The collector for a custom training loop in PyTorch: hooks on the objects that the loop calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

import torch
from torch.utils.hooks import RemovableHandle

from mindviz.summary.adapters import torch_data
from mindviz.summary.adapters.torch_training import TorchTraining
from mindviz.summary.collecting import collector
from mindviz.summary.record import SummaryRecord


class SummaryCollector:
    """Collects a training inside a `with` statement, without changes to the loop.

        with SummaryCollector("logs/run1", network=network, optimizer=optimizer,
                              loss_fn=loss_fn, loader=loader) as collector:
            for _ in collector.epochs(10):
                for inputs, targets in loader:
                    optimizer.zero_grad()
                    loss_fn(network(inputs), targets).backward()
                    optimizer.step()

    A step ends with `optimizer.step()`. Inputs are the arguments of the network; the loss is the
    result of `loss_fn` if that is a module. Calls without gradients are ignored.
    """

    def __init__(
        self,
        summary_dir: str | os.PathLike[str],
        *arguments: Any,
        network: torch.nn.Module,
        optimizer: torch.optim.Optimizer | None = None,
        loss_fn: object = None,
        loader: Any = None,
        epochs: int | None = None,
        compute_loss: Callable[[Any], Any] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        first_step: int = 1,
        **options: Any,
    ) -> None:
        """`arguments` and `options` are those of `mindviz.summary.SummaryCollector`.

        `optimizer`: without one, call `step_end` after every step.
        `loss_fn`: a module; otherwise pass the loss to `observe`.
        `loader`: the training batches, for lineage and landscapes.
        `epochs`: the number of epochs, unless the loop uses `epochs()`.
        `compute_loss(batch)`: needed for landscapes if batches are not (inputs, targets).
        `checkpoint`: path of the saved network.
        `first_step`: greater than 1 for a resumed training.
        """
        self._collector = collector.SummaryCollector(summary_dir, *arguments, **options)
        self._optimizer, self._loss_fn = optimizer, loss_fn
        self._training = TorchTraining(
            network,
            optimizer=optimizer,
            loss_fn=loss_fn,
            loader=loader,
            epochs=epochs,
            compute_loss=compute_loss,
            checkpoint=checkpoint,
        )
        self._step = first_step - 1
        self._epoch = 0
        self._has_begun = False
        self._handles: list[RemovableHandle] = []
        self._clear()

    def _clear(self) -> None:
        self._loss: object = None
        self._metrics: dict[str, object] = {}
        self._training.forget()

    # ---------------------------------------------------------------------------- the loop

    def epochs(self, number: int) -> Iterator[int]:
        """Iterate over epochs, from 0."""
        self._training.set_epochs(number)
        for epoch in range(number):
            yield epoch
            self.epoch_end()

    def epoch_end(self) -> None:
        """Collect a completed epoch; `epochs()` calls it."""
        self._epoch += 1
        self._collector.epoch_end(self._epoch)

    def observe(self, *, loss: object = None, **metrics: object) -> None:
        """Report metrics of the current step, and its loss if `loss_fn` is not a module."""
        if loss is not None:
            self._loss = loss.detach() if isinstance(loss, torch.Tensor) else loss
        self._metrics |= metrics

    def step_end(self) -> None:
        """Collect a completed step; called automatically with an optimizer."""
        self._begin()
        self._step += 1
        self._collector.step_end(
            self._step, loss=self._loss, inputs=self._training.inputs, metrics=self._metrics
        )
        self._clear()

    def evaluated(self, metrics: Mapping[str, object], loader: Any = None) -> None:
        """Record the metrics of an evaluation on the batches of `loader`."""
        self._collector.evaluated(torch_data.evaluation(metrics, loader), self._step)

    @property
    def collects(self) -> bool:
        """Whether the current step is collected."""
        return self._collector.collects

    @property
    def record(self) -> SummaryRecord | None:
        """Takes custom values, in collected steps."""
        return self._collector.record

    # ---------------------------------------------------------------------------- the hooks

    def __enter__(self) -> Self:
        self._has_begun = False
        self._training.watch(self._collector, self._begin)
        if isinstance(self._loss_fn, torch.nn.Module):
            self._handles.append(self._loss_fn.register_forward_hook(self._keep_loss))
        if self._optimizer is not None:
            self._handles.append(
                self._optimizer.register_step_post_hook(lambda *_: self.step_end())
            )
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            handle.remove()
        self._training.unwatch()
        self._collector.end()

    def _begin(self) -> None:
        """Begin with the first forward pass or step, when `epochs()` has set the number."""
        if not self._has_begun:
            self._has_begun = True
            self._collector.begin(self._training)

    def _keep_loss(self, _: torch.nn.Module, __: object, output: object) -> None:
        if torch.is_grad_enabled() and isinstance(output, torch.Tensor):
            self._loss = output.detach()
