"""The collector for MindSpore's `Model.train`, `fit` and `eval`: a callback."""

from __future__ import annotations

import logging
import re
from typing import Any, Self

from mindspore.train.callback import Callback
from mindspore.train.summary import summary_record

from mindviz.summary.adapters.mindspore_training import MindSporeTraining, dataset_facts
from mindviz.summary.collecting import collector
from mindviz.summary.record import SummaryRecord
from mindviz.wire.encode_lineage import EvalLineage

_LOGGER = logging.getLogger("mindviz.summary")

_OPERATOR_VALUE = re.compile(r"(.+)\[:(.+)\]")
"""MindSpore's name of a summary operator's value: `loss[:Scalar]`."""


class SummaryCollector(Callback):
    """A drop-in replacement for `mindspore.SummaryCollector`, with the same options.

    Also collects the values of MindSpore's summary operators in the network.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`."""
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._reads_operators = True
        self._depth = 0
        """Nesting of `with` statements: `fit` enters callbacks again to evaluate."""

    @property
    def record(self) -> SummaryRecord | None:
        return self._collector.record

    def begin(self, run_context: Any) -> None:
        """MindSpore's hook, for trainings and evaluations; an evaluation may be nested."""
        given = run_context.original_args()
        if given.mode == "train":
            _operator_values()  # clears values of an earlier training
            self._collector.begin(MindSporeTraining(given))

    def step_end(self, run_context: Any) -> None:
        """MindSpore's hook; with dataset sinking, `epoch_end` collects instead."""
        given = run_context.original_args()
        if given.mode == "train" and not given.dataset_sink_mode:
            self._step_end(given, given.cur_step_num)

    def epoch_end(self, run_context: Any) -> None:
        """MindSpore's hook; with dataset sinking, the frequencies count epochs."""
        given = run_context.original_args()
        if given.mode != "train":
            return
        if given.dataset_sink_mode:
            self._step_end(given, given.cur_epoch_num)
        self._collector.epoch_end(given.cur_epoch_num)
        # `fit` does not call the evaluation hooks of callbacks named SummaryCollector.
        results = given.get("eval_results")
        if results is not None:
            self._evaluated(given, results, given.cur_step_num)

    def end(self, run_context: Any) -> None:
        """MindSpore's hook, for trainings and evaluations."""
        given = run_context.original_args()
        if given.mode == "train":
            self._collector.end()
        else:
            self._evaluated(given, given.metrics)

    def __enter__(self) -> Self:
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._collector.end()

    def _evaluated(self, given: Any, metrics: Any, step: int | None = None) -> None:
        path, size = dataset_facts(given.valid_dataset)
        lineage = EvalLineage(metric=metrics, valid_dataset_path=path, valid_dataset_size=size)
        self._collector.evaluated(lineage, step)

    def _step_end(self, given: Any, count: int) -> None:
        self._take_operator_values()
        output = given.net_outputs
        loss = output[0] if isinstance(output, list | tuple) and output else output
        self._collector.step_end(
            given.cur_step_num, loss=loss, inputs=given.train_dataset_element, count=count
        )

    def _take_operator_values(self) -> None:
        """Read and clear the values of summary operators; uncollected steps drop them."""
        if not self._reads_operators:
            return
        try:
            for plugin, tag, value in _operator_values():
                if self._collector.collects and self.record is not None:
                    self.record.add_value(plugin, tag, value)
        except Exception as error:  # noqa: BLE001 - MindSpore's private functions may change
            self._reads_operators = False
            _LOGGER.warning("Cannot collect summary operators: %s (reported once)", error)


def _operator_values() -> list[tuple[str, str, Any]]:
    """(plugin, tag, latest value) of MindSpore's summary operators; clears them."""
    summary_record._record_summary_tensor_data()  # noqa: SLF001 - MindSpore has no public access
    cached = summary_record._get_summary_tensor_data()  # noqa: SLF001
    matches = ((_OPERATOR_VALUE.match(name), value) for name, value in cached.items())
    return [(one[2].lower(), one[1], value) for one, value in matches if one is not None]
