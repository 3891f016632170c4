"""Encodes the metadata of a PR curve. Source: pr_curve/plugin_data.proto."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mindviz.wire.encode import varint_field


def curve_content(curve: NDArray[np.generic]) -> bytes:
    """PrCurvePluginData: num_thresholds 2."""
    return varint_field(2, curve.shape[1])
