"""ScanOptions: how log files are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from mindviz.datavisual.logs.scanner.scan import ScannerName
from mindviz.datavisual.logs.warm.warm_cache import WarmCache


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
