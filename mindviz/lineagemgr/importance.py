"""The correlation of hyperparameters with results."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.deadline import check
from mindviz.lineagemgr.categories import category_codes, count_values, multiple_correlation

Numbers = NDArray[np.float64]
"""A value per job; NaN if missing."""

SYSTEM_PARAMETERS = ("learning_rate", "epoch", "batch_size")
MAX_USER_DEFINED = 100
"""Maximum number of user-defined parameters, as in the contract."""
BUCKETS = 5
FEW_SAMPLES = 10
MAX_COST = 10_000_000
"""Targets x parameters x (jobs + CORRELATION_JOBS) per response: about one CPU second."""
CORRELATION_JOBS = 1000
"""The constant cost of a correlation, as a number of jobs."""

NOT_NUMBERS = 1
TOO_FEW_SAMPLES = 2
NO_CORRELATION = 3
"""The contract's reason codes; NO_CORRELATION: one of the two values is equal in all jobs."""
IDENTIFIER = 4
"""A parameter that names jobs instead of configuring them; not in the contract."""

MIN_IDENTIFIERS = 6
"""With fewer jobs, texts may differ in all of them by chance."""
_IDENTIFIER_NAME = re.compile(r"(^|[\s/_.-])(id|uid|uuid|guid|pid|timestamp)$", re.IGNORECASE)

Column = Callable[[str], Sequence[Any]]
"""Returns the values of a name in the contract, one per job."""


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A hyperparameter or a result, for all jobs."""

    name: str
    """As in the contract: `[U]<name>` if user-defined, `[M]<name>` for metrics."""
    data: tuple[Any, ...]
    """As logged, one per job; None if missing."""
    numbers: Numbers
    """The codes of the categories if `is_category`."""
    is_category: bool = False
    is_identifier: bool = False


@dataclass(frozen=True, slots=True)
class Importance:
    """The correlation of a hyperparameter with a target."""

    name: str
    importance: float
    """|Pearson's correlation|, or the multiple correlation of categories, 0 to 1."""
    reason_code: int | None
    """Why the importance is unknown, and so given as 0; None if it is known."""
    spearman: float | None
    """Rank correlation, -1 to 1; of categories, the multiple correlation with the ranks of the
    target. None if unknown. A diverged run dominates `importance`, but is one rank here."""
    samples: int
    """Number of jobs with both values."""
    is_category: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A result, and the hyperparameters sorted by importance."""

    result: Parameter
    buckets: tuple[tuple[float, float, int], ...]
    """A histogram of the result: left, width, count."""
    importances: tuple[Importance, ...]
    samples: int
    """Number of jobs with the result."""

    @property
    def warning(self) -> str | None:
        """A warning if few jobs have the result."""
        if self.samples >= FEW_SAMPLES:
            return None
        return (
            f"Only {self.samples} jobs have this result. With fewer than {FEW_SAMPLES}, "
            "importances are mostly chance."
        )


@dataclass(frozen=True, slots=True, eq=False)
class TargetSearch:
    """Targets and hyperparameters of some jobs."""

    train_ids: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    unrecognized: tuple[str, ...]
    """Names of parameters that are not numeric."""
    omitted: tuple[str, ...]
    """Names of targets beyond MAX_COST."""
    targets: tuple[Target, ...] = field(default=())
    """Sorted by name."""


def search_targets(rows: Sequence[Lineage], *, max_cost: int = MAX_COST) -> TargetSearch:
    """Importances of the numeric hyperparameters for all numeric results, as in the contract."""
    column = columns_of(rows)
    parameters, unrecognized = [], []
    for name in (*SYSTEM_PARAMETERS, *user_defined_parameters(rows)):
        values = column(name)
        parameter = _number(name, values)
        if parameter is not None:
            parameters.append(parameter)
        elif name.startswith("[U]") and any(value is not None for value in values):
            unrecognized.append(name)
    search = _search(rows, parameters, all_targets(rows), column, max_cost)
    return replace(search, unrecognized=tuple(unrecognized))


def rank_parameters(
    rows: Sequence[Lineage],
    parameters: Sequence[str],
    targets: Sequence[str],
    column: Column,
    *,
    max_cost: int = MAX_COST,
) -> TargetSearch:
    """Importances of these hyperparameters, numbers and categories, for these results."""
    ranked = [_parameter(name, column(name)) for name in parameters]
    known = [parameter for parameter in ranked if parameter is not None]
    return _search(rows, known, targets, column, max_cost)


def columns_of(rows: Sequence[Lineage]) -> Column:
    """Finds fields, metrics and user-defined parameters by the contract's names."""

    def column(name: str) -> Sequence[Any]:
        if name.startswith("[M]"):
            return [row.metric.get(name[3:]) for row in rows]
        if name.startswith("[U]"):
            return [row.user_defined.get(name[3:]) for row in rows]
        return [getattr(row, name) for row in rows]

    return column


def user_defined_parameters(rows: Sequence[Lineage]) -> list[str]:
    """The first MAX_USER_DEFINED."""
    return [f"[U]{name}" for name in _names([row.user_defined for row in rows])[:MAX_USER_DEFINED]]


def all_targets(rows: Sequence[Lineage]) -> list[str]:
    """`loss`, then all metrics by name."""
    return ["loss", *(f"[M]{name}" for name in sorted(_names([row.metric for row in rows])))]


