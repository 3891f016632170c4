"""The collector for MindSpore's `Model.train`, `fit` and `eval`: a callback like its own."""

from __future__ import annotations

import logging
import re
from types import TracebackType
from typing import Any, Self

from mindspore.train.callback import Callback
from mindspore.train.summary import summary_record

from mindviz.summary.adapters.mindspore_training import MindSporeTraining, dataset_facts
from mindviz.summary.collecting import collector
from mindviz.summary.record import SummaryRecord
from mindviz.summary.values.lineage import EvalLineage

_LOGGER = logging.getLogger("mindviz.summary")

_OPERATOR_VALUE = re.compile(r"(.+)\[:(.+)\]")
"""What MindSpore calls a value of a summary operator: `loss[:Scalar]`."""


class SummaryCollector(Callback):
    """What `mindspore.SummaryCollector` is, with the same options: change the import.

    Values of MindSpore's own summary operators in the network are collected, too.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Arguments and options are those of `mindviz.summary.SummaryCollector`, MindSpore's."""
        super().__init__()
        self._collector = collector.SummaryCollector(*arguments, **options)
        self._takes_operators = True
        self._entered = 0
        """How often: `fit` enters callbacks once more to evaluate."""

    @property
    def record(self) -> SummaryRecord | None:
        """For values of your own, in steps that are collected."""
        return self._collector.record

    def begin(self, run_context: Any) -> None:
        """A training or an evaluation begins; the latter may be one within a training."""
        given = run_context.original_args()
        if given.mode == "train":
            _operator_values()  # of before
            self._collector.begin(MindSporeTraining(given))

    def step_end(self, run_context: Any) -> None:
        """A step is over, or, where data are sunk to the device, several."""
        given = run_context.original_args()
        if given.mode == "train" and not given.dataset_sink_mode:
            self._step_end(given, given.cur_step_num)

    def epoch_end(self, run_context: Any) -> None:
        """An epoch is over; where data are sunk, that is what is counted."""
        given = run_context.original_args()
        if given.mode != "train":
            return
        if given.dataset_sink_mode:
            self._step_end(given, given.cur_epoch_num)
        self._collector.epoch_end(given.cur_epoch_num)
        # `fit` does not tell collectors, which it knows by their name, when it evaluates.
        measured = given.get("eval_results")
        if measured is not None:
            self._evaluated(given, measured, given.cur_step_num)

    def end(self, run_context: Any) -> None:
        """The training or the evaluation is over."""
        given = run_context.original_args()
        if given.mode == "train":
            self._collector.end()
        else:
            self._evaluated(given, given.metrics)

    def __enter__(self) -> Self:
        self._entered += 1
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._entered -= 1
        if not self._entered:
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
        """Take what summary operators in the network cached; in other steps it is forgotten."""
        if not self._takes_operators:
            return
        try:
            for plugin, tag, value in _operator_values():
                if self._collector.collects and self.record is not None:
                    self.record.add_value(plugin, tag, value)
        except Exception as error:  # noqa: BLE001 - none of it is an interface of MindSpore's
            self._takes_operators = False
            _LOGGER.warning("Summary operators are not collected any more: %s", error)


def _operator_values() -> list[tuple[str, str, Any]]:
    """(plugin, tag, value) of what MindSpore's summary operators cached, the newest of each."""
    summary_record._record_summary_tensor_data()  # noqa: SLF001 - there is no other way to them
    cached = summary_record._get_summary_tensor_data()  # noqa: SLF001
    matches = ((_OPERATOR_VALUE.match(name), value) for name, value in cached.items())
    return [(one[2].lower(), one[1], value) for one, value in matches if one is not None]
