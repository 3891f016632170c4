"""LogNames: how the files of one recording are called, so that no two recordings share one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mindviz.errors import InvalidValue


class Log(Enum):
    """The kinds of files that a recording writes."""

    SUMMARY = "summary"
    """MindSpore's summary format: scalars, images, histograms, tensors, graphs, landscapes."""
    LINEAGE = "lineage"
    """MindSpore's lineage format: how the job was trained."""
    EVENTS = "events"
    """TensorBoard's event format: the kinds that MindSpore's does not know."""


@dataclass(frozen=True, slots=True)
class LogNames:
    """The names of one recording's files.

    All hold the same `<seconds>.<rank>.<host>`, by which a reader recognises what one recording
    wrote; behind it stands the process id if somebody else has taken the name, and `part<n>` in
    the second and further files of a kind.
    """

    directory: Path
    prefix: str
    suffix: str
    seconds: int
    rank: int
    host: str

    def paths(self, log: Log, part: int, claim: str | None) -> Iterator[tuple[Path, str]]:
        """(path, claim) to try one after the other; with the claim that succeeded, only its own.

        A claim is what distinguishes this recording from others of its second, rank and host.
        """
        if claim is not None:
            yield self._path(log, part, claim), claim
            return
        pid = os.getpid()
        claims = ["", f".{pid}", *(f".{pid}-{n}" for n in range(2, 1000))]
        for one in claims:
            yield self._path(log, part, one), one

    def _path(self, log: Log, part: int, claim: str) -> Path:
        infix = "out.tfevents" if log is Log.EVENTS else "out.events.summary"
        suffix = "_lineage" if log is Log.LINEAGE else self.suffix
        further = "" if part == 1 else f".part{part}"
        stem = f"{self.seconds}.{self.rank}.{self.host}{claim}{further}"
        return self.directory / f"{self.prefix}.{infix}.{stem}{suffix}"


def named(kind: str, tag: object) -> str:
    """What a value is called in messages. Raises InvalidValue for a tag that names nothing."""
    if not isinstance(tag, str):
        raise InvalidValue(f"The tag of a {kind} is {tag!r:.100}: it must be a string.")
    return f"{kind} {tag!r}"


def check_name_part(option: str, text: object) -> None:
    """Raises InvalidValue if an option's value cannot be part of a file's name."""
    if not isinstance(text, str) or "/" in text or "\0" in text:
        raise InvalidValue(f"{option} is {text!r}, which cannot be part of a file's name.")
