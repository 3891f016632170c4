"""All anomalies of a run: in the log of each series, and by the rules in their values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindviz.datavisual.health.anomalies import (
    NAMED,
    Anomaly,
    counting,
    find_log_anomalies,
    window_of,
)
from mindviz.datavisual.health.leads import Moved, move, ranked
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation, RuleEvent
from mindviz.datavisual.health.rules import Rules
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN, ScalarTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound, TagUnreadable

MOST_RANKED = 20
"""Anomalies per run whose related series are searched, the first ones."""


def run_anomalies(store: Store, train_id: str, rules: Rules) -> list[tuple[str, Anomaly]]:
    """Tags and anomalies, by tag and step. Holds one series at a time in memory.

    Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable.
    """
    tags = store.list_tags(train_id).get(SCALAR_PLUGIN, ())
    evaluation = RuleEvaluation(rules, tags)
    found: defaultdict[str, list[Anomaly]] = defaultdict(list)
    for tag, written in _series(store, train_id, tags):
        anomalies = find_log_anomalies(written)
        found[tag] += (anomaly for anomaly in anomalies if anomaly.kind not in rules.silent)
        points = counting(written)
        evaluation.append(tag, points.step, points.wall_time, points.value)
    events: defaultdict[str, list[RuleEvent]] = defaultdict(list)
    for event in evaluation.events():
        events[event.tag].append(event)
    if not events:
        return _in_order(found)
    moved = _moved(store, train_id, tags, [event for mine in events.values() for event in mine])
    for tag, written in _series(store, train_id, list(events)):
        step = counting(written).step
        for event in _listed(events[tag]):
            place = event.tag, event.step
            found[tag].append(_anomaly(event, step, ranked(moved.get(place, ()))))
    return _in_order(found)


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
    """Of each rule, the largest events."""
    of_rule: defaultdict[str, list[RuleEvent]] = defaultdict(list)
    for event in events:
        of_rule[event.rule.name].append(event)
    for mine in of_rule.values():
        yield from sorted(mine, key=lambda event: -abs(event.size))[:NAMED]


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


def _in_order(found: Mapping[str, list[Anomaly]]) -> list[tuple[str, Anomaly]]:
    return [
        (tag, anomaly)
        for tag, anomalies in found.items()
        for anomaly in sorted(anomalies, key=lambda anomaly: (anomaly.step, anomaly.kind))
    ]
