"""FileHead: what follows from the beginning of a log file."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.log_file import is_text
from mindviz.datavisual.logs.warm.kept_file import KeptFile

FINGERPRINT_SIZE = 64


@dataclass(frozen=True, slots=True)
class FileHead:
    """What follows from the first `size` bytes."""

    size: int = 0
    fingerprint: str = ""
    """As in `FileSnapshot`, like the next fields."""
    label: str = ""
    begun: float | None = None
    restart_step: int | None = None
    is_text: bool = False

    def inspected(self, head: bytes, found: FoundFile, generation: int) -> FileHead:
        """With a longer head; `generation` is how often the file was replaced."""
        identity, log_format = found.identity, found.format
        crc = zlib.crc32(head[:FINGERPRINT_SIZE])
        return FileHead(
            # Of the first head, which may have been empty.
            fingerprint=self.fingerprint
            or f"{identity.device:x}.{identity.inode:x}.{crc:x}.{generation}",
            size=len(head),
            label=log_format.display_name(head),
            begun=log_format.begun(head),
            restart_step=log_format.restart_step(head),
            is_text=is_text(head),
        )


def head_of(kept: KeptFile) -> FileHead:
    """The head of a file that was read before."""
    known = kept.snapshot
    return FileHead(
        kept.head_size,
        known.fingerprint,
        known.label,
        known.begun,
        known.restart_step,
        kept.is_text,
    )
