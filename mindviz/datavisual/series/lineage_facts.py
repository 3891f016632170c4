"""LineageFacts: what a log says of its job besides series: how it was trained, on what, with what.

Plain decoded data, the same for all formats. What it means for a table of jobs is decided in
`mindviz.lineagemgr`.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
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

    def train_id_from(self, train_id: str) -> str:
        """The train job that has the series, seen from the one that logged it."""
        if not self.group:
            return train_id
        path = posixpath.normpath(posixpath.join(train_id, self.group))
        return "./" if path == "." else f"./{path}"


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
    session_group: str = ""
    """What a log calls the sessions that belong together; empty if it doesn't say."""
    session_start: float | None = None
    """Unix seconds, as a session says itself."""
    session_end: float | None = None
    """Unix seconds."""

    def all_hyper_parameters(self) -> dict[str, Fact]:
        """Whatever a log calls them, by name: bools, numbers and strings; the rest as JSON.

        What MindSpore says of a training, and what its users log, is among them.
        """
        train = asdict(self.train) if self.train is not None else {}
        values = {**train, **self.user_defined, **self.hyper_parameters}
        return {
            name: value if isinstance(value, bool | int | float | str) else json.dumps(value)
            for name, value in sorted(values.items())
            if value is not None
        }


NO_FACTS = LineageFacts()


def merged_facts(parts: Iterable[LineageFacts]) -> LineageFacts:
    """Several together, the oldest first.

    What a later one says of a kind replaces what was said before; names and tags are merged.
    """
    known = [part for part in parts if part is not NO_FACTS]
    if len(known) < 2:
        return known[0] if known else NO_FACTS
    train = evaluation = graph = status = start = end = None
    group = ""
    user_defined: dict[str, Fact] = {}
    hyper_parameters: dict[str, Fact] = {}
    tags: dict[MetricTag, None] = {}
    for part in known:
        train = part.train or train
        evaluation = part.evaluation or evaluation
        # Not `or`: a graph without nodes is a graph.
        graph = graph if part.dataset_graph is None else part.dataset_graph
        status = part.session_status or status
        group = part.session_group or group
        start = start if part.session_start is None else part.session_start
        end = end if part.session_end is None else part.session_end
        user_defined.update(part.user_defined)
        hyper_parameters.update(part.hyper_parameters)
        tags.update(dict.fromkeys(part.metric_tags))
    return LineageFacts(
        train,
        evaluation,
        graph,
        user_defined,
        hyper_parameters,
        tuple(tags),
        status,
        group,
        start,
        end,
    )


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
