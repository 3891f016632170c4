"""Budget: how much an import puts into one commit."""

from __future__ import annotations

import time

from mindviz.datavisual.sql.records import Finished, Piece


class Budget:
    """How much one commit may hold: many small ones are slow, a large one is lost as a whole."""

    def __init__(self, nbytes: int = 16 * 1024 * 1024, seconds: float = 2.0) -> None:
        self._nbytes = nbytes
        self._seconds = seconds
        self._used = 0
        self._begun = 0.0

    def start(self, part: Piece | Finished) -> None:
        """A commit begins with this part."""
        self._used, self._begun = 0, time.monotonic()
        self.take(part)

    def take(self, part: Piece | Finished) -> None:
        """One more part."""
        self._used += part.nbytes if isinstance(part, Piece) else 1000

    @property
    def used_up(self) -> bool:
        """Whether it is time to commit."""
        return self._used >= self._nbytes or time.monotonic() - self._begun >= self._seconds
