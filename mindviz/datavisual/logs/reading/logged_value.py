"""The value of a log that a generic value was made from: reverses `migration` for databases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.generic_name import ALONE, Companions, strings
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import Tensor, Value


def logged_tensor(
    metadata: SummaryMetadata, tensor: NDArray[np.generic], companions: Companions = ALONE
) -> Value:
    """The value that `generic_tensor` made this and its companions from. Raises DamagedValue."""
    dtype = "STRING" if tensor.dtype == object else tensor.dtype.name.upper()
    value = Tensor(tensor, f"DT_{dtype}")
    name = generic_names().get(metadata.plugin_name)
    if name is None or name.from_tensor is None:
        return value
    return name.from_tensor(value, companions)


def logged_blobs(
    metadata: SummaryMetadata, blobs: Sequence[bytes], companions: Companions = ALONE
) -> Value:
    """The value that consists of these blobs and companions. Raises DamagedValue."""
    name = generic_names().get(metadata.plugin_name)
    if name is None or name.from_blobs is None:
        return Tensor(strings(blobs), "DT_STRING")
    return name.from_blobs(blobs, companions)
