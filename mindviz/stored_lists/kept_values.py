"""KeptValues: what a table reads of its runs, as arrays, from one version to the next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from mindviz.datavisual.series.columns import Int64s

MAX_BYTES = 80 << 20
"""Of the columns and orders that are kept."""
MOST_CHANGED = 20_000
"""Rows with changes that are followed; with more, everything is read again."""
_MOST_VERSIONS = 1_000


class KeptValues:
    """The values that were used last, each as of some version. Thread-safe."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._changes: list[tuple[int, Int64s]] = []
        """Versions, and the rows that changed after each of them until the next one."""
        self._kept: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        """The version of each value, and the value."""
        self._lock = threading.Lock()

    def after(self, version: int, rows: Int64s) -> KeptValues:
        """The same values for a later version, after which these rows changed."""
        later = KeptValues(version)
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
        if version != self._version:
            rows = None if known is None else self._changed_since(version)
            known = read() if rows is None else changed(known, rows)
        self.put(key, known)
        return known

    def put(self, key: Hashable, value: Any) -> None:
        """Keep a value of this version; large ones that were used least recently are dropped."""
        with self._lock:
            self._kept[key] = self._version, value
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._nbytes() > MAX_BYTES:
                # Which runs match a text takes seconds to find out, and little memory.
                sizes = {at: value.nbytes for at, (_, value) in self._kept.items()}
                large = max(sizes.values()) // 4
                del self._kept[next(at for at, size in sizes.items() if size >= large)]

    def _nbytes(self) -> int:
        return sum(value.nbytes for _, value in self._kept.values())

    def _changed_since(self, version: int) -> Int64s | None:
        """The rows in which a value of an earlier version may differ; None if unknown."""
        if not self._changes or version < self._changes[0][0]:
            return None
        return np.unique(np.concatenate([rows for at, rows in self._changes if at >= version]))
