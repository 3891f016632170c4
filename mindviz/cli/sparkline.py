"""Sparklines: a series as one line of text."""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.series.columns import Float64s

BLOCKS = "▁▂▃▄▅▆▇█"
ASCII = "_.-=^"
NOT_FINITE = "!"
"""A cell with NaN or an infinity: it must not look like a number."""


def reduced(values: Float64s, most: int) -> Float64s:
    """The values, or the means of `most` equal parts of them; NaN and infinities remain."""
    if len(values) <= most:
        return values.copy()
    means, scale = _scaled_means(values, most)
    return means * scale


def _scaled_means(values: Float64s, parts: int) -> tuple[Float64s, float]:
    """The means of parts of equal size, and what to multiply them with."""
    starts = np.unique(np.arange(parts) * len(values) // parts)
    counts = np.diff(starts, append=len(values))
    scale = float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0)) or 1.0
    # Scaled, because sums of large values would overflow.
    with np.errstate(invalid="ignore"):
        return np.add.reduceat(values / scale, starts) / counts, scale


def sparkline(values: Float64s, width: int, levels: str = BLOCKS) -> str:
    """The values in at most `width` characters of `levels`, lowest first.

    A character is the mean of its values. A constant is a line at the lowest level.
    """
    if not len(values) or width < 1:
        return ""
    means = _scaled_means(values, width)[0]
    finite = np.isfinite(means)
    if not finite.any():
        return NOT_FINITE * len(means)
    heights = np.where(finite, means, means[finite].min())
    heights -= heights.min()
    heights /= heights.max() or 1.0
    places = (heights * (len(levels) - 1) + 0.5).astype(int)
    return "".join(
        levels[place] if is_finite else NOT_FINITE
        for place, is_finite in zip(places.tolist(), finite.tolist(), strict=True)
    )
