"""Route of our own that gives a tensor, or a part of it, as a NumPy file."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from flask import Response

from mindviz.backend import schemas
from mindviz.backend.blob_response import BytesBlob, blob_response
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.plugins.tensor import read_tensor
from mindviz.errors import DamagedValue, TensorTooLarge

CONTENT_TYPE = "application/octet-stream"
MAX_BYTES = 1024 * 1024 * 1024
"""Of one file; a shape costs a writer nothing, and one number may stand for all elements."""


class TensorFileQuery(StrictQuery):
    """The tensor of one step, or a part of it."""

    train_id = text(required=True)
    tag = text(required=True, empty=True, about="As the log has it, without a suffix.")
    step = IntegerField(
        required=True,
        error_messages={"required": schemas.REQUIRED, "null": schemas.REQUIRED},
    )
    dims = text(about="A part: [0, :, -1, 2:10:2], one item per dimension; all by default.")


def add_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""
    store = services.store

    @routes.get(
        "/series/<plugin_name>/npy", TensorFileQuery, content_types=(CONTENT_TYPE,), statuses=(416,)
    )
    def read_tensor_file(query: dict[str, Any], plugin_name: str) -> Response:
        """One step's tensor as a NumPy file (format 1.0), in its own dtype; up to 1 GiB at once."""
        array = read_tensor(
            store,
            plugin_name,
            query["train_id"],
            query["tag"],
            query["step"],
            dims=query["dims"] or "",
        )
        if array.dtype.kind == "O":
            raise DamagedValue("Texts have no NumPy file.")
        if array.nbytes > MAX_BYTES:
            raise TensorTooLarge(
                f"The tensor has {array.nbytes} bytes, more than the {MAX_BYTES} of one file; ask "
                "for parts of it, by dims."
            )
        content = io.BytesIO()
        np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
        return blob_response(BytesBlob(content.getvalue(), CONTENT_TYPE))
