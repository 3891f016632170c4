"""SummaryCollector: records the usual metrics of a training automatically, for any framework.

An adapter (`mindviz.summary.adapters`) reports events; a `Training` answers questions about the
network. Source of options and tags: mindspore.SummaryCollector.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np

from mindviz.summary.collecting.collected_data import LandscapeOptions, collected_data, positive
from mindviz.summary.collecting.collected_values import custom_lineage, images_in, mean_of, plain
from mindviz.summary.collecting.landscape_survey import LandscapeSurvey
from mindviz.summary.collecting.parameter_path import ParameterPath
from mindviz.summary.collecting.step_schedule import StepSchedule
from mindviz.summary.collecting.training import Training
from mindviz.summary.record import SummaryRecord
from mindviz.summary.writing.recording import writable_directory
from mindviz.wire.encode_lineage import EvalLineage

_LOGGER = logging.getLogger("mindviz.summary")


class SummaryCollector:
    """Collects scalars, histograms, input images, graph, lineage and landscapes of a training.

    The parameters have MindSpore's names, order and meaning. Call `begin`, then `step_end` after
    every step, `epoch_end`, `evaluated`, and `end`. Only the constructor raises errors; a value
    that cannot be collected causes one warning of the logger `mindviz.summary`.
    """

    def __init__(  # noqa: PLR0917 - MindSpore's signature
        self,
        summary_dir: str | os.PathLike[str],
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: Mapping[str, Any] | None = None,
        keep_default_action: bool = True,  # noqa: FBT001, FBT002 - as above
        custom_lineage_data: Mapping[str, str | float] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: Mapping[str, str | None] | None = None,
        **record_options: Any,
    ) -> None:
        """docs/recording.md documents the options.

        `record_options`: more options of `SummaryRecord`. Raises InvalidValue for an invalid
        option, RecordingFailed if the directory is not writable.
        """
        positive("collect_freq", collect_freq)
        positive("num_process", num_process)
        positive("collect_tensor_freq", collect_tensor_freq, optional=True)
        positive("max_file_size", max_file_size, optional=True)
        self._freq, self._tensor_freq = collect_freq, collect_tensor_freq
        self._data = collected_data(collect_specified_data, keep_default_action=keep_default_action)
        self._custom_lineage = custom_lineage(custom_lineage_data)
        self._directory = writable_directory(summary_dir)
        self._record_options = record_options | {
            "num_process": num_process,
            "max_file_size": max_file_size,
            "export_options": export_options,
        }
        # Reports invalid options now; it creates no file.
        SummaryRecord(self._directory, **self._record_options).close()
        self._record: SummaryRecord | None = None
        self._warned: set[str] = set()
        self._start(Training())

    def _start(self, training: Training) -> None:
        self._training = training
        self._steps = StepSchedule(self._freq, self._tensor_freq, training.total)
        self._path: ParameterPath | None = None
        self._loss: object = None
        self._has_facts = False
        self._count = 0
        """The latest step, in the unit of the frequencies."""

    # ----------------------------------------------------------------- called by an adapter

    def begin(self, training: Training) -> None:
        """Start a training, after ending the current one."""
        self.end()
        self._start(training)
        with self._attempt("the training"):
            self._record = SummaryRecord(self._directory, **self._record_options)
        self.resume()

    def pause(self) -> None:
        """Disable the summary operators, for a forward pass outside the training."""
        if self._record is not None:
            self._record.set_mode("eval")

    def resume(self) -> None:
        """Enable the summary operators if the next step is due; `step_end` calls it."""
        if self._record is not None:
            self._record.set_mode("train" if self._steps.is_due(self._count + 1) else "eval")

    @property
    def collects(self) -> bool:
        """Whether the current step is collected, so that its values are worth fetching."""
        return self._record is not None and self._record.mode == "train"

    @property
    def record(self) -> SummaryRecord | None:
        """Takes custom values; those added while `collects` is true belong to the current step."""
        return self._record

    def step_end(
        self,
        step: int,
        *,
        loss: object = None,
        inputs: object = None,
        metrics: Mapping[str, object] | None = None,
        count: int | None = None,
    ) -> None:
        """Collect a completed step.

        `loss`: a number, or a tensor, of which the mean is recorded. `inputs`: a tensor, or a
        sequence or mapping of tensors. `metrics`: more numbers. `count`: the number to which the
        frequencies apply; default: the step.
        """
        if self._record is None:
            return
        count = step if count is None else count
        self._loss = loss if loss is not None else self._loss
        if self._steps.is_due(count):
            self._collect_step(step, count, loss, inputs, metrics)
        landscape = self._data.landscape
        if landscape is not None and landscape.unit == "step":
            self._store_parameters(landscape, step)
        self._count = count
        self.resume()

    def epoch_end(self, epoch: int) -> None:
        """Collect a completed epoch, counted from 1."""
        landscape = self._data.landscape
        if self._record is not None and landscape is not None and landscape.unit == "epoch":
            self._store_parameters(landscape, epoch)

    def measured(self, step: int, metrics: Mapping[str, object]) -> None:
        """Record numbers that arrive at irregular steps, regardless of the frequencies."""
        if self._record is not None and self._data.collect_metric:
            self._add_scalars(metrics)
            self._store(step, lambda plugin: plugin == "scalar")

    def evaluated(self, lineage: EvalLineage, step: int | None = None) -> None:
        """Record an evaluation; with a step, numeric metrics also become scalars."""
        with self._attempt("the evaluation"):
            metric = {name: plain(value) for name, value in lineage.metric.items()}
            lineage = replace(lineage, metric=metric)
        with self._open_record():
            if step is not None:
                numbers = {k: v for k, v in lineage.metric.items() if isinstance(v, Real)}
                self.measured(step, numbers)
            if self._data.collect_eval_lineage:
                self._add("eval_lineage", "eval_lineage", lineage)
                self._store(0, lambda plugin: plugin == "eval_lineage")

    def end(self) -> None:
        """End the training, completed or not, and write everything."""
        if self._record is None:
            return
        self.pause()
        if self._has_facts:
            self._add_train_lineage()
            self._store(0, lambda plugin: plugin == "train_lineage")
        if self._data.landscape is not None:
            self._collect_landscapes(self._data.landscape)
        with self._attempt("the end"):
            record, self._record = self._record, None
            record.close()
        self._training, self._loss = Training(), None  # releases the network

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _collect_step(
        self,
        step: int,
        count: int,
        loss: object,
        inputs: object,
        metrics: Mapping[str, object] | None,
    ) -> None:
        tensors, others = self._steps.take(count)
        if not self._has_facts:
            self._has_facts = True
            self._collect_facts()
        if others:
            if self._data.collect_metric:
                self._add_scalars(({} if loss is None else {"loss": loss}) | dict(metrics or {}))
            if self._data.collect_input_data and inputs is not None:
                with self._attempt("input_data/auto"):
                    self._add("image", "input_data/auto", images_in(inputs))
            self._add_histograms()
        self._store(step, lambda plugin: tensors if plugin == "tensor" else others)

    def _add_scalars(self, metrics: Mapping[str, object]) -> None:
        for name, value in metrics.items():
            with self._attempt(f"{name}/auto"):
                self._add("scalar", f"{name}/auto", mean_of(value, name))

    def _add_histograms(self) -> None:
        if not self._data.collect_histograms:
            return
        with self._attempt("the parameters' histograms"):
            for index, (name, tensor) in enumerate(self._training.parameters()):
                if self._data.has_histogram(name, index):
                    self._add("histogram", f"{name}/auto", tensor)

    def _collect_facts(self) -> None:
        self.pause()  # the adapter may run the network to trace its graph
        if self._data.collect_graph:
            with self._attempt("the graph"):
                self._add_if_any("graph", "train_network/auto", self._training.graph())
        if self._data.collect_dataset_graph:
            with self._attempt("the dataset graph"):
                self._add_if_any("dataset_graph", "train_dataset", self._training.dataset_graph())
        if self._custom_lineage:
            self._add("custom_lineage_data", "custom_lineage_data", self._custom_lineage)
        # `end` records it again, with the final loss, unless the training crashes.
        self._add_train_lineage()

    def _add_train_lineage(self) -> None:
        if not self._data.collect_train_lineage:
            return
        with self._attempt("the lineage of the training"):
            lineage = self._training.lineage()
            if lineage.loss is None and self._loss is not None:
                with self._attempt("the loss in the lineage"):
                    lineage = replace(lineage, loss=mean_of(self._loss, "loss"))
            self._add("train_lineage", "train_lineage", lineage)

    def _store_parameters(self, options: LandscapeOptions, number: int) -> None:
        if not any(number in interval for interval in options.intervals):
            return
        with self._attempt("the landscape"):
            self._path = self._path or ParameterPath(self._directory)
            self._path.store(number, self._training.parameters())

    def _collect_landscapes(self, options: LandscapeOptions) -> None:
        """Along each interval, and around the end of the last one. Source: SummaryLandscape."""
        if self._path is None:
            return
        path, training = self._path, self._training
        with self._attempt("the landscape"), training.losses(options.num_samples) as loss_at:
            survey = LandscapeSurvey(
                path,
                loss_at,
                size=options.landscape_size,
                unit=options.unit,
                step_per_epoch=training.step_per_epoch,
                filter_axis=training.filter_axis,
            )
            for interval in options.intervals if options.wants("train") else ():
                numbers = [number for number in interval if number in path.numbers]
                if len(numbers) >= 2:
                    name = f"landscape_{[numbers[0], numbers[-1]]}"
                    self._add("landscape", name, survey.along(numbers))
            if options.wants("result"):
                last = path.numbers[-1]
                generator = np.random.default_rng(0)  # reproducible directions
                self._add("landscape", f"landscape_{[last]}", survey.around(last, generator))
        self._store(0, lambda plugin: plugin == "landscape")
        with self._attempt("the landscape"):
            path.close()
        self._path = None

    @contextmanager
    def _open_record(self) -> Iterator[None]:
        """Use the open record, or a temporary one outside a training."""
        if self._record is not None:
            yield
            return
        with self._attempt("the evaluation"):
            self._record = SummaryRecord(self._directory, **self._record_options)
        try:
            yield
        finally:
            record, self._record = self._record, None
            if record is not None:
                with self._attempt("the evaluation"):
                    record.close()

    def _add_if_any(self, plugin: str, name: str, value: object) -> None:
        if value is not None:
            self._add(plugin, name, value)

    def _add(self, plugin: str, name: str, value: object) -> None:
        if self._record is None:
            return
        with self._attempt(name):
            self._record.add_value(plugin, name, value)

    def _store(self, step: int, plugin_filter: Any) -> None:
        if self._record is None:
            return
        with self._attempt("the step"):
            self._record.record(step, plugin_filter=plugin_filter)

    @contextmanager
    def _attempt(self, what: str) -> Iterator[None]:
        """Log the first error of each kind instead of interrupting the training."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - it may come from any framework
            if what not in self._warned:
                self._warned.add(what)
                reason = str(error) or type(error).__name__
                _LOGGER.warning("Cannot collect %s: %s (reported once)", what, reason)
