"""Permutation importances by random forests.

A forest predicts the result from all hyperparameters, so it finds interactions and non-monotonic
effects that correlations miss. A hyperparameter's importance is half the increase of the squared
error on unseen jobs when its values are shuffled: its share of the variance, alone and by
interactions. Sources: Breiman, Random Forests, 2001; Jansen's estimator of total effects, 1999.
Each bootstrap sample of the jobs has a separate forest and is evaluated on the remaining jobs; the
interval describes the spread between bootstraps.

A category is several columns (one-hot), which are shuffled together.

The cost is estimated first: more jobs, columns and results get smaller forests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mindviz.lineagemgr.importance import FEW_SAMPLES, ranks
from mindviz.lineagemgr.regression_trees import grow_trees

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
FEW_COLUMNS = 8
"""With more, a split considers a third of the columns, as Breiman recommends, but not fewer."""
_FAR = 3
"""Interquartile ranges from the middle half of the results to an outlier."""
INTERVAL = (5.0, 95.0)
"""Percentiles."""


@dataclass(frozen=True, slots=True)
class ForestImportance:
    """The importance of one hyperparameter."""

    importance: float
    """Share of the result's variance: about 0 to 1, and slightly negative by chance."""
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

    def cost(self, columns: int) -> float:
        """Approximate CPU seconds, measured on one 2.5 GHz core."""
        visits = self.samples * math.log2(self.samples + 1)
        growing = visits * (60e-9 + 35e-9 * _considered(columns))
        shuffling = 0.37 * visits * SHUFFLES * (100e-9 + 2e-9 * columns)
        return (15e-5 + growing + shuffling) * self.trees * self.bootstraps


def forest_size(jobs: int, columns: int, targets: int = 1) -> ForestSize:
    """The largest size whose cost for all targets is at most MAX_COST.

    Reduces trees first, because fewer jobs degrade importances more.
    """
    size = ForestSize(min(jobs, MAX_SAMPLES))
    while size.cost(columns) * targets > MAX_COST:
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
    """One per parameter; None with fewer than FEW_SAMPLES jobs, or if all results are equal.

    A few jobs rank parameters better by correlations, which fit fewer shapes.

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
    if len(known) < FEW_SAMPLES or not parameters:
        return None
    x = np.column_stack(
        [_rank(values[known]) if values.ndim == 1 else values[known] for values in parameters]
    )
    # Scaled, so that squared errors neither overflow nor underflow.
    y = _without_outliers(target[known] / (np.abs(target[known]).max() or 1.0))
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


def _without_outliers(values: Numbers) -> Numbers:
    """Outliers as the nearest other value: one diverged run would be all of the variance."""
    first, third = np.percentile(values, (25, 75))
    reach = _FAR * (third - first)
    if not reach:
        return values
    inside = values[(values >= first - reach) & (values <= third + reach)]
    return np.clip(values, inside.min(), inside.max())


def _rank(values: Numbers) -> Numbers:
    """Ranks, so that thresholds are independent of the scale; -1 if missing."""
    ranked = np.full(len(values), -1.0)
    present = ~np.isnan(values)
    ranked[present] = ranks(values[present])
    return ranked


def _considered(columns: int) -> int:
    """The number of columns that a split considers."""
    return min(columns, max(FEW_COLUMNS, columns // 3))


def _drops(
    x: Numbers, widths: Sequence[int], y: Numbers, trees: int, random: np.random.Generator
) -> Numbers | None:
    """The importances of one bootstrap; a parameter is as many adjacent columns as its width."""
    jobs, columns = x.shape
    drawn = random.integers(jobs, size=jobs)
    left_out = np.setdiff1d(np.arange(jobs), drawn)
    if not len(left_out):
        return None
    forest = grow_trees(x[drawn], y[drawn], trees, _considered(columns), random)
    parameter = np.repeat(np.arange(len(widths)), widths)
    rows = np.broadcast_to(np.arange(len(left_out)), (len(widths), SHUFFLES, len(left_out)))
    predicted, change = forest.shuffled(x[left_out], parameter, random.permuted(rows, axis=2))
    error = predicted - y[left_out]
    increase = (change * (2 * error + change)).mean(axis=(1, 2))
    drops: Numbers = increase / (2 * np.var(y))
    return drops
