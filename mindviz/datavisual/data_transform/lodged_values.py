"""LodgedValues: what was made of train jobs' data, kept as long as there is memory for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from mindviz.datavisual.data_transform.lodgers import Drop
from mindviz.errors import TrainJobNotFound

Place = TypeVar("Place", bound=Hashable)
Value = TypeVar("Value")

Lodge = Callable[[str, Hashable, int, Drop], None]
"""As `Experiment.lodge`."""


class LodgedValues(Generic[Place, Value]):
    """Values by their place, each with what it was made of. Thread-safe."""

    def __init__(self, kind: str, lodge: Lodge) -> None:
        """Values of another `kind` may have the same places; `lodge` counts them in the budget."""
        self._kind = kind
        self._lodge = lodge
        self._lock = threading.Lock()
        self._kept: dict[Place, tuple[Hashable, Value]] = {}

    def find(self, place: Place, origin: Hashable) -> Value | None:
        """What is kept there, if it was made of the same as `origin` says."""
        if not self._kept:  # mostly: spares hashing the place
            return None
        with self._lock:
            kept = self._kept.get(place)
        return kept[1] if kept is not None and kept[0] == origin else None

    def keep(
        self, train_id: str, place: Place, origin: Hashable, value: Value, nbytes: int
    ) -> None:
        """Keep a value in place of the one that was there; not at all if the train job is gone."""
        kept = origin, value

        def forget() -> None:
            with self._lock:
                # Not a newer value, for which this one made room.
                if self._kept.get(place) is kept:
                    del self._kept[place]

        with self._lock:
            self._kept[place] = kept
        try:
            self._lodge(train_id, (self._kind, place), nbytes, forget)
        except TrainJobNotFound:  # gone while the value was made
            forget()
