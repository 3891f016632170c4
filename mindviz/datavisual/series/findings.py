"""Findings: problems in a log, with place and loss."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

NO_BASE_DIR = "The base dir does not exist; waiting for it."
"""Detail of the finding for a base dir that does not exist yet."""


class FindingKind(StrEnum):
    """Kinds of findings. `inspect` and the API print the value."""

    TRUNCATED = "truncated"
    """The last record is incomplete. Normal while the log is being written."""
    ZERO_TAIL = "zero_tail"
    """The file ends in zeros: reserved space that is not written yet."""
    BAD_LENGTH = "bad_length"
    """A record's length is damaged. Reading stops: the next record cannot be found."""
    BAD_PAYLOAD = "bad_payload"
    """A record fails its checksum and was skipped."""
    BAD_RECORD = "bad_record"
    """A record's checksum matches or is missing, but it is not a valid message; it was skipped."""
    BAD_VALUE = "bad_value"
    """A value could not be decoded on request."""
    TOO_MANY_SEGMENTS = "too_many_segments"
    """A file restarts more often than is tracked; further restarts count as one segment."""
    UNREADABLE = "unreadable"
    """A file or directory could not be opened or read."""
    NOT_A_LOG = "not_a_log"
    """A file or directory with a log's name that is not a log: empty, text, a directory."""
    OUTSIDE = "outside"
    """A symbolic link out of the base dir, not followed."""
    SEVERAL_WRITERS = "several_writers"
    """Several files written at the same time contain the same series; each is a separate line."""
    CLASS_MISMATCH = "class_mismatch"
    """A tag has data of several classes; the one in the earliest file is served."""
    BAD_WALL_TIME = "bad_wall_time"
    """Points with a non-finite wall time; served without a time."""
    BAD_TAG = "bad_tag"
    """A tag that is not valid UTF-8; served with replacement characters."""
    UNKNOWN_CLASS = "unknown_class"
    """Series without a data class; not served to generic clients."""
    BROKEN_CLASS = "broken_class"
    """Values that violate their series' data class; left out."""
    LARGE_TENSOR = "large_tensor"
    """A tensor above the limit: left out of generic answers, served in slices."""
    CUT_CONFIG = "cut_config"
    """A config with more fields than become hyperparameters; its text is served whole."""


HARMLESS = frozenset(
    {
        FindingKind.ZERO_TAIL,
        FindingKind.SEVERAL_WRITERS,
        FindingKind.BAD_TAG,
        FindingKind.UNKNOWN_CLASS,
        FindingKind.LARGE_TENSOR,
        FindingKind.CUT_CONFIG,
    }
)
"""Kinds of findings that lose no data."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in a log."""

    kind: FindingKind
    path: str
    """The file or directory, relative to the base dir, `/` separated."""
    offset: int | None = None
    """Byte offset of the record in the file."""
    detail: str = ""
    """One sentence for users: the problem and what was lost."""
    lost_records: int = 0
    """Number of records lost, as far as known."""


def are_harmless(findings: Iterable[Finding]) -> bool:
    """Whether none of these lost data."""
    return all(finding.kind in HARMLESS for finding in findings)


@dataclass(frozen=True, slots=True)
class DamagePlace:
    """Where a damaged record belongs: the last scalar point logged before it."""

    step: int
    wall_time: float
    """Unix seconds; NaN if not logged."""
    window: tuple[int, int]
    """First and last step of a chart that shows the place in context."""
