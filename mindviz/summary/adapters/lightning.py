"""The collector for Lightning's `Trainer`: a callback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import lightning

from mindviz.summary.adapters import torch_data
from mindviz.summary.adapters.torch_graph import graph_of
from mindviz.summary.adapters.torch_training import TorchTraining
from mindviz.summary.collecting import collector
from mindviz.summary.collecting.training import LossAt
from mindviz.summary.record import SummaryRecord
from mindviz.wire.encode_lineage import TrainLineage


class LightningTraining(TorchTraining):
    """A running `Trainer.fit`."""

    def __init__(self, trainer: Any, module: Any) -> None:
        epochs = trainer.max_epochs
        super().__init__(
            module,
            optimizer=trainer.optimizers[0] if trainer.optimizers else None,
            loss_fn=getattr(module, "loss_fn", getattr(module, "criterion", None)),
            loader=trainer.train_dataloader,
            epochs=epochs if epochs and epochs > 0 else None,
            compute_loss=self._training_loss,
        )
        self._trainer = trainer

    def graph(self) -> bytes:
        """Traced with `example_input_array` if the module has one, else with the last inputs."""
        example = self.network.example_input_array
        if example is None:
            return super().graph()
        arguments = tuple(example) if isinstance(example, tuple) else (example,)
        return graph_of(self.network, arguments, {})

    def lineage(self) -> TrainLineage:
        """As for torch, with the best checkpoint so far."""
        callback = self._trainer.checkpoint_callback
        self.checkpoint = getattr(callback, "best_model_path", None) or None
        return super().lineage()

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Losses by `training_step`, with logging disabled."""
        module: Any = self.network
        for name in ("log", "log_dict"):
            setattr(module, name, lambda *_, **__: None)
        try:
            with super().losses(num_samples) as loss_at:
                yield loss_at
        finally:
            del module.log, module.log_dict

    def _training_loss(self, batch: Any) -> Any:
        module: Any = self.network
        output = module.training_step(batch, 0)
        return output["loss"] if isinstance(output, Mapping) else output


class SummaryCollector(lightning.Callback):
    """Collects `Trainer.fit` and the results of `validate` and `test`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`."""
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._training: LightningTraining | None = None
        self._step = 0
        # Lightning keeps the latest value of all metrics in one dict; these sets classify them.
        self._step_metrics: set[str] = set()
        self._epoch_metrics: set[str] = set()
        self._evaluation_metrics: set[str] = set()

    @property
    def record(self) -> SummaryRecord | None:
        return self._collector.record

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        self._training = LightningTraining(trainer, pl_module)
        self._training.watch(self._collector)
        self._step = trainer.global_step
        self._step_metrics, self._epoch_metrics, self._evaluation_metrics = set(), set(), set()
        self._collector.begin(self._training)

    def on_train_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Lightning's hook; ignores batches that only accumulate gradients."""
        if self._training is None or trainer.global_step == self._step:
            return
        self._step = trainer.global_step
        metrics = trainer.callback_metrics
        if not self._epoch_metrics:  # after the first epoch, the dict also holds epoch metrics
            self._step_metrics |= metrics.keys() - self._evaluation_metrics
        loss = outputs.get("loss") if isinstance(outputs, Mapping) else outputs
        self._collector.step_end(
            self._step,
            loss=loss,
            inputs=batch,
            metrics={name: metrics[name] for name in self._step_metrics & metrics.keys()},
        )
        self._training.forget()

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        metrics = trainer.callback_metrics
        self._epoch_metrics |= metrics.keys() - self._step_metrics - self._evaluation_metrics
        self._collector.measured(self._step, {name: metrics[name] for name in self._epoch_metrics})
        self._collector.epoch_end(trainer.current_epoch + 1)

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        """Lightning's hook, in `fit` and `validate`."""
        if not trainer.sanity_checking:
            self._evaluated(trainer, trainer.val_dataloaders)

    def on_test_end(self, trainer: Any, pl_module: Any) -> None:
        self._evaluated(trainer, trainer.test_dataloaders)

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        self._end()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self._end()

    def _end(self) -> None:
        self._collector.end()
        if self._training is not None:
            self._training.unwatch()
        self._training = None

    def _evaluated(self, trainer: Any, loader: Any) -> None:
        metrics = trainer.callback_metrics
        new = metrics.keys() - self._step_metrics - self._epoch_metrics
        self._evaluation_metrics |= new
        measured = {name: metrics[name] for name in sorted(new)}
        self._collector.evaluated(torch_data.evaluation(measured, loader), self._step)