def _search(
    rows: Sequence[Lineage],
    parameters: Sequence[Parameter],
    targets: Sequence[str],
    column: Column,
    max_cost: int,
) -> TargetSearch:
    # The first, which is `loss` by default, does not count.
    shown = 1 + max(1, max_cost // max(1, len(parameters) * (len(rows) + CORRELATION_JOBS)))
    results = [_number(name, column(name)) for name in targets[:shown]]
    ranked = [_target(result, parameters) for result in results if result is not None]
    return TargetSearch(
        train_ids=tuple(row.summary_dir for row in rows),
        parameters=tuple(parameters),
        unrecognized=(),
        omitted=tuple(targets[shown:]),
        targets=tuple(sorted(ranked, key=lambda target: target.result.name)),
    )


def _names(mappings: Sequence[Mapping[str, Any]]) -> list[str]:
    """All keys, in the order of their first appearance."""
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _parameter(name: str, values: Sequence[Any]) -> Parameter | None:
    """A number or a category; None if all values are missing."""
    logged, distinct = sum(value is not None for value in values), count_values(values)
    number = _number(name, values)
    if number is not None:
        is_identifier = distinct == logged and bool(_IDENTIFIER_NAME.search(name))
        return replace(number, is_identifier=is_identifier)
    if not logged:
        return None
    # Names, paths, dates and the like, of which few are equal.
    least_distinct = logged if logged < FEW_SAMPLES else logged // 2 + 1
    is_identifier = logged >= MIN_IDENTIFIERS and distinct >= least_distinct
    return Parameter(
        name,
        tuple(values),
        category_codes(values),
        is_category=True,
        is_identifier=is_identifier,
    )


def _number(name: str, values: Sequence[Any]) -> Parameter | None:
    """None if any value is not a number, or all are missing."""
    if any(value is not None and not isinstance(value, int | float) for value in values):
        return None
    if all(value is None for value in values):
        return None
    numbers = np.array([_finite(value) for value in values], dtype=np.float64)
    data = tuple(None if math.isnan(_finite(value)) else value for value in values)
    return Parameter(name, data, numbers)


def _finite(value: float | None) -> float:
    # Infinities, and integers beyond float64's range, count as missing.
    try:
        number = math.nan if value is None else float(value)
    except OverflowError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _target(result: Parameter, parameters: Sequence[Parameter]) -> Target:
    importances = [_importance(parameter, result.numbers) for parameter in parameters]
    # Rounded, so that rounding errors do not affect the order.
    importances.sort(
        key=lambda item: (-round(item.importance, 12), item.name.startswith("[U]"), item.name)
    )
    known = result.numbers[~np.isnan(result.numbers)]
    return Target(result, _buckets(known), tuple(importances), len(known))


def _importance(parameter: Parameter, target: Numbers) -> Importance:
    check()
    both = ~np.isnan(parameter.numbers) & ~np.isnan(target)
    samples = int(both.sum())
    x, y = parameter.numbers[both], target[both]
    strength = None
    if samples <= 2:
        reason = TOO_FEW_SAMPLES
    else:
        measure = multiple_correlation if parameter.is_category else correlation
        strength = measure(x, y)
        reason = NO_CORRELATION
        if strength is not None and parameter.is_identifier:
            strength, reason = None, IDENTIFIER
    if strength is None:
        return Importance(parameter.name, 0.0, reason, None, samples, parameter.is_category)
    position = x if parameter.is_category else ranks(x)
    spearman = measure(position, ranks(y))
    return Importance(parameter.name, abs(strength), None, spearman, samples, parameter.is_category)


def correlation(x: Numbers, y: Numbers) -> float | None:
    """Pearson's correlation of two arrays of shape (n,); None if either is constant."""
    if not len(x) or x.min() == x.max() or y.min() == y.max():
        return None
    # Scaled, so that squares neither overflow nor underflow.
    dx, dy = (values / np.abs(values).max() for values in (x, y))
    dx, dy = dx - dx.mean(), dy - dy.mean()
    dx, dy = (values / np.abs(values).max() for values in (dx, dy))
    denominator = math.sqrt(float(dx @ dx)) * math.sqrt(float(dy @ dy))
    return max(-1.0, min(1.0, float(dx @ dy) / denominator))


def ranks(values: Numbers) -> Numbers:
    """Ranks from 0; equal values get their mean rank."""
    _, inverse, count = np.unique(values, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(count) - (count + 1) / 2
    found: Numbers = mean_rank[inverse]
    return found


def _buckets(values: Numbers) -> tuple[tuple[float, float, int], ...]:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    size = max(abs(low), abs(high))
    if high / 2 - low / 2 <= max(1e-300, size * 1e-12):
        # The values are equal, or too close for distinct edges.
        margin = max(0.5, size * 1e-9)
        low, high = max(low - margin, -_LARGEST), min(high + margin, _LARGEST)
    # Scaled, because the difference of two large numbers may overflow.
    scale = 0.25 if size > _LARGEST / 4 else 1.0
    counts, edges = np.histogram(values * scale, bins=BUCKETS, range=(low * scale, high * scale))
    lefts, widths = edges[:-1] / scale, np.diff(edges) / scale
    return tuple(zip(lefts.tolist(), widths.tolist(), counts.tolist(), strict=True))


_LARGEST = float(np.finfo(np.float64).max)
