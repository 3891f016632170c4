"""The findings of scanners, with their texts and limits."""

from __future__ import annotations

from mindviz.datavisual.series.columns import RecordColumns
from mindviz.datavisual.series.findings import Finding, FindingKind

NAMED_FINDINGS = 100
"""Lost records per file that get a finding each; one more finding counts the rest."""

MAX_SEGMENTS = 1000
"""Segments tracked per file."""

MAX_VALUES = 1 << 18
"""Values per record. All are buffered until the record is verified, and a value may take only four
bytes of a log."""

VERIFIED_SIZE = 65_536
"""Bytes, framing included. The checksum of a larger record is verified only if it holds more than
indexed values."""

_DETAILS = {
    FindingKind.TRUNCATED: "The record is cut off; waiting for the rest.",
    FindingKind.ZERO_TAIL: "The rest of the file is zeros: reserved, not written yet.",
    FindingKind.BAD_LENGTH: "The record's length is damaged; the rest of the file cannot be read.",
    FindingKind.BAD_PAYLOAD: "The record has a wrong checksum and was skipped.",
    FindingKind.BAD_RECORD: (
        f"The record is not a valid message or has over {MAX_VALUES:,} values; it was skipped."
    ),
    FindingKind.TOO_MANY_SEGMENTS: (
        f"The file restarts more than {MAX_SEGMENTS - 1} times; later restarts are ignored."
    ),
}

_LOST = {FindingKind.BAD_PAYLOAD: 1, FindingKind.BAD_RECORD: 1}


def is_verified(records: RecordColumns) -> bool:
    """Whether the checksums of records with values were verified without `verify_all`."""
    return not len(records.length) or int(records.length.max()) <= VERIFIED_SIZE


def damage(kind: FindingKind, path: str, offset: int) -> Finding:
    """The finding about the record at `offset`."""
    return Finding(kind, path, offset, _DETAILS[kind], _LOST.get(kind, 0))


def further_damage(kind: FindingKind, path: str, offset: int, records: int) -> Finding:
    """One finding for all `records` lost after the named ones, the first of them at `offset`."""
    detail = f"From here on, {records} more damaged records were skipped."
    return Finding(kind, path, offset, detail, records)
