"""Session groups: train jobs with equal hyperparameters, and their metrics.

A session is a train job that logged hyperparameters, in any format. Sessions form a group if they
name the same one, or if they name none and their hyperparameters are equal. As in TensorBoard, a
metric is the value of a scalar series that was written last. Any train job may declare which series
are metrics; if none does, all are.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.datavisual.series.lineage_facts import (
    Fact,
    JobLineage,
    LineageFacts,
    MetricTag,
    MetricValue,
)
from mindviz.datavisual.store import ScalarSummaries, Store
from mindviz.deadline import check
from mindviz.errors import TrainJobNotFound

_OUTCOMES = ("loss", "model_size")
"""Entries of MindSpore's training lineage that are results, not inputs."""


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """A metric over the sessions of a group; `n` counts NaN, the statistics ignore it."""

    n: int
    """Sessions that have the metric."""
    avg: float | None
    median: float | None
    min: float | None
    max: float | None

    @staticmethod
    def of(values: Sequence[float]) -> MetricSummary:
        """All four statistics are None if every value is NaN."""
        known = [value for value in values if value == value]  # noqa: PLR0124 - NaN is not
        if not known:
            return MetricSummary(len(values), None, None, None, None)
        try:
            mean = statistics.fmean(known)
        except (OverflowError, ValueError):  # overflow, or inf - inf
            mean = sum(known) / len(known)
        return MetricSummary(len(values), mean, statistics.median(known), min(known), max(known))


@dataclass(frozen=True, slots=True)
class Session:
    """One train job."""

    train_id: str
    group: str
    """As logged; empty if none."""
    hyper_parameters: Mapping[str, Fact]
    metrics: Mapping[str, MetricValue]
    status: str
    """`unknown`, `success`, `failure` or `running`."""
    start_time: float | None
    """Unix seconds, if logged."""
    end_time: float | None


@dataclass(frozen=True, slots=True)
class SessionGroup:
    """A group of sessions."""

    name: str
    """As logged; empty if the sessions name no group."""
    hyper_parameters: Mapping[str, Fact]
    """Those with the same value in all sessions."""
    sessions: tuple[Session, ...]
    metrics: Mapping[str, MetricSummary]


@dataclass(frozen=True, slots=True)
class HyperParameter:
    """One hyperparameter over all groups."""

    name: str
    kind: str
    """`number`, `bool`, `string`, or `mixed`."""
    differs: bool
    """Whether its value differs between sessions, or is missing in some."""


@dataclass(frozen=True, slots=True)
class SessionGroups:
    """All groups, sorted by their first train_id."""

    hyper_parameters: tuple[HyperParameter, ...]
    metrics: tuple[str, ...]
    groups: tuple[SessionGroup, ...]


def session_groups(store: Store, train_ids: Collection[str] | None) -> SessionGroups:
    """Groups of these train jobs, or of all if None; unknown ids are ignored."""
    lineages = store.list_lineages()
    tags = metric_tags(lineages)
    drafts: dict[str, list[Session]] = {}
    for job in sorted(lineages, key=lambda job: job.train_id):
        check()
        if train_ids is not None and job.train_id not in train_ids:
            continue
        session = session_of(store, job, tags)
        if session is not None:
            key = f"={session.group}" if session.group else _text(session.hyper_parameters)
            drafts.setdefault(key, []).append(session)
    groups = tuple(_group(sessions) for sessions in drafts.values())
    return SessionGroups(
        _described([session for group in groups for session in group.sessions]),
        tuple(sorted({name for group in groups for name in group.metrics})),
        groups,
    )


def metric_tags(lineages: Iterable[JobLineage]) -> tuple[MetricTag, ...]:
    """Metrics that any of these train jobs declares."""
    return tuple(dict.fromkeys(tag for job in lineages for tag in job.facts.metric_tags))


def session_of(store: Store, job: JobLineage, tags: Sequence[MetricTag]) -> Session | None:
    """The session of a train job; None if it logged no hyperparameters."""
    facts = job.facts
    values = facts.all_hyper_parameters()
    outcomes = {
        name: values.pop(name)
        for name in _OUTCOMES
        if name in values and name not in {*facts.user_defined, *facts.hyper_parameters}
    }
    if not values:
        return None
    evaluated = facts.evaluation.metric if facts.evaluation is not None else {}
    metrics = _metrics(store, job, tags)
    for name, value in {**outcomes, **evaluated}.items():
        if isinstance(value, int | float):
            metrics[name] = MetricValue(float(value))
    return Session(
        job.train_id,
        facts.session_group,
        values,
        metrics,
        facts.session_status or "unknown",
        facts.session_start,
        facts.session_end,
    )


def _metrics(store: Store, job: JobLineage, tags: Sequence[MetricTag]) -> dict[str, MetricValue]:
    scalars = {job.train_id: _scalars(store, job)}
    if not tags:
        tags = [MetricTag(tag) for own in scalars.values() if own for tag in own[0].tags]
    metrics = {}
    for tag in tags:
        owner = tag.train_id_from(job.train_id)
        if owner not in scalars:
            scalars[owner] = _scalars(store, owner)
        logged = scalars[owner]
        value = logged and logged[0].metric(tag.tag, logged[1])
        if value:
            metrics[tag.name] = value
    return metrics


def _scalars(store: Store, job: JobLineage | str) -> tuple[ScalarSummaries, LineageFacts] | None:
    """What `ScalarSummaries.metric` needs; None for a train_id that does not exist."""
    try:
        lineage = store.read_lineage(job) if isinstance(job, str) else job
        return store.scalar_summaries(lineage.train_id), lineage.facts
    except TrainJobNotFound:
        return None


def _group(sessions: Sequence[Session]) -> SessionGroup:
    first = sessions[0].hyper_parameters
    agreed = {
        name: value
        for name, value in first.items()
        if all(_text(session.hyper_parameters.get(name)) == _text(value) for session in sessions)
    }
    values: dict[str, list[float]] = {}
    for session in sessions:
        for name, metric in session.metrics.items():
            values.setdefault(name, []).append(metric.value)
    metrics = {name: MetricSummary.of(numbers) for name, numbers in sorted(values.items())}
    return SessionGroup(sessions[0].group, agreed, tuple(sessions), metrics)


def _described(sessions: Sequence[Session]) -> tuple[HyperParameter, ...]:
    values: dict[str, list[Any]] = {}
    for session in sessions:
        for name, value in session.hyper_parameters.items():
            values.setdefault(name, []).append(value)
    return tuple(
        HyperParameter(
            name,
            kinds.pop() if len(kinds := {_kind(value) for value in cells}) == 1 else "mixed",
            len(cells) < len(sessions) or len({_text(value) for value in cells}) > 1,
        )
        for name, cells in sorted(values.items())
    )


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else "string"


def _text(value: object) -> str:
    """Equal only for equal values: not for True and 1."""
    return json.dumps(value, sort_keys=True)
