"""Findings: what is wrong in a log, where, and what was lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

NO_BASE_DIR = "The base dir does not exist; waiting for it."
"""Detail of the finding of a base dir that may still be created."""


class FindingKind(StrEnum):
    """What was found. The value is what `inspect` and the API print."""

    TRUNCATED = "truncated"
    """The last record is cut off. Normal while it is being written: the rest is waited for."""
    ZERO_TAIL = "zero_tail"
    """The file ends in zeros: space that is reserved but not written yet."""
    BAD_LENGTH = "bad_length"
    """A record's length is damaged. Nothing behind it can be found, reading stops here."""
    BAD_PAYLOAD = "bad_payload"
    """A record fails its checksum and was skipped."""
    BAD_RECORD = "bad_record"
    """A record passes its checksum (or has none) but is not a valid message; it was skipped."""
    BAD_VALUE = "bad_value"
    """A value could not be decoded when it was asked for."""
    TOO_MANY_SEGMENTS = "too_many_segments"
    """A file restarts more often than is tracked; further restarts are read as one segment."""
    UNREADABLE = "unreadable"
    """A file or directory could not be opened or read."""
    NOT_A_LOG = "not_a_log"
    """Named like a log, but it isn't one: an empty file, text, a directory."""
    OUTSIDE = "outside"
    """A symbolic link leads out of the base dir and was not followed."""
    SEVERAL_WRITERS = "several_writers"
    """Files written at the same time hold the same series; each is a line of its own."""
    CLASS_MISMATCH = "class_mismatch"
    """One tag holds data of several classes; that of the earliest file is served."""
    BAD_WALL_TIME = "bad_wall_time"
    """Points whose wall time is not a finite number; they are served, without a time."""
    BAD_TAG = "bad_tag"
    """A tag that is not valid UTF-8; it is served with replacement characters."""
    UNKNOWN_CLASS = "unknown_class"
    """Series that don't say what they are made of; generic clients don't see them."""
    BROKEN_CLASS = "broken_class"
    """Values that are not what their series is made of; they are left out."""
    LARGE_TENSOR = "large_tensor"
    """A tensor over the limit: left out of generic answers, but shown in slices."""


HARMLESS = frozenset(
    {
        FindingKind.ZERO_TAIL,
        FindingKind.SEVERAL_WRITERS,
        FindingKind.BAD_TAG,
        FindingKind.UNKNOWN_CLASS,
        FindingKind.LARGE_TENSOR,
    }
)
"""Findings that don't mean that anything is missing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a log."""

    kind: FindingKind
    path: str
    """The file or directory, relative to the base dir, `/` separated."""
    offset: int | None = None
    """Byte offset in the file of the record concerned."""
    detail: str = ""
    """One sentence for a person: what it is and what was lost."""
    lost_records: int = 0
    """How many records were lost to it, as far as that can be known."""


def are_harmless(findings: Iterable[Finding]) -> bool:
    """Whether all of these leave nothing missing."""
    return all(finding.kind in HARMLESS for finding in findings)


@dataclass(frozen=True, slots=True)
class DamagePlace:
    """Where a damaged record would have been: the last scalar point that was logged before it."""

    step: int
    wall_time: float
    """Unix seconds; NaN if the log has none."""
    window: tuple[int, int]
    """First and last step of a chart that shows the place in its surroundings."""
