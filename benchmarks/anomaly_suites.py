"""Series with injected anomalies, and clean ones: the suites that measure the anomaly rules.

The rules were tuned on the suite `TUNING`, which includes seven suites that were held out before.
`HELD_OUT` has other shapes, other noise, another length and other seeds. It was written before the
last tuning and is evaluated after it: no parameter was set by it.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from anomaly_noise import Column, Random
from anomaly_shapes import HELD_OUT_SHAPES, TUNING_SHAPES, Shape, oscillation

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation
from mindviz.datavisual.health.rules import default_rules

RULES = default_rules()
NOISE = (0.0, 0.003, 0.01, 0.03, 0.1)
"""Standard deviation of the noise, in units of the series' range."""
TAGS = ("train/loss", "val/loss", "grad_norm")


def seeded(*names: object) -> Random:
    """The same numbers on every machine."""
    return np.random.default_rng(zlib.crc32(repr(names).encode()))


@dataclass(frozen=True)
class Suite:
    """Clean shapes, and where anomalies are injected into them."""

    name: str
    shapes: Mapping[str, Shape]
    points: int
    """Per series with an anomaly."""
    no_progress: Collection[str]
    """Shapes that may have no progress left where a plateau would be injected."""
    not_clean: Collection[str] = ()
    """Shapes that stop, as at an anomaly: no false events are counted in them."""
    seed: tuple[object, ...] = ()

    def is_meaningful(self, kind: str, shape: str) -> bool:
        """Whether the anomaly can exist in the shape."""
        if kind == "plateau":
            return shape not in self.no_progress
        return kind != "validation_gap" or not shape.startswith("constant")  # it has to improve


TUNING = Suite(
    "tuning",
    TUNING_SHAPES,
    1_000,
    {
        "steep", "constant", "staircase", "logistic", "Gompertz", "two phases", "warm restarts",
        "constant, exponential tails", "two sigmoids", "double descent",
    },
    {"two sigmoids"},
)  # fmt: skip
HELD_OUT = Suite("held-out", HELD_OUT_SHAPES, 1_200, (), seed=("eighth held-out",))


@dataclass
class Series:
    """A training loss, its validation, a gradient norm and times, all clean until injected."""

    loss: Column
    validation: Column
    gradient: Column
    wall_time: Column

    def evaluate(self) -> Iterator[tuple[AnomalyKind, str, int]]:
        """Kind, tag and step of all events."""
        columns = dict(zip(TAGS, (self.loss, self.validation, self.gradient), strict=True))
        evaluation = RuleEvaluation(RULES, TAGS)
        steps = np.arange(len(self.loss))
        for tag, column in columns.items():
            evaluation.append(tag, steps, self.wall_time, column)
        for event in evaluation.events():
            yield event.rule.kind, event.tag, event.step


