"""The collector for HuggingFace's `Trainer`: a callback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import transformers
from torch.utils.hooks import RemovableHandle

from mindviz.summary.adapters import torch_data
from mindviz.summary.adapters.torch_training import TorchTraining
from mindviz.summary.collecting import collector
from mindviz.summary.record import SummaryRecord
from mindviz.wire.encode_lineage import TrainLineage

_NOT_OF_STEPS = ("eval_", "test_", "train_", "epoch", "total_flos")
"""Prefixes of logged values that are no step metrics: evaluations and final statistics."""

_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "adapter_model.safetensors")


class TransformersTraining(TorchTraining):
    """A running `Trainer.train`."""

    def __init__(self, arguments: Any, state: Any, given: Mapping[str, Any]) -> None:
        """`given`: the keyword arguments of callbacks."""
        super().__init__(
            given["model"],
            optimizer=given.get("optimizer"),
            loader=given.get("train_dataloader"),
            epochs=state.num_train_epochs,
            compute_loss=self._model_loss,
        )
        self.total = state.max_steps
        self._training_arguments = arguments

    def lineage(self) -> TrainLineage:
        """As for torch, with facts from the training arguments."""
        given = self._training_arguments
        devices = given.world_size * max(1, given.n_gpu)
        return replace(
            super().lineage(),
            optimizer=str(getattr(given.optim, "value", given.optim)),
            learning_rate=given.learning_rate,
            batch_size=given.train_batch_size,
            device_num=devices,
            parallel_mode="stand_alone" if devices == 1 else "data_parallel",
        )

    def _model_loss(self, batch: Any) -> Any:
        return self.network(**batch).loss


class SummaryCollector(transformers.TrainerCallback):  # type: ignore[misc,unused-ignore]
    """Collects `Trainer.train` and the results of `evaluate`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`."""
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._training: TransformersTraining | None = None
        self._handle: RemovableHandle | None = None
        self._loss: object = None

    @property
    def record(self) -> SummaryRecord | None:
        return self._collector.record

    def on_train_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        self._unwatch()
        self._training = TransformersTraining(args, state, given)
        self._training.watch(self._collector)
        self._handle = given["model"].register_forward_hook(self._keep_loss)
        self._collector.begin(self._training)

    def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        if self._training is not None:
            self._collector.step_end(
                state.global_step, loss=self._loss, inputs=self._training.inputs
            )
            self._training.forget()

    def on_log(
        self, args: Any, state: Any, control: Any, logs: Mapping[str, Any], **given: Any
    ) -> None:
        """Transformers' hook, as often as the training arguments say."""
        metrics = {k: v for k, v in logs.items() if not k.startswith(_NOT_OF_STEPS)}
        if self._loss is not None:  # `on_step_end` records the loss
            metrics.pop("loss", None)
        self._collector.measured(state.global_step, metrics)

    def on_epoch_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        self._collector.epoch_end(round(state.epoch))

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Mapping[str, Any], **given: Any
    ) -> None:
        evaluated = torch_data.evaluation(metrics, given.get("eval_dataloader"))
        self._collector.evaluated(evaluated, state.global_step)

    def on_save(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        found = [folder / name for name in _WEIGHTS if (folder / name).is_file()]
        if self._training is not None and found:
            self._training.checkpoint = found[0]

    def on_train_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        self._collector.end()
        self._unwatch()

    def _unwatch(self) -> None:
        if self._handle is not None:
            self._handle.remove()
        if self._training is not None:
            self._training.unwatch()
        self._handle, self._training, self._loss = None, None, None

    def _keep_loss(self, _: torch.nn.Module, __: object, output: Any) -> None:
        """Keep the loss, which models return if they are given labels."""
        loss = output.get("loss") if isinstance(output, Mapping) else None
        if torch.is_grad_enabled() and isinstance(loss, torch.Tensor):
            self._loss = loss.detach()
