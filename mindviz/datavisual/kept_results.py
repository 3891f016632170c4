"""KeptResults: what was computed from all points of a run, kept for later starts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class ResultTable(ABC):
    """Results of one computation, by run and content. Thread-safe.

    A result is a summary and, unless None, details that are read on request; both plain values for
    JSON, where NaN and infinities are allowed.
    """

    @abstractmethod
    def find(self, train_id: str, content: bytes) -> Any | None:
        """The summary; None if nothing is kept of this content."""

    @abstractmethod
    def read(self, train_id: str, content: bytes) -> Any | None:
        """The details; None if there are none, or they are damaged."""

    @abstractmethod
    def add(self, train_id: str, content: bytes, summary: Any, details: Any | None) -> None:
        """Keep a result, instead of an earlier one of the run."""

    @abstractmethod
    def save(self, *, now: bool = False) -> None:
        """Write what was added, if that is much or the last time is a while ago, or `now`."""


class KeptResults(ABC):
    """The tables of a store. Thread-safe."""

    @abstractmethod
    def content(self, train_id: str) -> bytes | None:
        """Identifies what the logs of a run have; None while this may change, or if unknown."""

    @abstractmethod
    def table(self, of: str) -> ResultTable:
        """The results of a computation; `of` says which one, with all its parameters."""
