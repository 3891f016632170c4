"""StepSchedule: which steps of a training to collect. Source: mindspore.SummaryCollector."""

from __future__ import annotations

TENSOR_STEPS = 20
"""Approximate number of steps with tensors, unless `collect_tensor_freq` is given."""


class StepSchedule:
    """Selects the first step, and every multiple of `collect_freq`.

    Tensors are large, so they have a separate frequency, `collect_tensor_freq`. Its default yields
    about `TENSOR_STEPS` steps; if the total is unknown, the interval doubles after each
    `TENSOR_STEPS` steps.
    """

    def __init__(self, freq: int, tensor_freq: int | None, total: int | None) -> None:
        """`total`: number of steps of the training, or None if unknown."""
        self._freq = freq
        interval = -(-(total or 0) // (TENSOR_STEPS * freq))
        self._tensor_freq = tensor_freq or freq * max(1, interval)
        self._doubles = tensor_freq is None and total is None
        self._tensors = 0
        self._is_first = True

    def is_due(self, step: int) -> bool:
        """Whether to collect anything of this step."""
        return self._is_first or step % self._freq == 0 or step % self._tensor_freq == 0

    def take(self, step: int) -> tuple[bool, bool]:
        """(whether to collect tensors, whether to collect the rest) of a completed step."""
        tensors = self._is_first or step % self._tensor_freq == 0
        others = self._is_first or step % self._freq == 0
        self._is_first = False
        if tensors:
            self._tensors += 1
            if self._doubles and self._tensors % TENSOR_STEPS == 0:
                self._tensor_freq *= 2
        return tensors, others
