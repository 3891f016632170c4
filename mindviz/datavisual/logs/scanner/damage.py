"""Damage: the findings that scanners make, in words."""

from __future__ import annotations

from mindviz.datavisual.series.findings import Finding, FindingKind

NAMED_FINDINGS = 100
"""So many lost records of a file are named; one more finding counts the others."""

MAX_SEGMENTS = 1000
"""Segments tracked per file."""

MAX_VALUES = 1 << 18
"""Of one record. All are held until the record is known to be good, and one may take four bytes of
a log."""

_DETAILS = {
    FindingKind.TRUNCATED: "The record is cut off; the rest of it is waited for.",
    FindingKind.ZERO_TAIL: "From here on the file is zeros, reserved but not written yet.",
    FindingKind.BAD_LENGTH: "The record's length is damaged; nothing from here on can be read.",
    FindingKind.BAD_PAYLOAD: "The record fails its checksum and was skipped.",
    FindingKind.BAD_RECORD: (
        f"The record is no valid message or holds over {MAX_VALUES:,} values; it was skipped."
    ),
    FindingKind.TOO_MANY_SEGMENTS: (
        f"The file restarts more than {MAX_SEGMENTS - 1} times; from here on it is read as one."
    ),
}

_LOST = {FindingKind.BAD_PAYLOAD: 1, FindingKind.BAD_RECORD: 1}


def damage(kind: FindingKind, path: str, offset: int) -> Finding:
    """The finding of a scanner about the record at `offset`."""
    return Finding(kind, path, offset, _DETAILS[kind], _LOST.get(kind, 0))


def further_damage(kind: FindingKind, path: str, offset: int, records: int) -> Finding:
    """The finding that stands for all `records` lost after those named; the first is given."""
    detail = f"{records} more damaged records from here on were skipped and are not named."
    return Finding(kind, path, offset, detail, records)
