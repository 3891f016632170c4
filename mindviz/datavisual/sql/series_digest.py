"""SeriesDigest: tells whether a series still begins with what was imported of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray


class SeriesDigest:
    """A digest of the first values of a series, however many."""

    def __init__(self, *columns: NDArray[Any]) -> None:
        """Of columns of equal length that tell one value from another."""
        self._columns = columns

    def of_first(self, count: int) -> bytes:
        """16 bytes; of fewer values than there are."""
        digest = blake2b(digest_size=16)
        for column in self._columns:
            digest.update(np.ascontiguousarray(column[:count]).data)
        return digest.digest()

    def begins_with(self, count: int, digest: bytes) -> bool:
        """Whether the first `count` values are there and have this digest."""
        return count <= len(self._columns[0]) and self.of_first(count) == digest
