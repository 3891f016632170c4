"""Checks values against the data class of their series and what its plugin declares.

Source: "TensorBoard data ingestion" (2019) for the classes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.generic_name import broken_class
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import BrokenDataClass, DamagedValue


def check_tensor(metadata: SummaryMetadata, tensor: NDArray[np.generic]) -> None:
    """Raise BrokenDataClass if this is no value of a series of tensors with this metadata.

    A series of unknown class may hold any.
    """
    if metadata.data_class is DataClass.UNKNOWN:
        return
    rules = generic_names().find_any(metadata.plugin_name)
    if metadata.data_class is not DataClass.TENSOR or (
        rules is not None and not rules.admits(tensor)
    ):
        raise broken_class(metadata.plugin_name, metadata.data_class, tensor)


def admits_numbers(metadata: SummaryMetadata) -> bool:
    """Whether a series with this metadata may hold tensors of rank 0."""
    if metadata.data_class is DataClass.SCALAR:
        return True
    rules = generic_names().find_any(metadata.plugin_name)
    is_free = rules is None or (rules.shape is None and not rules.dtype_kinds)
    return metadata.data_class is DataClass.TENSOR and is_free


def check_blobs(metadata: SummaryMetadata, heads: Sequence[bytes]) -> None:
    """Raise BrokenDataClass if blobs lack their size; `heads` are the starts of the first two."""
    rules = generic_names().get(metadata.plugin_name)
    if rules is not None and rules.is_sized:
        try:
            string_image_size(heads)
        except DamagedValue as error:
            raise BrokenDataClass(str(error)) from error
