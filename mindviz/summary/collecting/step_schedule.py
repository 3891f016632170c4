"""CollectingSteps: which steps of a training are collected. Source: mindspore.SummaryCollector."""

from __future__ import annotations

TENSOR_STEPS = 20
"""At about so many steps tensors are collected, if nobody says how often."""


class CollectingSteps:
    """The first step that comes, and those that `collect_freq` divides.

    Tensors are large: they are collected whenever `collect_tensor_freq` divides the step. Without
    it, at those of the other steps that are far enough apart for about `TENSOR_STEPS` of them, or,
    where nobody knows the total, with a distance that doubles whenever there are as many.
    """

    def __init__(self, freq: int, tensor_freq: int | None, total: int | None) -> None:
        """`total`: steps that the training takes, as far as is known."""
        self._freq = freq
        apart = -(-(total or 0) // (TENSOR_STEPS * freq))
        self._tensor_freq = tensor_freq or freq * max(1, apart)
        self._doubles = tensor_freq is None and total is None
        self._tensors = 0
        self._is_first = True

    def is_due(self, step: int) -> bool:
        """Whether anything of the step is collected."""
        return self._is_first or step % self._freq == 0 or step % self._tensor_freq == 0

    def take(self, step: int) -> tuple[bool, bool]:
        """For a step that is over: whether tensors are collected, and whether the rest is."""
        tensors = self._is_first or step % self._tensor_freq == 0
        others = self._is_first or step % self._freq == 0
        self._is_first = False
        if tensors:
            self._tensors += 1
            if self._doubles and self._tensors % TENSOR_STEPS == 0:
                self._tensor_freq *= 2
        return tensors, others
