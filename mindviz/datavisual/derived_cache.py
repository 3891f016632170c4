"""DerivedCache: values derived from train jobs' data, evicted when memory is short."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from mindviz.datavisual.evictable_caches import Drop
from mindviz.errors import TrainJobNotFound

Place = TypeVar("Place", bound=Hashable)
Value = TypeVar("Value")

ChargeCache = Callable[[str, Hashable, int, Drop], None]
"""As `Store.charge_cache`."""


class DerivedCache(Generic[Place, Value]):
    """Values by place, each with its origin. Thread-safe."""

    def __init__(self, kind: str, charge_cache: ChargeCache) -> None:
        """`kind` separates caches with equal places; `charge_cache` charges the memory budget."""
        self._kind = kind
        self._charge_cache = charge_cache
        self._lock = threading.Lock()
        self._kept: dict[Place, tuple[Hashable, Value]] = {}

    def find(self, place: Place, origin: Hashable) -> Value | None:
        """The value, if it was derived from the same `origin`."""
        if not self._kept:  # the usual case: avoids hashing the place
            return None
        with self._lock:
            kept = self._kept.get(place)
        return kept[1] if kept is not None and kept[0] == origin else None

    def keep(
        self, train_id: str, place: Place, origin: Hashable, value: Value, nbytes: int
    ) -> None:
        """Keep a value in place of an earlier one, unless the train job was deleted."""
        kept = origin, value

        def forget() -> None:
            with self._lock:
                # Keep a newer value, which evicted this one.
                if self._kept.get(place) is kept:
                    del self._kept[place]

        with self._lock:
            self._kept[place] = kept
        try:
            self._charge_cache(train_id, (self._kind, place), nbytes, forget)
        except TrainJobNotFound:  # deleted meanwhile
            forget()
