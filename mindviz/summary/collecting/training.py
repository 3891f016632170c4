"""Training: what a collector asks about a training. Adapters answer for their frameworks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array
from mindviz.summary.values.lineage import TrainLineage

LossAt = Callable[[Mapping[str, Array]], float]
"""Parameters -> the loss that the network would have with them."""


class Training:
    """A training that nothing is known of: adapters override what their framework can tell.

    Every method may raise: one warning says why, and everything else is collected.
    """

    total: int | None = None
    """Steps that it takes; epochs, if epochs are what is counted. None: nobody knows."""
    step_per_epoch: int = 1
    filter_axis: int = 0
    """The axis of parameters that counts filters: the outputs of a layer."""

    def parameters(self) -> Iterable[tuple[str, object]]:
        """Names and tensors of all that is trained, in the network's order."""
        return ()

    def graph(self) -> object:
        """What the plugin `graph` takes; None: there is none. Asked after the first step."""
        return None

    def lineage(self) -> TrainLineage:
        """How it is trained. Asked after the first step and at the end."""
        return TrainLineage()

    def dataset_graph(self) -> object:
        """What the plugin `dataset_graph` takes; None: there is none. Asked after the first step.

        A mapping as MindSpore serialises datasets: see `mindviz.wire.encode_lineage`.
        """
        return None

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        """Let losses be computed elsewhere than the network is; afterwards it is as before.

        A loss is the mean over the first `num_samples` samples.
        """
        raise InvalidValue("this training does not say how a loss is computed")
        yield lambda _: num_samples  # makes it a generator
