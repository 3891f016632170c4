"""The collector for a training loop of one's own in PyTorch: hooks around what the loop calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import torch
from torch.utils.hooks import RemovableHandle

from mindviz.summary.adapters import torch_data
from mindviz.summary.adapters.torch_training import TorchTraining
from mindviz.summary.collecting import collector
from mindviz.summary.record import SummaryRecord
from mindviz.summary.values.lineage import EvalLineage


class SummaryCollector:
    """Collects what happens in its `with` statement: the loop itself stays as it is.

        with SummaryCollector("logs/run1", network=network, optimizer=optimizer,
                              loss_fn=loss_fn, loader=loader) as collector:
            for _ in collector.epochs(10):
                for inputs, targets in loader:
                    optimizer.zero_grad()
                    loss_fn(network(inputs), targets).backward()
                    optimizer.step()

    A step is over when the optimizer has made it. The input is what the network is called with,
    the loss what `loss_fn` returns if it is a module; both only while gradients are wanted.
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

        `optimizer`: without one, call `step_end` after every step. `loss_fn`: a module; for
        something else, tell the loss by `observe`. `loader`: the batches of the training; lineage
        tells about it, landscapes are computed from it. `epochs`: how many there will be, if
        `epochs()` does not say so. `compute_loss(batch)`: the loss of a batch of the loader, if it
        is not (inputs, targets). `checkpoint`: where the network is saved. `first_step`: more
        than 1 if a training is resumed.
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
        self._observe_nothing()

    def _observe_nothing(self) -> None:
        self._loss: object = None
        self._metrics: dict[str, object] = {}
        self._training.forget()

    # ---------------------------------------------------------------------------- the loop

    def epochs(self, number: int) -> Iterator[int]:
        """0, 1, ... up to the number: the loop over epochs."""
        self._training.plan(number)
        for epoch in range(number):
            yield epoch
            self.epoch_end()

    def epoch_end(self) -> None:
        """An epoch is over; `epochs()` says so by itself."""
        self._epoch += 1
        self._collector.epoch_end(self._epoch)

    def observe(self, *, loss: object = None, **metrics: object) -> None:
        """Tell numbers of the step that runs: its loss, if `loss_fn` is no module, and others."""
        if loss is not None:
            self._loss = loss.detach() if isinstance(loss, torch.Tensor) else loss
        self._metrics |= metrics

    def step_end(self) -> None:
        """A step is over; if there is an optimizer, it says so by itself."""
        self._begin()
        self._step += 1
        self._collector.step_end(
            self._step, loss=self._loss, inputs=self._training.inputs, metrics=self._metrics
        )
        self._observe_nothing()

    def evaluated(self, metrics: Mapping[str, object], loader: Any = None) -> None:
        """The network was evaluated, on the batches of `loader`."""
        path, size = torch_data.dataset_facts(loader)
        lineage = EvalLineage(metric=metrics, valid_dataset_path=path, valid_dataset_size=size)
        self._collector.evaluated(lineage, self._step)

    @property
    def collects(self) -> bool:
        """Whether the step that runs is collected."""
        return self._collector.collects

    @property
    def record(self) -> SummaryRecord | None:
        """For values of your own, in steps that are collected."""
        return self._collector.record

    # ---------------------------------------------------------------------------- the hooks

    def __enter__(self) -> Self:
        self._has_begun = False
        self._training.watch(self._collector, self._begin)
        if isinstance(self._loss_fn, torch.nn.Module):
            self._handles.append(self._loss_fn.register_forward_hook(self._lost))
        if self._optimizer is not None:
            self._handles.append(
                self._optimizer.register_step_post_hook(lambda *_: self.step_end())
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for handle in self._handles:
            handle.remove()
        self._training.unwatch()
        self._collector.end()

    def _begin(self) -> None:
        """With the first call or step: `epochs()` runs inside the `with` statement, too."""
        if not self._has_begun:
            self._has_begun = True
            self._collector.begin(self._training)

    def _lost(self, _: torch.nn.Module, __: object, output: object) -> None:
        """The loss function was called."""
        if torch.is_grad_enabled() and isinstance(output, torch.Tensor):
            self._loss = output.detach()
