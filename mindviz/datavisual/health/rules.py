"""Rules: what counts as an anomaly in the values of a series, with which parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.detectors import Change, Detector, Streak, Throughput
from mindviz.datavisual.health.plateaus import Plateau
from mindviz.datavisual.health.spikes import Spike
from mindviz.datavisual.health.trend_detectors import Divergence, ValidationGap
from mindviz.expression import Expression

LOSS = r"(?i)loss|perplexity|(^|[^a-z])(nll|ppl|mse|mae|rmse|error|err|wer|cer)([^a-z]|$)"
GRADIENT = r"(?i)grad"
HIGHER_IS_BETTER = r"(?i)acc|auc|precision|recall|score|(^|[^a-z])(f1|bleu|map|iou|r2)([^a-z]|$)"
METRIC = f"{LOSS}|{HIGHER_IS_BETTER}"
SCHEDULES = (
    r"(?i)(^|[^a-z])(lr|learning_?rate|momentum|epochs?|steps?|iters?|iterations?|time|seconds)"
    r"([^a-z]|$)"
)
"""Series that jump by design."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a rule takes."""

    default: float
    minimum: float
    maximum: float
    about: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class RuleType:
    """One kind of rule."""

    about: str
    parameters: Mapping[str, Parameter]
    make: Callable[[Mapping[str, float], str], Detector]
    """The detector of these parameters for a tag."""
    tags: str = ""
    """Default pattern of the tags; empty for all."""
    exclude: str = ""
    """Default pattern of tags to leave out."""


def _points(default: int, about: str, minimum: int = 1) -> Parameter:
    return Parameter(default, minimum, 10_000, about, whole=True)


def _factor(default: float, about: str) -> Parameter:
    return Parameter(default, 1.01, 1e6, about)


def _share(default: float, about: str) -> Parameter:
    return Parameter(default, 0.001, 1e6, about)


_Z = "how many times the noise"

TYPES: Mapping[AnomalyKind, RuleType] = {
    AnomalyKind.NAN: RuleType(
        "values are NaN",
        {"points": _points(1, "consecutive points")},
        lambda p, _: Streak(0, math.inf, -math.inf, int(p["points"])),
    ),
    AnomalyKind.INFINITY: RuleType(
        "values are infinite",
        {"points": _points(1, "consecutive points")},
        lambda p, _: Streak(1, math.inf, -math.inf, int(p["points"])),
    ),
    AnomalyKind.SPIKE: RuleType(
        "values jump away from those before, and return",
        {
            "z": Parameter(9.0, 1.0, 1e6, f"{_Z}: distance from the median"),
            "window": _points(48, "points that median and noise are computed from", 8),
            "recovery": _points(32, "points after which a value has returned, else it is a level"),
        },
        lambda p, _: Spike(p["z"], int(p["window"]), int(p["recovery"])),
        exclude=SCHEDULES,
    ),
    AnomalyKind.DIVERGENCE: RuleType(
        "a loss rises and stays up",
        {
            "share": _share(0.5, "rise from the best level, as a share of the loss' decrease"),
            "z": Parameter(16.0, 1.0, 1e6, f"{_Z}: the rise"),
            "points": _points(10, "points of a level", 3),
        },
        lambda p, _: Divergence(p["share"], p["z"], int(p["points"])),
        tags=LOSS,
    ),
    AnomalyKind.PLATEAU: RuleType(
        "steady progress stops abruptly, or values freeze",
        {
            "share": _share(0.1, "progress left, as a share of that expected"),
            "z": Parameter(3.5, 1.0, 1e6, f"{_Z}: the expected progress"),
            "points": _points(8, "points of the shortest block that is compared", 4),
            "frozen": _points(30, "identical consecutive values that count as frozen", 3),
        },
        lambda p, tag: Plateau(p["share"], p["z"], int(p["points"]), int(p["frozen"]), _sign(tag)),
        tags=METRIC,
    ),
    AnomalyKind.THROUGHPUT: RuleType(
        "steps take longer than before",
        {
            "factor": _factor(1.5, "seconds per step, compared with those before"),
            "points": _points(10, "consecutive points that are slower", 4),
            "window": _points(64, "points before, for comparison", 20),
        },
        lambda p, _: Throughput(p["factor"], int(p["points"]), int(p["window"])),
    ),
    AnomalyKind.VALIDATION_GAP: RuleType(
        "a validation metric gets worse while its training metric does not",
        {
            "share": _share(0.25, "loss of the metric, as a share of what it had gained"),
            "z": Parameter(17.0, 1.0, 1e6, f"{_Z}: the loss of the metric"),
            "points": _points(5, "points of the shortest level", 2),
        },
        lambda p, tag: ValidationGap(p["share"], p["z"], int(p["points"]), _sign(tag)),
        tags=METRIC,
    ),
    AnomalyKind.GRADIENT_CHANGE: RuleType(
        "the level of a gradient norm changes at once",
        {
            "factor": _factor(4.0, "ratio of the levels before and after"),
            "points": _points(8, "points of a level", 3),
            "window": _points(64, "points before whose range the change must leave", 16),
        },
        lambda p, _: Change(p["factor"], int(p["points"]), int(p["window"])),
        tags=GRADIENT,
    ),
    AnomalyKind.THRESHOLD: RuleType(
        "values are above or below a limit",
        {
            "above": Parameter(math.inf, -1e300, 1e300, "the upper limit"),
            "below": Parameter(-math.inf, -1e300, 1e300, "the lower limit"),
            "points": _points(1, "consecutive points"),
        },
        lambda p, _: Streak(2, p["above"], p["below"], int(p["points"])),
    ),
}
"""In the order of the documentation. All but the threshold are rules by default."""

