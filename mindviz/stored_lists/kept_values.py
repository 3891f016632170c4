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
"""Of memory for the columns that are kept, and for what is derived from them."""
MAX_BYTES_IN_FILES = 768 << 20
"""Of the columns that are kept, if they can be in files."""
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
        self._reading: dict[Hashable, threading.Lock] = {}
        """Held while a value is read."""
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

    def get(
        self, key: Hashable, read: Callable[[], Any], changed: Callable[[Any, Int64s], Any]
    ) -> Any:
        """What `read` returns: an array or a column. Others that want the same wait for it.

        `changed` makes it from the value of an earlier version, which may differ in these rows.
        """
        with self._lock:
            reading = self._reading.setdefault(key, threading.Lock())
        with reading:
            with self._lock:
                version, known = self._kept.get(key, (-1, None))
                if version == self._version:
                    self._kept.move_to_end(key)
                    self._shrink()
                    return known
            rows = None if known is None else self._changed_since(version)
            found = self.put(key, read() if rows is None else changed(known, rows))
        with self._lock:
            self._reading.pop(key, None)
        return found

    def put(self, key: Hashable, value: Any) -> Any:
        """Keep a value of this version, and return it; possibly moved to a file."""
        with self._lock:
            is_kept = self._kept.get(key, (-1, None))[1] is value
        if self._scratch is not None and not is_kept:
            is_array = isinstance(value, np.ndarray)
            value = self._scratch.moved(value) if is_array else value.moved(self._scratch.moved)
        with self._lock:
            self._kept[key] = self._version, value
            self._kept.move_to_end(key)
            self._shrink()
        return value

    def has_room(self, nbytes: int) -> bool:
        """Whether nothing would be dropped for this much more."""
        with self._lock:
            values = [value for _, value in self._kept.values()]
            if self._scratch is None or self._scratch.has_failed:
                return sum(map(_memory_of, values)) + nbytes <= MAX_BYTES
            return sum(map(_bytes_of, values)) + nbytes <= MAX_BYTES_IN_FILES

    def _shrink(self) -> None:
        """Drop what takes too much, least recently used first, except what was used last."""
        *others, _ = self._kept
        sizes = {key: _memory_of(value) for key, (_, value) in self._kept.items()}
        over = sum(sizes.values()) - MAX_BYTES
        for key in others if over > 0 else ():
            version, value = self._kept[key]
            if over > 0 and not isinstance(value, np.ndarray):
                # It is derived again, which is faster than to read again.
                self._kept[key] = version, value.moved(lambda array: array)
                over += _memory_of(self._kept[key][1]) - sizes[key]
        self._drop(others, _memory_of, MAX_BYTES)
        self._drop(others, _bytes_of, MAX_BYTES_IN_FILES)

    def _drop(self, keys: Sequence[Hashable], size_of: Callable[[Any], int], limit: int) -> None:
        """Drop some values until the sizes of all are within a limit; small ones last."""
        sizes = {key: size_of(value) for key, (_, value) in self._kept.items()}
        over = sum(sizes.values()) - limit
        while over > 0 and (keys := [key for key in keys if key in self._kept and sizes[key]]):
            large = max(sizes[key] for key in keys) // 4
            key = next(key for key in keys if sizes[key] >= large)
            over -= sizes[key]
            del self._kept[key]

    def _changed_since(self, version: int) -> Int64s | None:
        """The rows in which a value of an earlier version may differ; None if unknown."""
        if not self._changes or version < self._changes[0][0]:
            return None
        return np.unique(np.concatenate([rows for at, rows in self._changes if at >= version]))


def _arrays_of(value: Any) -> Sequence[NDArray[Any]]:
    return [value] if isinstance(value, np.ndarray) else value.arrays


def _bytes_of(value: Any) -> int:
    return sum(array.nbytes for array in _arrays_of(value))


def _memory_of(value: Any) -> int:
    return sum(array.nbytes for array in _arrays_of(value) if not _is_in_file(array))


def _is_in_file(array: NDArray[Any]) -> bool:
    base: object = array.base
    return isinstance(base, memoryview)  # as a `ScratchFile` is mapped
