"""RuleEvaluation: the rules over all series of one run, incrementally."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.health import detectors
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.detectors import Detector
from mindviz.datavisual.health.rules import Rule, Rules, training_tag
from mindviz.datavisual.series.columns import Float64s, Int64s

COMPILED = not str(detectors.__file__).endswith(".py")
"""Whether detectors take arrays; else lists are faster."""


_ODD = (AnomalyKind.NAN, AnomalyKind.INFINITY)


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
        # A streak of odd values ends at the first number; more numbers change nothing.
        first = tuple(column[:1] for column in columns)
        is_finite = bool(np.isfinite(value).all())
        for rule, detector in self._detectors[tag]:
            detector.feed(*(first if is_finite and rule.kind in _ODD else columns))
        for validation in self._validations.get(tag, ()):
            validation.push_training(step.tolist(), value.tolist())

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