_HIGHER = re.compile(HIGHER_IS_BETTER)


def _sign(tag: str) -> float:
    """-1 for a metric where more is better; a loss stays one: `loss_score`."""
    return -1.0 if _HIGHER.search(tag) and not re.search(LOSS, tag) else 1.0


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its parameters."""

    name: str
    kind: AnomalyKind
    parameters: Mapping[str, float]
    tags: str = ""
    exclude: str = ""

    def detector(self, tag: str) -> Detector:
        """A new state machine for a series."""
        return TYPES[self.kind].make(self.parameters, tag)


def default_rule(kind: AnomalyKind, name: str = "") -> Rule:
    """The rule with the defaults of its type."""
    of = TYPES[kind]
    parameters = {key: parameter.default for key, parameter in of.parameters.items()}
    return Rule(name or kind.value, kind, MappingProxyType(parameters), of.tags, of.exclude)


@dataclass(frozen=True, slots=True)
class _Matcher:
    rule: Rule
    tags: Expression | None
    exclude: Expression | None

    def matches(self, tag: str) -> bool:
        if self.tags is not None and not self.tags.search(tag):
            return False
        return self.exclude is None or not self.exclude.search(tag)


MAX_CACHED_TAGS = 100_000


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of rules, and which tags they apply to."""

    all: Sequence[Rule]
    silent: frozenset[AnomalyKind] = frozenset()
    """Kinds of anomalies in the log, such as gaps, that are switched off."""
    _matchers: list[_Matcher] = field(default_factory=list, repr=False)
    _by_tag: dict[str, tuple[Rule, ...]] = field(default_factory=dict, repr=False)

    def of_tag(self, tag: str) -> tuple[Rule, ...]:
        """The rules that apply to a series."""
        rules = self._by_tag.get(tag)
        if rules is None:
            if not self._matchers:
                self._matchers.extend(_matcher(rule) for rule in self.all)
            rules = tuple(matcher.rule for matcher in self._matchers if matcher.matches(tag))
            if len(self._by_tag) >= MAX_CACHED_TAGS:
                self._by_tag.clear()
            self._by_tag[tag] = rules
        return rules


def _matcher(rule: Rule) -> _Matcher:
    return _Matcher(
        rule,
        Expression(rule.tags) if rule.tags else None,
        Expression(rule.exclude) if rule.exclude else None,
    )


def default_rules() -> Rules:
    """All rules with their defaults."""
    return Rules([default_rule(kind) for kind in TYPES if kind is not AnomalyKind.THRESHOLD])


_VALIDATION = re.compile(
    r"(?<![A-Za-z])(val|valid|validation|eval|evaluation|test|dev)(?![A-Za-z])([/_. -]?)",
    re.IGNORECASE,
)


def training_tag(tag: str, tags: Iterable[str]) -> str | None:
    """The tag of `tags` with the training metric of this validation metric."""
    match = _VALIDATION.search(tag)
    if match is None:
        return None
    word, separator = match.groups()
    before, after = tag[: match.start()], tag[match.end() :]
    known = set(tags)
    for name in ("train", "training"):
        cased = name.capitalize() if word[0].isupper() else name
        if (candidate := before + cased + separator + after) in known:
            return candidate
    bare = before + after if separator else before.rstrip("/_. -")
    return bare if bare and bare in known else None


def parameters_text(kind: AnomalyKind) -> Iterable[tuple[str, Any, str]]:
    """Key, default and description of each parameter, for messages and documents."""
    for key, parameter in TYPES[kind].parameters.items():
        default = int(parameter.default) if parameter.whole else parameter.default
        yield key, default, parameter.about
