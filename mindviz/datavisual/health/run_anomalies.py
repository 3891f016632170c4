"""All anomalies of a run: in the log of each series, and by the rules in their values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.derived_cache import DerivedCache
from mindviz.datavisual.health.anomalies import (
    Anomaly,
    counting,
    find_log_anomalies,
    window_of,
)
from mindviz.datavisual.health.kept_checks import Anomalies, KeptChecks
from mindviz.datavisual.health.leads import Moved, move, ranked
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation, RuleEvent
from mindviz.datavisual.health.rules import Rules
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN, ScalarTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound, TagUnreadable

MOST_RANKED = 20
"""Anomalies per run whose related series are searched, the first ones."""
MAX_LISTED = 10_000
"""Events listed per rule and series, the largest."""

_MOST_COMPARED = 10_000
"""Points of a series that is compared with the next one."""
_BEFORE_ALL = int(np.iinfo(np.int64).min)


class RunAnomalies:
    """The anomalies of a run. As it grows, the rules evaluate only its new points.

    Not thread-safe. Holds one series at a time in memory.
    """

    def __init__(self, store: Store, train_id: str, rules: Rules, *, once: bool = False) -> None:
        """`once` promises a single `update`, which takes half the time then."""
        self._store = store
        self._train_id = train_id
        self._rules = rules
        self._once = once
        self._tags: Sequence[str] = ()
        self._evaluation: RuleEvaluation | None = None
        self._evaluated: dict[str, _Evaluated] = {}

    @property
    def nbytes(self) -> int:
        """Approximate size of what is kept between updates."""
        return 0 if self._evaluation is None else self._evaluation.nbytes

    def update(self) -> list[tuple[str, Anomaly]]:
        """Tags and anomalies of all points so far, by tag and step.

        Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable.
        """
        tags = self._store.list_tags(self._train_id).get(SCALAR_PLUGIN, ())
        # After an error, the rules may have evaluated a part of the new points: start over.
        evaluation, self._evaluation = self._evaluation, None
        if evaluation is None or tags != self._tags or not self._evaluate(evaluation, tags):
            evaluation = RuleEvaluation(self._rules, tags, once=self._once)
            self._tags, self._evaluated = tags, {}
            self._evaluate(evaluation, tags)
        self._evaluation = evaluation
        return self._anomalies(evaluation)

    def _evaluate(self, evaluation: RuleEvaluation, tags: Iterable[str]) -> bool:
        """Evaluate the new points; False if points that were evaluated changed."""
        known: _Logged | None = None
        for tag in tags:
            before = self._evaluated.get(tag)
            try:
                if before is None:
                    written = self._written(tag)
                    points = counting(written)
                else:
                    increment = self._since(tag, before)
                    if increment is None:
                        return False
                    points = increment
                    if points.total == before.total:
                        continue
                    written = self._written(tag)  # read last, so that it has no fewer points
            except TagUnreadable:
                raise
            except TagNotFound:  # deleted meanwhile
                if before is None:
                    continue
                return False
            # Most series of a run have the same steps and times.
            like = ""
            if known is not None and _are_logged_alike(written, known.written):
                in_log = known.in_log
                like = known.tag if before is None else ""
            else:
                in_log = self._in_log(written)
                is_short = written.total <= _MOST_COMPARED
                known = (
                    _Logged(tag if before is None else "", written, in_log) if is_short else None
                )
            evaluation.append(tag, points.step, points.wall_time, points.value, like)
            last_step = _BEFORE_ALL if before is None else before.last_step
            if len(points.step):
                last_step = int(points.step[-1])
            self._evaluated[tag] = _Evaluated(points.epoch, points.total, last_step, in_log)
        return True

    def _in_log(self, written: ScalarTimeSeries) -> list[Anomaly]:
        return [
            anomaly
            for anomaly in find_log_anomalies(written)
            if anomaly.kind not in self._rules.silent
        ]

    def _written(self, tag: str) -> ScalarTimeSeries:
        """All points of a series. Raises TagNotFound."""
        return self._store.read_scalars(self._train_id, tag, restarts="all")

    def _since(self, tag: str, before: _Evaluated) -> ScalarTimeSeries | None:
        """The points after those that were evaluated; None if these are no longer the first ones.

        Raises TagNotFound.
        """
        increment = self._store.read_scalars_since(
            self._train_id, tag, epoch=before.epoch, total=before.total
        )
        step = increment.points.step
        if increment.reset or increment.truncate_from_step is not None:
            return None
        ascends = not len(step) or bool(step[0] >= before.last_step)
        return increment.points if ascends and bool((step[1:] >= step[:-1]).all()) else None

    def _anomalies(self, evaluation: RuleEvaluation) -> list[tuple[str, Anomaly]]:
        found = {tag: list(evaluated.in_log) for tag, evaluated in self._evaluated.items()}
        events: defaultdict[str, list[RuleEvent]] = defaultdict(list)
        for event in evaluation.events():
            events[event.tag].append(event)
        if events:
            every = [event for of_tag in events.values() for event in of_tag]
            moved = _moved(self._store, self._train_id, self._tags, every)
            for tag, written in _series(self._store, self._train_id, list(events)):
                step = counting(written).step
                for event in _listed(events[tag]):
                    place = event.tag, event.step
                    found[tag].append(_anomaly(event, step, ranked(moved.get(place, ()))))
        return [
            (tag, anomaly)
            for tag in self._tags
            for anomaly in sorted(
                found.get(tag, ()), key=lambda anomaly: (anomaly.step, anomaly.kind)
            )
        ]


@dataclass(frozen=True, slots=True)
class _Logged:
    """A series that others may be logged like."""

    tag: str
    """Empty if only new points of it were evaluated."""
    written: ScalarTimeSeries
    in_log: list[Anomaly]


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """Up to where a series is evaluated."""

    epoch: str
    total: int
    last_step: int
    in_log: Sequence[Anomaly]
    """Anomalies in how it was logged."""


def run_anomalies(store: Store, train_id: str, rules: Rules) -> list[tuple[str, Anomaly]]:
    """As `RunAnomalies.update`, once."""
    return RunAnomalies(store, train_id, rules, once=True).update()


class GrowingRuns:
    """The anomalies of many runs; those that grow are evaluated from where they were.

    What that takes is charged to the store's memory budget. Not thread-safe.
    """

    def __init__(self, store: Store, rules: Rules) -> None:
        self._store = store
        self._rules = rules
        self.checks = KeptChecks(store, rules)
        self._kept: DerivedCache[str, RunAnomalies] = DerivedCache("rules", store.charge_cache)

    def anomalies(self, train_id: str, *, grows: bool) -> Anomalies:
        """As `run_anomalies`; what `grows` is expected to be evaluated again."""
        return self.checks.anomalies(train_id, lambda: self._evaluated(train_id, grows=grows))

    def _evaluated(self, train_id: str, *, grows: bool) -> Anomalies:
        run = self._kept.find(train_id, None)
        if run is None and not grows:
            return run_anomalies(self._store, train_id, self._rules)
        run = run or RunAnomalies(self._store, train_id, self._rules)
        found = run.update()
        if grows:
            self._kept.keep(train_id, train_id, None, run, run.nbytes)
        return found


def _are_logged_alike(one: ScalarTimeSeries, other: ScalarTimeSeries) -> bool:
    """Whether all points have the same steps and times, and all count."""
    return (
        not (one.superseded_count or other.superseded_count)
        and np.array_equal(one.step, other.step)
        and np.array_equal(one.wall_time, other.wall_time)
    )


def _series(
    store: Store, train_id: str, tags: Iterable[str]
) -> Iterator[tuple[str, ScalarTimeSeries]]:
    for tag in tags:
        try:
            yield tag, store.read_scalars(train_id, tag, restarts="all")
        except TagUnreadable:
            raise
        except TagNotFound:  # deleted meanwhile
            continue


def _moved(
    store: Store, train_id: str, tags: Iterable[str], events: Sequence[RuleEvent]
) -> dict[tuple[str, int], list[Moved]]:
    """The series that moved with the first events, by tag and step of the event."""
    first = sorted(events, key=lambda event: (event.step, event.tag))[:MOST_RANKED]
    places = {(event.tag, event.step) for event in first}
    own_tags = {tag for tag, _ in places}
    others = [tag for tag in tags if own_tags - {tag}]
    moved: defaultdict[tuple[str, int], list[Moved]] = defaultdict(list)
    for tag, written in _series(store, train_id, others):
        points = counting(written)
        for own_tag, step in places:
            if tag != own_tag and (found := move(tag, points.step, points.value, step)) is not None:
                moved[own_tag, step].append(found)
    return moved


def _listed(events: Iterable[RuleEvent]) -> Iterator[RuleEvent]:
    """Of each rule, the events that are listed."""
    of_rule: defaultdict[str, list[RuleEvent]] = defaultdict(list)
    for event in events:
        of_rule[event.rule.name].append(event)
    for mine in of_rule.values():
        yield from sorted(mine, key=lambda event: -abs(event.size))[:MAX_LISTED]


def _anomaly(event: RuleEvent, step: Int64s, moved: tuple[Moved, ...]) -> Anomaly:
    return Anomaly(
        event.rule.kind,
        event.step,
        event.end_step,
        event.wall_time,
        event.end_wall_time,
        event.points,
        event.size,
        window_of(step, event.step, event.end_step),
        event.rule.name,
        moved,
    )
