"""Lodgers: what others keep that was made of a train job's data, such as a graph that was built."""

from __future__ import annotations

from collections.abc import Callable, Hashable

Drop = Callable[[], None]
"""Gives the memory back. Called at most once, from any thread; must not ask for anything here."""


class Lodgers:
    """Those of one train job. Not thread-safe: whoever owns it has a lock."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[int, Drop]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of all of them."""
        return sum(nbytes for nbytes, _ in self._kept.values())

    def take_in(self, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Add one, in place of the one of this key."""
        self._drop(key)
        self._kept[key] = nbytes, drop

    def drop_all(self, *, but: Hashable = None) -> None:
        """Drop them, but for the one of this key."""
        for key in [key for key in self._kept if key != but]:
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            kept[1]()
