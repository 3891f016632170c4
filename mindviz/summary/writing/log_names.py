"""LogNames: unique file names for one recording."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mindviz.errors import InvalidValue
from mindviz.summary.writing.recorded_step import Log


@dataclass(frozen=True, slots=True)
class LogNames:
    """The names of one recording's files.

    All contain the same `<seconds>.<rank>.<host>`, by which readers recognize the files of one
    recording. The process id follows if that name is taken, then `part<n>` from the second file
    of a kind on.
    """

    directory: Path
    prefix: str
    suffix: str
    seconds: int
    rank: int
    host: str

    def paths(self, log: Log, part: int, claim: str | None) -> Iterator[tuple[Path, str]]:
        """Candidate (path, claim) pairs, in the order to try; only one once there is a claim.

        A claim distinguishes this recording from others of the same second, rank and host.
        """
        if claim is not None:
            yield self._path(log, part, claim), claim
            return
        pid = os.getpid()
        for candidate in ["", f".{pid}", *(f".{pid}-{n}" for n in range(2, 1000))]:
            yield self._path(log, part, candidate), candidate

    def _path(self, log: Log, part: int, claim: str) -> Path:
        infix = "out.tfevents" if log is Log.EVENTS else "out.events.summary"
        suffix = "_lineage" if log is Log.LINEAGE else self.suffix
        part_suffix = "" if part == 1 else f".part{part}"
        stem = f"{self.seconds}.{self.rank}.{self.host}{claim}{part_suffix}"
        return self.directory / f"{self.prefix}.{infix}.{stem}{suffix}"


def check_name_part(option: str, text: object) -> None:
    """Raises InvalidValue if an option's value cannot be part of a file name."""
    if not isinstance(text, str) or "/" in text or "\0" in text:
        raise InvalidValue(f"{option} is {text!r}, which cannot be part of a file name.")
