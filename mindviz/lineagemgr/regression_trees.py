"""Extremely randomized regression trees in numpy: all trees grow together, level by level.

A split is the best of one random threshold per considered column. Source: Geurts, Ernst and
Wehenkel, Extremely randomized trees, 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.deadline import check

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

MIN_SPLIT = 5
"""Nodes with fewer rows are not split, as the authors recommend for noisy results."""


class _Level(NamedTuple):
    column: Places
    threshold: Numbers
    left: Places
    value: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class RegressionTrees:
    """The nodes of all trees, level by level; the first are the roots."""

    trees: int
    column: Places
    """The column of a split; -1 in leaves."""
    threshold: Numbers
    """Rows with a larger value go right."""
    left: Places
    """The left child; the right one follows it."""
    value: Numbers
    """The mean result of the node's rows."""

    def predict(self, x: Numbers) -> Numbers:
        """The mean prediction of all trees for each row of `x`."""
        node, row = self._roots(len(x))
        for _ in self._descend(node, lambda path, column: x[row[path], column]):
            pass
        return self._mean(node, len(x))

    def shuffled(self, x: Numbers, parameter: Places, source: Places) -> tuple[Numbers, Numbers]:
        """The predictions for `x`, and their changes if a parameter is shuffled.

        `parameter`: which one each column belongs to. `source`: of shape (parameters, shuffles,
        rows), the rows that the parameter's values are taken from; the changes have its shape.
        """
        parameters, shuffles, rows = source.shape
        node, row = self._roots(rows)
        # Shuffling changes a path only from the first node that splits by the parameter.
        first = np.full(len(node) * parameters, -1)
        for path, inner in self._descend(node, lambda path, column: x[row[path], column]):
            use = path * parameters + parameter[self.column[inner]]
            first[use] = np.where(first[use] < 0, inner, first[use])
        used = np.flatnonzero(first >= 0)
        path, own = np.divmod(used, parameters)
        row = row[path]
        change = np.empty(source.shape)
        for shuffle in range(shuffles):
            other = source[own, shuffle, row]

            def value(at: Places, column: Places, other: Places = other) -> Numbers:
                return x[np.where(parameter[column] == own[at], other[at], row[at]), column]

            end = first[used]
            for _ in self._descend(end, value):
                pass
            difference = self.value[end] - self.value[node[path]]
            total = np.bincount(own * rows + row, difference, parameters * rows)
            change[:, shuffle] = total.reshape(parameters, rows) / self.trees
        return self._mean(node, rows), change

    def _roots(self, rows: int) -> tuple[Places, Places]:
        """The node and row at the start of each path."""
        node, row = np.divmod(np.arange(self.trees * rows), rows)
        return node, row

    def _descend(
        self, node: Places, value: Callable[[Places, Places], Numbers]
    ) -> Iterator[tuple[Places, Places]]:
        """Moves `node`, one per path, to the leaves; yields the remaining paths and their nodes.

        `value` returns the values of paths in columns.
        """
        path = np.arange(len(node))
        while len(path := path[self.column[node[path]] >= 0]):
            check()
            inner = node[path]
            yield path, inner
            is_right = value(path, self.column[inner]) > self.threshold[inner]
            node[path] = self.left[inner] + is_right

    def _mean(self, leaf: Places, rows: int) -> Numbers:
        mean: Numbers = self.value[leaf].reshape(self.trees, rows).mean(axis=0)
        return mean


def grow_trees(
    x: Numbers, y: Numbers, trees: int, considered: int, random: np.random.Generator
) -> RegressionTrees:
    """Trees that predict `y` from `x`; each split considers `considered` random columns."""
    rows, columns = x.shape
    levels: list[_Level] = []
    # The rows of the level's nodes, sorted by node.
    row, size = np.tile(np.arange(rows), trees), np.full(trees, rows)
    nodes = trees
    while len(size):
        check()
        start = np.cumsum(size) - size
        result = y[row]
        total = np.add.reduceat(result, start)
        level = _Level(
            np.full(len(size), -1),
            np.zeros(len(size)),
            np.zeros(len(size), np.intp),
            total / size,
        )
        levels.append(level)
        varies = np.minimum.reduceat(result, start) < np.maximum.reduceat(result, start)
        is_open = (size >= MIN_SPLIT) & varies
        inner = np.flatnonzero(is_open)
        if not len(inner):
            break
        in_open = np.repeat(is_open, size)
        row, result = row[in_open], result[in_open]
        size, total = size[inner], total[inner, None]
        start = np.cumsum(size) - size
        node = np.repeat(np.arange(len(inner)), size)

        column = random.random((len(inner), columns)).argpartition(considered - 1)[:, :considered]
        value = x[row[:, None], column[node]]
        low, high = np.minimum.reduceat(value, start), np.maximum.reduceat(value, start)
        threshold = low + (high - low) * random.random(low.shape)
        is_right = value > threshold[node]
        right = np.add.reduceat(is_right, start, dtype=np.float64)
        left = size[:, None] - right
        sum_right = np.add.reduceat(is_right * result[:, None], start)
        # Only a column with equal values sends no row to the right.
        explained = (total - sum_right) ** 2 / left + sum_right**2 / np.maximum(right, 1.0)
        best = np.where(right > 0, explained, -1.0).argmax(axis=1)

        each = np.arange(len(inner))
        is_split = right[each, best] > 0
        split = inner[is_split]
        level.column[split] = column[each, best][is_split]
        level.threshold[split] = threshold[each, best][is_split]
        level.left[split] = nodes + 2 * np.arange(len(split))
        nodes += 2 * len(split)

        in_split = np.repeat(is_split, size)
        child = 2 * (np.cumsum(is_split) - 1)[node] + is_right[np.arange(len(row)), best[node]]
        child, row = child[in_split], row[in_split]
        row = row[np.argsort(child, kind="stable")]
        size = np.bincount(child, minlength=2 * len(split))
    merged = _Level(*(np.concatenate(parts) for parts in zip(*levels, strict=True)))
    return RegressionTrees(trees, *merged)
