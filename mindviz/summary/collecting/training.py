"""Training: what a collector needs to know about a training. Adapters implement it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array
from mindviz.wire.encode_lineage import TrainLineage

LossAt = Callable[[Mapping[str, Array]], float]
"""Parameters -> the network's loss with them."""


class Training:
    """Adapters override the methods that their framework supports.

    A method that raises causes one warning; everything else is still collected.
    """

    total: int | None = None
    """Number of steps, or of epochs if `step_end` counts epochs; None if unknown."""
    step_per_epoch: int = 1
    filter_axis: int = 0
    """The axis of a parameter that enumerates filters (the outputs of a layer)."""

    def parameters(self) -> Iterable[tuple[str, object]]:
        """(name, tensor) of all trained parameters, in the network's order."""
        return ()

    def graph(self) -> object:
        """A value for the plugin `graph`, or None. Called after the first step."""
        return None

    def lineage(self) -> TrainLineage:
        """How the network is trained. Called after the first step and at the end."""
        return TrainLineage()

    def dataset_graph(self) -> object:
        """A value for the plugin `dataset_graph`, or None. Called after the first step.

        A mapping as MindSpore serializes datasets: see `mindviz.wire.encode_lineage`.
        """
        return None

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """A function that computes the loss at given parameters; restores the network on exit.

        A loss is the mean over the first `num_samples` samples.
        """
        raise InvalidValue("this training cannot compute losses")
        yield lambda _: num_samples  # makes it a generator
