"""RuleEvaluation: the rules over all series of one run, incrementally."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.health import detectors
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.detectors import Detector, Throughput
from mindviz.datavisual.health.rules import Rule, Rules, training_tag
from mindviz.datavisual.health.spikes import may_spike
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.deadline import let_requests_pass

COMPILED = not str(detectors.__file__).endswith(".py")
"""Whether detectors take arrays; else lists are faster."""


_ODD = (AnomalyKind.NAN, AnomalyKind.INFINITY)


_PART = 4_096
"""Points that a rule evaluates at once. Meanwhile, compiled rules hold the GIL: requests wait."""
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

    def __init__(self, rules: Rules, tags: Collection[str], *, once: bool = False) -> None:
        """`tags` are all series of the run: validation metrics are paired with training metrics.

        `once` promises that each series is appended whole. Then detectors that have nothing to find
        are left out.
        """
        self._once = once
        self._rules: dict[str, list[Rule]] = {}
        self._detectors: dict[str, list[tuple[Rule, Detector]]] = {}
        """Of series that were begun."""
        self._gaps: dict[tuple[str, str], Any] = {}
        """By validation metric and rule; the training may be evaluated first."""
        self._validations: dict[str, list[Any]] = {}
        """The same by training metric."""
        self._odd: set[str] = set()
        """Series with NaN or infinities."""
        for tag in tags:
            training = training_tag(tag, tags)
            # With a training metric, a rising validation is a gap.
            left = AnomalyKind.VALIDATION_GAP if training is None else AnomalyKind.DIVERGENCE
            mine = self._rules[tag] = [rule for rule in rules.of_tag(tag) if rule.kind is not left]
            if training is None:
                continue
            for rule in mine:
                if rule.kind is AnomalyKind.VALIDATION_GAP:
                    gap = self._gaps[tag, rule.name] = rule.detector(tag)
                    self._validations.setdefault(training, []).append(gap)

    def append(
        self, tag: str, step: Int64s, wall_time: Float64s, value: Float64s, like: str = ""
    ) -> None:
        """Evaluate more points of a series, steps ascending over all calls.

        `like` is a series that is evaluated up to the same points, with equal steps and times, if
        this one begins: what depends on these alone is not evaluated again.
        """
        columns: tuple[Any, Any, Any] = (
            tuple(np.ascontiguousarray(column) for column in (step, wall_time, value))  # type: ignore[assignment]
            if COMPILED
            else (step.tolist(), wall_time.tolist(), value.tolist())
        )
        is_plain = tag not in self._odd and bool(np.isfinite(value).all())
        if not is_plain:
            self._odd.add(tag)
        twins = {
            rule.name: detector if self._once else detector.twin()
            for rule, detector in self._detectors.get(like, ())
            if isinstance(detector, Throughput)
        }
        if tag not in self._detectors:
            self._detectors[tag] = [
                (
                    rule,
                    twins.get(rule.name) or self._gaps.get((tag, rule.name)) or rule.detector(tag),
                )
                for rule in self._rules[tag]
                if not (self._once and is_plain and _is_clean(rule, columns[2]))
            ]
        fed = [
            detector
            for rule, detector in self._detectors[tag]
            # Numbers alone have no odd streaks.
            if rule.name not in twins and not (is_plain and rule.kind in _ODD)
        ]
        validations = self._validations.get(tag, ())
        for first in range(0, len(step), _PART):
            let_requests_pass()
            part = slice(first, first + _PART)
            for detector in fed:
                detector.feed(*(column[part] for column in columns))
            for validation in validations:
                validation.push_training(step[part], value[part])

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
        for tag in self._rules:
            for rule, detector in self._detectors.get(tag, ()):
                found: Sequence[Any] = detector.found()
                for event in found:
                    yield RuleEvent(rule, tag, *event)


def _is_clean(rule: Rule, values: Any) -> bool:
    """Whether it is known at once that the rule finds nothing in these values, all finite."""
    if rule.kind is AnomalyKind.SPIKE:
        return not may_spike(values, rule.parameters["z"], int(rule.parameters["window"]))
    return rule.kind in _ODD
