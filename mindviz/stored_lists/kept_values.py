"""KeptValues: what a table reads of its runs, as arrays, from one version to the next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.columns import Int64s

MAX_BYTES = 80 << 20
"""Of memory for the columns and orders that are kept."""
MAX_BYTES_IN_FILES = 768 << 20
"""Of all of them, if they can be in files."""
PART_BYTES = 16 << 20
"""Of a file, which exists as long as one of its arrays is kept."""
MOST_CHANGED = 20_000
"""Rows with changes that are followed; with more, everything is read again."""
_MOST_VERSIONS = 1_000


class KeptValues:
    """The values that were used last, each as of some version. Thread-safe."""

    def __init__(self, version: int, scratch: ScratchFile | None = None) -> None:
        """Arrays are moved to `scratch` if there is one."""
        self._version = version
        self._scratch = scratch
        self._changes: list[tuple[int, Int64s]] = []
        """Versions, and the rows that changed after each of them until the next one."""
        self._kept: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        """The version of each value, and the value."""
        self._lock = threading.Lock()

    def after(self, version: int, rows: Int64s) -> KeptValues:
        """The same values for a later version, after which these rows changed."""
        later = KeptValues(version, self._scratch)
        changes = [*self._changes, (self._version, rows)][-_MOST_VERSIONS:]
        while sum(len(changed) for _, changed in changes) > MOST_CHANGED:
            del changes[0]
        later._changes = changes
        with self._lock:
            later._kept = self._kept.copy()
        return later

    def __contains__(self, key: Hashable) -> bool:
        """Whether a value is kept, possibly of an earlier version."""
        return key in self._kept

    def get(
        self, key: Hashable, read: Callable[[], Any], changed: Callable[[Any, Int64s], Any]
    ) -> Any:
        """What `read` returns: an array or a column.

        `changed` makes it from the value of an earlier version, which may differ in these rows.
        """
        with self._lock:
            version, known = self._kept.get(key, (-1, None))
            if version == self._version:
                self._kept.move_to_end(key)
                return known
        rows = None if known is None else self._changed_since(version)
        return self.put(key, read() if rows is None else changed(known, rows))

    def put(self, key: Hashable, value: Any) -> Any:
        """Keep a value of this version, and return it; possibly moved to a file.

        Large ones that were used least recently are dropped.
        """
        if self._scratch is not None:
            is_array = isinstance(value, np.ndarray)
            value = self._scratch.moved(value) if is_array else value.moved(self._scratch.moved)
        with self._lock:
            self._kept[key] = self._version, value
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._is_too_much(0):
                sizes = {at: value.nbytes for at, (_, value) in self._kept.items()}
                large = max(sizes.values()) // 4
                del self._kept[next(at for at, size in sizes.items() if size >= large)]
        return value

    def has_room(self, nbytes: int) -> bool:
        """Whether nothing would be dropped for this much more."""
        with self._lock:
            return not self._is_too_much(nbytes)

    def _is_too_much(self, more: int) -> bool:
        arrays = [array for _, value in self._kept.values() for array in _arrays_of(value)]
        in_memory = sum(array.nbytes for array in arrays if not _is_in_file(array))
        if self._scratch is None:
            return in_memory + more > MAX_BYTES
        every = sum(array.nbytes for array in arrays)
        return in_memory > MAX_BYTES or every + more > MAX_BYTES_IN_FILES

    def _changed_since(self, version: int) -> Int64s | None:
        """The rows in which a value of an earlier version may differ; None if unknown."""
        if not self._changes or version < self._changes[0][0]:
            return None
        return np.unique(np.concatenate([rows for at, rows in self._changes if at >= version]))


def _arrays_of(value: Any) -> Sequence[NDArray[Any]]:
    return [value] if isinstance(value, np.ndarray) else value.arrays


def _is_in_file(array: NDArray[Any]) -> bool:
    base: object = array.base
    return isinstance(base, memoryview)  # as a `ScratchFile` is mapped
