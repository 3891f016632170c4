"""Curves that converge smoothly, and curves that stop: what `courses` compares a series with."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache

import numpy as np

from mindviz.datavisual.series.columns import Float64s

FIRST_STOP = 5
"""Blocks of progress before the earliest stop."""


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves over a number of blocks, as columns for compiled code."""

    smooth: array[float]
    """Falling curves with mean 0 and norm 1: the first block of all, then the second one ..."""
    smooth_count: int
    hinges: array[float]
    """Per stop from `FIRST_STOP` to 4/9 of the blocks, an orthonormal basis of the curves that
    are a cubic before and constant from there on: 4 vectors."""


@cache
def curves(blocks: int) -> Curves:
    """The curves over this many blocks."""
    x = (np.arange(blocks) + 0.5) / blocks
    smooth = _smooth(x)
    smooth -= smooth.mean(axis=1, keepdims=True)
    norms = np.sqrt((smooth * smooth).sum(axis=1))
    smooth = smooth[norms > 1e-9] / norms[norms > 1e-9, None]
    hinges = [_hinge(blocks, stop) for stop in range(FIRST_STOP, 4 * blocks // 9 + 1)]
    return Curves(
        array("d", np.ascontiguousarray(smooth.T).tobytes()),
        len(smooth),
        array("d", np.concatenate(hinges).tobytes()),
    )


def _hinge(blocks: int, stop: int) -> Float64s:
    before = np.minimum(np.arange(blocks) + 0.5 - stop, 0) / stop
    basis, _ = np.linalg.qr(np.stack([before**degree for degree in range(4)], axis=1))
    return np.ascontiguousarray(basis.T)


def _smooth(x: Float64s) -> Float64s:
    """Exponentials, power laws, powers of both, sigmoids and what accelerates, at many scales."""
    rows = [np.exp(-rate * x) for rate in np.geomspace(0.2, 60, 48)]
    rows += [-np.exp(rate * (x - 1)) for rate in np.geomspace(0.3, 8, 10)]
    rows += [-(x**power) for power in (1, 1.5, 2, 3)]
    rows += [
        1 / (1 + (x / middle) ** power)
        for middle in np.geomspace(0.015, 8, 20)
        for power in (0.5, 1, 2, 3, 4, 6)
    ]
    rows += [
        (1 + x / begin) ** -power
        for begin in np.geomspace(0.01, 2, 14)
        for power in (0.3, 0.5, 2, 4)
    ]
    rows += [
        np.exp(-((rate * x) ** power))
        for rate in np.geomspace(0.4, 30, 18)
        for power in (0.5, 0.7, 1.4, 2, 3)
    ]
    rows += [
        1 / (1 + np.exp(rate * (x - middle)))
        for middle in np.linspace(0.05, 1.2, 16)
        for rate in np.geomspace(3, 80, 12)
    ]
    rows += [
        1 - np.exp(-np.exp(-rate * (x - middle)))
        for middle in np.linspace(0.05, 0.9, 10)
        for rate in np.geomspace(4, 30, 6)
    ]
    return np.array(rows)
