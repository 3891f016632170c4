"""RuleEvaluation: the rules over all series of one run, incrementally."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.health import detectors
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.detectors import Detector, Throughput
from mindviz.datavisual.health.rules import Rule, Rules, training_tag
from mindviz.datavisual.series.columns import Float64s, Int64s

COMPILED = not str(detectors.__file__).endswith(".py")
"""Whether detectors take arrays; else lists are faster."""


_ODD = (AnomalyKind.NAN, AnomalyKind.INFINITY)


_MOST_COMPARED = 10_000
"""Points of a series that may be kept to compare them with the next one."""
_DETECTOR_BYTES = 3_000
_EVENT_BYTES = 250


class RuleEvent(NamedTuple):
    """What a rule found in a series."""

    rule: Rule
    tag: str
    step: int
    end_step: int
    wall_time: float
    end_wall_time: float
    points: int
    """Points affected."""
    size: float
    """As the rule's detector defines it."""


class RuleEvaluation:
    """The state of all rules for one run. Points may come in any number of calls."""

    def __init__(self, rules: Rules, tags: Collection[str]) -> None:
        """`tags` are all series of the run: validation metrics are paired with training metrics."""
        self._detectors: dict[str, list[tuple[Rule, Detector]]] = {}
        self._validations: dict[str, list[Any]] = {}
        self._odd: set[str] = set()
        """Series with NaN or infinities."""
        self._begun: set[str] = set()
        self._last_begun: tuple[str, Int64s, Float64s] | None = None
        """The series of the last call, if it was begun then, with its steps and times."""
        for tag in tags:
            mine = self._detectors[tag] = []
            training = training_tag(tag, tags)
            for rule in rules.of_tag(tag):
                # With a training metric, a rising validation is a gap.
                left = AnomalyKind.VALIDATION_GAP if training is None else AnomalyKind.DIVERGENCE
                if rule.kind is left:
                    continue
                detector = rule.detector(tag)
                mine.append((rule, detector))
                if training is not None and rule.kind is AnomalyKind.VALIDATION_GAP:
                    self._validations.setdefault(training, []).append(detector)

    def append(self, tag: str, step: Int64s, wall_time: Float64s, value: Float64s) -> None:
        """Evaluate more points of a series, steps ascending over all calls."""
        columns: tuple[Any, Any, Any] = (
            tuple(np.ascontiguousarray(column) for column in (step, wall_time, value))  # type: ignore[assignment]
            if COMPILED
            else (step.tolist(), wall_time.tolist(), value.tolist())
        )
        is_plain = tag not in self._odd and bool(np.isfinite(value).all())
        if not is_plain:
            self._odd.add(tag)
        twins = self._twins(tag, step, wall_time)
        for at, (rule, detector) in enumerate(self._detectors[tag]):
            if rule.name in twins:
                self._detectors[tag][at] = rule, twins[rule.name]
            elif not (is_plain and rule.kind in _ODD):  # numbers alone have no odd streaks
                detector.feed(*columns)
        for validation in self._validations.get(tag, ()):
            validation.push_training(step.tolist(), value.tolist())

    def _twins(self, tag: str, step: Int64s, wall_time: Float64s) -> Mapping[str, Detector]:
        """Detectors of these points, by rule: what depends on steps and times alone."""
        last, is_first = self._last_begun, tag not in self._begun
        self._begun.add(tag)
        is_compared = is_first and len(step) <= _MOST_COMPARED
        self._last_begun = (tag, step, wall_time) if is_compared else None
        if last is None or not is_compared:
            return {}
        if not (np.array_equal(last[1], step) and np.array_equal(last[2], wall_time)):
            return {}
        return {
            rule.name: detector.twin()
            for rule, detector in self._detectors[last[0]]
            if isinstance(detector, Throughput)
        }

    @property
    def nbytes(self) -> int:
        """Approximate size."""
        detectors = [detector for mine in self._detectors.values() for _, detector in mine]
        return sum(
            _DETECTOR_BYTES + _EVENT_BYTES * len(detector.events) + detector.waiting_bytes()
            for detector in detectors
        )

    def events(self) -> Iterator[RuleEvent]:
        """All events so far, by tag, rule and step."""
        for tag, mine in self._detectors.items():
            for rule, detector in mine:
                found: Sequence[Any] = detector.found()
                for event in found:
                    yield RuleEvent(rule, tag, *event)
