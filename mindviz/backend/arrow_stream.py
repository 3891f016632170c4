"""Scalars as an Arrow IPC stream, written without pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindviz.backend.scalar_selection import SelectedScalars
from mindviz.errors import InvalidQuery

ARROW_STREAM = "application/vnd.apache.arrow.stream"


def scalars_arrow(
    selected: Sequence[SelectedScalars], facts: Sequence[dict[str, Any]], cursor: str
) -> bytes:
    """The stream."""
    raise InvalidQuery("The binary format is not there yet.")