def clean(shape: Shape, level: float, random: Random, points: int) -> Series:
    """A series without anomalies."""
    x = np.linspace(0, 1, points)
    loss = shape.loss(x, 0.1, level, random)
    validation = shape.loss(x, 0.15, level, random)
    gradient = (1 + 2 * shape.curve(x)) * np.exp(3 * level * random.standard_normal(points))
    pace = 0.1 * np.exp(0.2 * random.standard_normal(points))
    pace[:: points // 10] += 2.0  # a validation, a checkpoint
    return Series(loss, validation, gradient, 1.7e9 + np.cumsum(pace))


# Anomalies ------------------------------------------------------------------------------------


def spike(series: Series, at: int, level: float, random: Random) -> str:
    """One to five values, far off, some of which decay."""
    length = int(random.integers(1, 6))
    height = max(0.5, 15 * level) * (1 + random.random())
    series.loss[at : at + length] += height * np.exp(-np.arange(length) / 4)
    return "train/loss"


def nan(series: Series, at: int, level: float, random: Random) -> str:
    """NaN from here on."""
    series.loss[at:] = np.nan
    return "train/loss"


def infinity(series: Series, at: int, level: float, random: Random) -> str:
    """A few infinite values."""
    series.loss[at : at + 3] = np.inf
    return "train/loss"


def divergence(series: Series, at: int, level: float, random: Random) -> str:
    """A rise over 30 to 100 points to twice the range, to stay."""
    points = np.arange(len(series.loss) - at)
    rise = np.minimum(points / random.integers(30, 100), 1)
    series.loss[at:] += rise * (1.5 + random.random())
    return "train/loss"


def plateau(series: Series, at: int, level: float, random: Random) -> str:
    """Progress stops, noise goes on."""
    rest = len(series.loss) - at
    series.loss[at:] = series.loss[at - 8 : at].mean() + level * random.standard_normal(rest)
    return "train/loss"


def throughput(series: Series, at: int, level: float, random: Random) -> str:
    """Steps take 2 to 4 times as long."""
    pace = np.diff(series.wall_time)
    pace[at:] *= 2 + 2 * random.random()
    series.wall_time[1:] = series.wall_time[0] + np.cumsum(pace)
    return "train/loss"


def validation_gap(series: Series, at: int, level: float, random: Random) -> str:
    """The validation loss rises by half to one and a half of the range."""
    rest = np.arange(len(series.loss) - at) / (len(series.loss) - at)
    series.validation[at:] = series.validation[at] + rest * (0.5 + random.random() + 10 * level)
    series.validation[at:] += level * random.standard_normal(len(rest))
    return "val/loss"


def gradient_change(series: Series, at: int, level: float, random: Random) -> str:
    """The norm is divided or multiplied by 6 to 12."""
    factor = 6 * (1 + random.random())
    series.gradient[at:] *= factor if random.random() < 0.5 else 1 / factor
    return "grad_norm"


INJECTIONS = (
    spike, nan, infinity, divergence, plateau, throughput, validation_gap, gradient_change,
)  # fmt: skip
KINDS = [inject.__name__ for inject in INJECTIONS]
NEAR = {"divergence": 120, "plateau": 150, "validation_gap": 400, "throughput": 20}
"""Points that an event may begin after its injection; else 12. It may begin half of it before."""


@dataclass
class Score:
    """Counts per rule."""

    right: Counter[str] = field(default_factory=Counter)
    """Events where the rule's anomaly was injected."""
    false: Counter[str] = field(default_factory=Counter)
    detected: Counter[tuple[str, float]] = field(default_factory=Counter)
    """By rule and level of noise."""
    injected: Counter[tuple[str, float]] = field(default_factory=Counter)

    def precision(self, kind: str) -> float:
        """Share of the rule's events that are right."""
        return self.right[kind] / max(self.right[kind] + self.false[kind], 1)

    def count(self, kind: str) -> int:
        """Injected anomalies of a rule."""
        return sum(self.injected[kind, level] for level in NOISE)

    def recall(self, kind: str) -> float:
        """Share of the rule's anomalies that are detected."""
        return sum(self.detected[kind, level] for level in NOISE) / self.count(kind)

    def recall_at(self, kind: str, level: float) -> float:
        """Likewise at one level of noise."""
        return self.detected[kind, level] / self.injected[kind, level]


def injected(suite: Suite, repeats: int) -> Score:
    """All rules on all injected series of a suite."""
    score = Score()
    for inject in INJECTIONS:
        kind = inject.__name__
        for shape in suite.shapes:
            if not suite.is_meaningful(kind, shape):
                continue
            for level in NOISE:
                for repeat in range(repeats):
                    random = seeded(*suite.seed, kind, shape, level, repeat)
                    _inject(score, suite, kind, shape, level, random)
    return score


def _inject(  # noqa: PLR0917
    score: Score, suite: Suite, kind: str, shape: str, level: float, random: Random
) -> None:
    series = clean(suite.shapes[shape], level, random, suite.points)
    near = NEAR.get(kind, 12)
    last = 2 if kind == "plateau" else 3
    at = int(random.integers(suite.points // 5, suite.points * last // 5))
    where = INJECTIONS[KINDS.index(kind)](series, at, level, random)
    hits = 0
    for event, tag, step in series.evaluate():
        is_near = -near // 2 <= step - at <= near
        if event == kind and is_near and (tag == where or kind == "throughput"):
            hits += 1
        else:
            score.false[event.value] += 1
    score.right[kind] += hits
    score.injected[kind, level] += 1
    score.detected[kind, level] += hits > 0


def false_events(suite: Suite, points: int) -> tuple[Counter[str], Counter[str]]:
    """False events per rule on clean series, and the points that each rule evaluated."""
    false: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    kinds_of = {tag: [rule.kind.value for rule in RULES.of_tag(tag)] for tag in TAGS}
    while min(seen.values(), default=0) < points:
        for name, shape in suite.shapes.items():
            if name in suite.not_clean:
                continue
            for level in NOISE:
                for length in (200, 1_000, 5_000):
                    random = seeded(*suite.seed, name, level, length, sum(seen.values()))
                    for event, _, _ in clean(shape, level, random, length).evaluate():
                        false[event.value] += 1
                    for tag in TAGS:
                        seen.update(dict.fromkeys(kinds_of[tag], length))
    return false, seen


def oscillation_events(points: int) -> tuple[Counter[str], int]:
    """False events per rule on losses that all oscillate, and their points."""
    false: Counter[str] = Counter()
    seen = 0
    while seen < points:
        for length in (200, 1_000, 5_000):
            loss = oscillation(length, seeded("oscillation", length, seen))
            evaluation = RuleEvaluation(RULES, TAGS[:1])
            steps = np.arange(length)
            evaluation.append(TAGS[0], steps, steps.astype(np.float64), loss)
            false.update(event.rule.kind.value for event in evaluation.events())
            seen += length
    return false, seen


def upper_limit(events: int) -> float:
    """The most events that one expects, with 95 % confidence, if this many were counted."""
    low, high = 0.0, 10.0 + 3.0 * events
    for _ in range(60):
        mean = (low + high) / 2
        term = total = np.exp(-mean)
        for number in range(1, events + 1):
            term *= mean / number
            total += term
        low, high = (mean, high) if total > 0.05 else (low, mean)
    return low
