"""LineageFacts: what a log says of its job besides series: how it was trained, on what, with what.

Plain decoded data, the same for all formats. What it means for a table of jobs is decided in
`mindviz.lineagemgr`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

Fact = Any
"""What JSON can say: None, a bool, a number (NaN and infinities included), a string, or lists and
dicts of such."""


@dataclass(frozen=True, slots=True)
class TrainFacts:
    """How a network was trained; None for what the log leaves out."""

    optimizer: str | None = None
    learning_rate: float | None = None
    loss_function: str | None = None
    epoch: int | None = None
    device_num: int | None = None
    batch_size: int | None = None
    train_dataset_path: str | None = None
    train_dataset_count: int | None = None
    network: str | None = None
    loss: float | None = None
    model_size: int | None = None
    """Bytes."""


@dataclass(frozen=True, slots=True)
class EvaluationFacts:
    """How a network was evaluated."""

    metric: Mapping[str, Fact] = field(default_factory=dict)
    test_dataset_path: str | None = None
    test_dataset_count: int | None = None


@dataclass(frozen=True, slots=True)
class MetricTag:
    """A scalar series that a log calls a metric; its value is what the series ends with."""

    tag: str
    group: str = ""
    """The train job that has the series, relative to the one that was logged; usually empty."""

    @property
    def name(self) -> str:
        """How the metric is called among those of a job."""
        return f"{self.group}/{self.tag}" if self.group else self.tag


@dataclass(frozen=True, slots=True)
class LineageFacts:
    """All that is known of a job, or of one file of it."""

    train: TrainFacts | None = None
    evaluation: EvaluationFacts | None = None
    dataset_graph: Mapping[str, Fact] | None = None
    """Nested: parameters by name, and `operations`, `sampler`, `children`."""
    user_defined: Mapping[str, Fact] = field(default_factory=dict)
    hyper_parameters: Mapping[str, Fact] = field(default_factory=dict)
    """As the log names them (TensorBoard, VisualDL)."""
    metric_tags: tuple[MetricTag, ...] = ()
    session_status: str | None = None
    """`unknown`, `success`, `failure` or `running`, if a session (TensorBoard) has ended."""

    def updated(self, later: LineageFacts) -> LineageFacts:
        """Both together: what `later` says of a kind replaces it, names and tags are merged."""
        return LineageFacts(
            train=later.train or self.train,
            evaluation=later.evaluation or self.evaluation,
            dataset_graph=_latest(self.dataset_graph, later.dataset_graph),
            user_defined={**self.user_defined, **later.user_defined},
            hyper_parameters={**self.hyper_parameters, **later.hyper_parameters},
            metric_tags=tuple(dict.fromkeys((*self.metric_tags, *later.metric_tags))),
            session_status=later.session_status or self.session_status,
        )


def _latest(
    earlier: Mapping[str, Fact] | None, later: Mapping[str, Fact] | None
) -> Mapping[str, Fact] | None:
    # Not `or`: a graph without nodes is a graph.
    return earlier if later is None else later


NO_FACTS = LineageFacts()


def merged_facts(parts: Iterable[LineageFacts]) -> LineageFacts:
    """Several together, the oldest first."""
    known = [part for part in parts if part is not NO_FACTS]
    return reduce(LineageFacts.updated, known) if known else NO_FACTS


@dataclass(frozen=True, slots=True)
class JobLineage:
    """The facts of one train job at one moment."""

    train_id: str
    version: int
    """As in `TrainJobInfo`."""
    create_time: float
    """Unix seconds."""
    update_time: float
    """Unix seconds."""
    facts: LineageFacts
    """`NO_FACTS` itself, if the job has none."""
