"""The correlation of hyperparameters with results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.deadline import check
from mindviz.lineagemgr.lineage import Lineage

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


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A hyperparameter or a result, for all jobs."""

    name: str
    """As in the contract: `[U]<name>` if user-defined, `[M]<name>` for metrics."""
    data: tuple[int | float | None, ...]
    """As logged, one per job."""
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Importance:
    """The correlation of a hyperparameter with a target."""

    name: str
    importance: float
    """|Pearson's correlation|, 0 to 1."""
    reason_code: int | None
    """Why the importance is unknown, and so given as 0; None if it is known."""
    spearman: float | None
    """Rank correlation, -1 to 1; None if unknown."""
    samples: int
    """Number of jobs with both values."""


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
    """Importances of all numeric hyperparameters for all numeric results of the jobs."""
    parameters = [
        parameter
        for name in SYSTEM_PARAMETERS
        if (parameter := _parameter(name, [getattr(row, name) for row in rows]))
    ]
    unrecognized = []
    for name in _names([row.user_defined for row in rows])[:MAX_USER_DEFINED]:
        values = [row.user_defined.get(name) for row in rows]
        parameter = _parameter(f"[U]{name}", values)
        if parameter is not None:
            parameters.append(parameter)
        elif any(value is not None for value in values):
            unrecognized.append(f"[U]{name}")
    metrics = sorted(_names([row.metric for row in rows]))
    shown = max(1, max_cost // max(1, len(parameters) * (len(rows) + CORRELATION_JOBS)))
    results = [
        _parameter("loss", [row.loss for row in rows]),
        *(
            _parameter(f"[M]{name}", [row.metric.get(name) for row in rows])
            for name in metrics[:shown]
        ),
    ]
    targets = [_target(result, parameters) for result in results if result is not None]
    return TargetSearch(
        train_ids=tuple(row.summary_dir for row in rows),
        parameters=tuple(parameters),
        unrecognized=tuple(unrecognized),
        omitted=tuple(f"[M]{name}" for name in metrics[shown:]),
        targets=tuple(sorted(targets, key=lambda target: target.result.name)),
    )


def _names(mappings: Sequence[Mapping[str, Any]]) -> list[str]:
    """All keys, in the order of their first appearance."""
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _parameter(name: str, values: Sequence[Any]) -> Parameter | None:
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
    if samples <= 2:
        return Importance(parameter.name, 0.0, TOO_FEW_SAMPLES, None, samples)
    pearson = correlation(x, y)
    if pearson is None:
        return Importance(parameter.name, 0.0, NO_CORRELATION, None, samples)
    spearman = correlation(ranks(x), ranks(y))
    return Importance(parameter.name, abs(pearson), None, spearman, samples)


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
