"""size_text: the size of an anomaly in words, with its unit."""

from __future__ import annotations

from mindviz.datavisual.health.anomalies import AnomalyKind

_SIZES = {
    AnomalyKind.SPIKE: "{:.3g} times the noise",
    AnomalyKind.DIVERGENCE: "rose by {:.3g} times its earlier decrease",
    AnomalyKind.PLATEAU: "{:.0%} of the expected progress missing",
    AnomalyKind.THROUGHPUT: "{:.3g} times slower",
    AnomalyKind.VALIDATION_GAP: "lost {:.0%} of its earlier gain",
    AnomalyKind.GRADIENT_CHANGE: "changed by a factor of {:.3g}",
    AnomalyKind.THRESHOLD: "up to {:g}",
    AnomalyKind.GAP: "{:,.0f} steps missing",
    AnomalyKind.PAUSE: "{:,.0f} s without a point",
    AnomalyKind.CLOCK_BACK: "clock moved back {:,.0f} s",
}


def size_text(kind: AnomalyKind, size: float) -> str:
    """Such as `63.5 times the noise`; empty if a kind's size is a number of points."""
    return _SIZES[kind].format(size) if kind in _SIZES else ""
