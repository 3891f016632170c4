"""Permutation importances by random forests; needs scikit-learn, the extra `importance`.

A forest predicts the result from all hyperparameters, so it finds interactions and non-monotonic
effects that correlations miss. A hyperparameter's importance is the increase of the error on
unseen jobs when its values are shuffled. Source: Breiman, Random Forests, 2001. Each bootstrap
sample of the jobs has a separate forest and is evaluated on the remaining jobs; the interval
describes the spread between bootstraps.

A category is several columns (one-hot), which are shuffled together.

The cost is estimated first: more jobs, columns and results get smaller forests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mindviz.deadline import check
from mindviz.lineagemgr.importance import ranks

Numbers = NDArray[np.float64]

BOOTSTRAPS, MIN_BOOTSTRAPS = 20, 8
TREES, MIN_TREES = 40, 8
"""Per bootstrap."""
SHUFFLES = 4
"""Per hyperparameter and bootstrap."""
MAX_SAMPLES, ENOUGH_SAMPLES, FEWEST_SAMPLES = 2_000, 500, 150
"""Numbers of jobs to sample: the maximum, and two minimums for a limited cost."""
MAX_COST = 2.0
"""Approximate CPU seconds for all results of one response."""
FEW_PARAMETERS = 8
"""With more, a split considers a third of the parameters, as Breiman recommends."""
MIN_SAMPLES = 5
"""With fewer jobs, too few are left for the evaluation."""
INTERVAL = (5.0, 95.0)
"""Percentiles."""


@dataclass(frozen=True, slots=True)
class ForestImportance:
    """The importance of one hyperparameter."""

    importance: float
    """Fraction of the result's variance that it explains: about 0 to 1, or more for
    interactions."""
    low: float
    high: float
    """90 % of the bootstraps are between these."""
    samples: int
    """Number of jobs used."""


@dataclass(frozen=True, slots=True)
class ForestSize:
    """The size of the forests for one result."""

    samples: int
    bootstraps: int = BOOTSTRAPS
    trees: int = TREES

    def cost(self, parameters: int) -> float:
        """Approximate CPU seconds, measured with scikit-learn 1.9 on one 2.5 GHz core."""
        visits = self.samples * math.log2(self.samples + 1)
        tree = (
            7e-4
            + 25e-9 * visits * parameters * _share_of_split(parameters)
            + 7e-9 * visits * 0.37 * (1 + parameters * SHUFFLES)
        )
        return tree * self.trees * self.bootstraps


def forest_size(jobs: int, parameters: int, targets: int = 1) -> ForestSize:
    """The largest size whose cost for all targets is at most MAX_COST.

    Reduces trees first, because fewer jobs degrade importances more.
    """
    size = ForestSize(min(jobs, MAX_SAMPLES))
    while size.cost(parameters) * targets > MAX_COST:
        if size.trees > MIN_TREES:
            size = replace(size, trees=max(MIN_TREES, size.trees * 3 // 4))
        elif size.samples > ENOUGH_SAMPLES:
            size = replace(size, samples=max(ENOUGH_SAMPLES, size.samples * 3 // 4))
        elif size.bootstraps > MIN_BOOTSTRAPS:
            size = replace(size, bootstraps=size.bootstraps - 1)
        elif size.samples > FEWEST_SAMPLES:
            size = replace(size, samples=max(FEWEST_SAMPLES, size.samples * 3 // 4))
        else:
            break
    return size


def forest_importances(
    parameters: Sequence[Numbers], target: Numbers, *, targets: int = 1, seed: int = 0
) -> list[ForestImportance] | None:
    """One per parameter; None if there are too few jobs, or all results are equal.

    Numbers have shape (jobs,), with NaN for missing values: jobs without the result are omitted,
    and a missing parameter counts as a separate value. Categories have shape (jobs, columns), with
    zeros if missing. `targets`: number of results that share MAX_COST.
    """
    known = np.flatnonzero(~np.isnan(target))
    random = np.random.default_rng(seed)
    widths = [1 if values.ndim == 1 else values.shape[1] for values in parameters]
    size = forest_size(len(known), sum(widths), targets)
    if len(known) > size.samples:
        known = np.sort(random.choice(known, size.samples, replace=False))
    if len(known) < MIN_SAMPLES or not parameters:
        return None
    x = np.column_stack(
        [_rank(values[known]) if values.ndim == 1 else values[known] for values in parameters]
    )
    # Scaled, so that squared errors neither overflow nor underflow.
    y = target[known] / (np.abs(target[known]).max() or 1.0)
    y = y - y.mean()
    if not y.any():
        return None
    y = y / np.abs(y).max()
    drops = [
        drop
        for _ in range(size.bootstraps)
        if (drop := _drops(x, widths, y, size.trees, random)) is not None
    ]
    if not drops:
        return None
    table = np.stack(drops)
    low, high = np.percentile(table, INTERVAL, axis=0)
    return [
        ForestImportance(float(mean), float(least), float(most), len(known))
        for mean, least, most in zip(table.mean(axis=0), low, high, strict=True)
    ]


def _rank(values: Numbers) -> Numbers:
    """Ranks, because trees split float32, which cannot separate all values; -1 if missing."""
    ranked = np.full(len(values), -1.0)
    present = ~np.isnan(values)
    ranked[present] = ranks(values[present])
    return ranked


def _share_of_split(parameters: int) -> float:
    """The fraction of parameters that a split considers."""
    return 1.0 if parameters <= FEW_PARAMETERS else 1 / 3


def _drops(
    x: Numbers, widths: Sequence[int], y: Numbers, trees: int, random: np.random.Generator
) -> Numbers | None:
    """One bootstrap: the error increase per shuffled parameter, as a fraction of the variance.

    A parameter is as many adjacent columns of `x` as its width.
    """
    check()
    jobs, columns = x.shape
    drawn = random.integers(jobs, size=jobs)
    left_out = np.setdiff1d(np.arange(jobs), drawn)
    variance = float(np.var(y))
    if not len(left_out):
        return None
    # Imported late: it imports scipy.stats and pandas, 1 s of CPU and 100 MB.
    from sklearn.ensemble import RandomForestRegressor  # noqa: PLC0415

    forest = RandomForestRegressor(
        n_estimators=trees,
        min_samples_leaf=2,
        max_features=_share_of_split(columns),
        random_state=int(random.integers(2**31)),
    )
    forest.fit(x[drawn], y[drawn])
    unseen, result = x[left_out], y[left_out]
    # All variants in one call, because the cost of `predict` is per call.
    parameters = len(widths)
    variants = np.tile(unseen, (1 + parameters * SHUFFLES, 1, 1))
    for parameter, end in enumerate(np.cumsum(widths)):
        own = slice(end - widths[parameter], end)
        for shuffle in range(SHUFFLES):
            variant = variants[1 + parameter * SHUFFLES + shuffle]
            variant[:, own] = random.permutation(variant[:, own])
    predicted = forest.predict(variants.reshape(-1, columns)).reshape(len(variants), -1)
    errors = ((predicted - result) ** 2).mean(axis=1)
    drops: Numbers = (errors[1:] - errors[0]).reshape(parameters, SHUFFLES).mean(axis=1) / variance
    return drops
