"""The route that returns a tensor, or a slice of it, as a NumPy file."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from flask import Response

from mindviz.backend.blob_response import BytesBlob, blob_response
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import StepQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.plugins.tensor import read_tensor
from mindviz.errors import DamagedValue, TensorTooLarge

own = Routes()

CONTENT_TYPE = "application/octet-stream"
MAX_BYTES = 1024 * 1024 * 1024
"""Of one file: a short log entry may declare a tensor of any shape."""


class TensorFileQuery(StepQuery):
    """The tensor of one step, or a slice of it."""

    dims = text(about="A slice with an item per dimension, e.g. [0, :, -1, 2:10:2]; default all.")


@own.get(
    "/series/<plugin_name>/npy", TensorFileQuery, content_types=(CONTENT_TYPE,), statuses=(416,)
)
def read_tensor_file(services: Services, query: dict[str, Any], plugin_name: str) -> Response:
    """The tensor of one step as a NumPy file (format 1.0) in its original dtype, up to 1 GiB."""
    train_id, tag, step = query["train_id"], query["tag"], query["step"]
    array = read_tensor(services.store, plugin_name, train_id, tag, step, dims=query["dims"] or "")
    if array.dtype.kind == "O":
        raise DamagedValue("NumPy files cannot store strings.")
    if array.nbytes > MAX_BYTES:
        raise TensorTooLarge(
            f"The tensor has {array.nbytes} bytes; the maximum is {MAX_BYTES}. Use dims to request "
            "slices."
        )
    content = io.BytesIO()
    np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
    return blob_response(BytesBlob(content.getvalue(), CONTENT_TYPE))
