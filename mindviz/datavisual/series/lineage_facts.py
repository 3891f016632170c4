"""LineageFacts: what a log says about its run besides series: model, data and parameters.

Decoded data, the same for all formats; `mindviz.lineagemgr` turns it into tables.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

Fact = Any
"""A JSON value: None, a bool, a number (including NaN and infinities), a string, or lists and
dicts of these."""


@dataclass(frozen=True, slots=True)
class TrainFacts:
    """How a network was trained; None for what is not logged."""

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
class MetricValue:
    """What a metric ended with."""

    value: float
    step: int | None = None
    """None for what was evaluated after the training."""
    wall_time: float | None = None
    """Unix seconds."""

    def was_written_after(self, wall_time: float) -> bool:
        """Whether it is no older than what was written at `wall_time`."""
        return self.wall_time is not None and self.wall_time >= wall_time


@dataclass(frozen=True, slots=True)
class MetricTag:
    """A scalar series declared as a metric; its value is `ScalarSummaries.metric`."""

    tag: str
    group: str = ""
    """The train job of the series, relative to the one that declares it; usually empty."""

    @property
    def name(self) -> str:
        """Name of the metric in tables."""
        return f"{self.group}/{self.tag}" if self.group else self.tag

    def train_id_from(self, train_id: str) -> str:
        """The train job of the series, given the one that declares it."""
        if not self.group:
            return train_id
        path = posixpath.normpath(posixpath.join(train_id, self.group))
        return "./" if path == "." else f"./{path}"


@dataclass(frozen=True, slots=True)
class LineageFacts:
    """Facts about a train job, or from one of its files."""

    train: TrainFacts | None = None
    evaluation: EvaluationFacts | None = None
    dataset_graph: Mapping[str, Fact] | None = None
    """Nested: parameters by name, and `operations`, `sampler`, `children`."""
    user_defined: Mapping[str, Fact] = field(default_factory=dict)
    hyper_parameters: Mapping[str, Fact] = field(default_factory=dict)
    """By name as logged (TensorBoard, VisualDL)."""
    metric_tags: tuple[MetricTag, ...] = ()
    session_status: str | None = None
    """`unknown`, `success`, `failure` or `running` if a TensorBoard session has ended."""
    session_group: str = ""
    """Name of the session group; empty if not logged."""
    session_start: float | None = None
    """Unix seconds, as logged by the session."""
    session_end: float | None = None
    """Unix seconds."""
    session_values: Mapping[str, MetricValue] = field(default_factory=dict)
    """By tag: last values in an hparams session's file of series that other files hold, too."""

    def all_hyper_parameters(self) -> dict[str, Fact]:
        """All hyperparameters by name: bools, numbers and strings; other values as JSON.

        Includes MindSpore's training parameters and user-defined entries.
        """
        train = asdict(self.train) if self.train is not None else {}
        values = {**train, **self.user_defined, **self.hyper_parameters}
        return {
            name: value if isinstance(value, bool | int | float | str) else json.dumps(value)
            for name, value in sorted(values.items())
            if value is not None
        }


NO_FACTS = LineageFacts()


@dataclass(frozen=True, slots=True)
class CutFacts:
    """Facts within the limits of what is read."""

    facts: LineageFacts
    detail: str
    """One sentence for users: what is left out."""


def merged_facts(parts: Iterable[LineageFacts]) -> LineageFacts:
    """Merge facts, oldest first.

    Later facts of a kind replace earlier ones; names and tags are merged.
    """
    known = [part for part in parts if part is not NO_FACTS]
    if len(known) < 2:
        return known[0] if known else NO_FACTS
    merged: dict[str, Any] = {}
    for name in LineageFacts.__dataclass_fields__:
        values = [getattr(part, name) for part in known]
        if name in ("user_defined", "hyper_parameters", "session_values"):
            merged[name] = {key: one for value in values for key, one in value.items()}
        elif name == "metric_tags":
            merged[name] = tuple(dict.fromkeys(tag for value in values for tag in value))
        else:
            logged = [value for value in values if value is not None and value != ""]
            merged[name] = logged[-1] if logged else values[-1]
    return LineageFacts(**merged)


class JobLineage(NamedTuple):
    """The facts of one train job at one moment."""

    train_id: str
    version: int
    """As in `TrainJobInfo`."""
    create_time: float
    """Unix seconds."""
    update_time: float
    """Unix seconds."""
    facts: LineageFacts
    """`NO_FACTS` itself if nothing was logged."""
