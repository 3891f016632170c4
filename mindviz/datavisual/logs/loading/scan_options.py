"""ScanOptions: how log files are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from mindviz.datavisual.logs.scanner.scan import ScannerName
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.scratch_file import ScratchFile

LARGEST_READING = 128 * 1024 * 1024
"""Bytes. With less memory per file, there are more and smaller packs and batches."""


@dataclass(frozen=True, slots=True)
class ReadingMemory:
    """How many bytes files may take while they are read, beside the columns of the budget."""

    total: int = 1 << 62
    """Of all files."""
    per_file: int = LARGEST_READING
    """Of a large one."""

    @staticmethod
    def within(max_memory: int, workers: int) -> ReadingMemory:
        """A part of the memory, for so many threads that read."""
        total = min(max_memory // 4, workers * LARGEST_READING)
        return ReadingMemory(total, min(LARGEST_READING, total // 2))

    def needed(self, size: int) -> int:
        """For a log of this size. Points take less than three times what they take in logs."""
        return min(3 * size, self.per_file)

    @property
    def spill_bytes(self) -> int:
        """Bytes of columns in memory from which on a file that is read is spilled."""
        return self.per_file // 2

    @property
    def freeze_bytes(self) -> int:
        """Bytes of a log. Points that are not frozen take twice the memory."""
        return self.per_file // 4


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How files are scanned."""

    verify_all: bool = False
    scanner: ScannerName | None = None
    """None selects the native scanner if it was built."""

    closed: Event = field(default_factory=Event, compare=False)
    """Once set, reading ends early."""

    warm: WarmCache | None = field(default=None, compare=False)
    """Where loaders begin with what was read before."""

    memory: ReadingMemory = field(default_factory=ReadingMemory)

    scratch: ScratchFile | None = field(default=None, compare=False)
    """Where columns go that are read; None: they stay in memory."""
