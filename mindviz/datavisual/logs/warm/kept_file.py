"""KeptFile: what was read of a log file, as sections of a pack.

The section of a file has the places of its batches: either in any pack, or relative to its own end.
So a file and its batches can be encoded before it is known where in which pack they will be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.log_file import FileIdentity, ReadMark
from mindviz.datavisual.logs.scanner.scan_state import ScanState
from mindviz.datavisual.logs.snapshots.file_snapshot import (
    FileSnapshot,
    SegmentSeries,
    SegmentSpan,
)
from mindviz.datavisual.logs.snapshots.series_totals import NO_TOTALS, KeptTotals
from mindviz.datavisual.logs.warm.pack import Column, Place, Section, decoded, encoded
from mindviz.datavisual.series.columns import (
    STATS_DTYPES,
    Batch,
    RecordColumns,
    ScalarColumns,
    SeriesHead,
    ValueColumns,
)
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    MetricValue,
    TrainFacts,
)
from mindviz.wire.crc32c import crc32c_function


@dataclass(frozen=True, slots=True)
class LineageState:
    """What a `LineageReader` needs to continue."""

    facts: Mapping[int, LineageFacts] = field(default_factory=dict)
    """By series."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptFile:
    """What was read of a log file, as its loader needs it to continue."""

    snapshot: FileSnapshot
    """Without batches."""
    identity: FileIdentity
    """Of the file that has been read to its end."""
    mark: ReadMark | None
    """None for a file that is not scanned."""
    scan: ScanState | None
    lineage: LineageState
    generation: int
    head_size: int
    has_session: bool
    is_text: bool
    timeless: bool
    verified: bool
    """Whether the checksums of all its records were verified."""
    places: tuple[Place, ...] = ()
    """Of its batches, in order."""
    batches: tuple[Batch, ...] = ()
    """Later ones, which are in no pack."""
    complete: bool = True
    """Whether these are all batches."""

    @property
    def offset(self) -> int:
        """Everything before it is kept."""
        return self.snapshot.offset


# ------------------------------------------------------------------------------------ batches


def batch_section(batch: Batch) -> Section:
    """The columns of a batch, without its statistics: those of the file count."""
    scalars, values = batch.scalars, batch.values
    columns = [getattr(scalars, name) for name in _SCALARS]
    columns += [values.series, values.record, values.place, values.length]
    columns += [getattr(values.records, name) for name in _RECORDS]
    return Section(batch.segment, columns)


def batch_of(section: Section) -> Batch:
    """The batch of a section."""
    columns: Sequence[Any] = list(section.columns)  # created once
    first = len(_SCALARS)
    scalars = (*columns[:first], NO_TOTALS.stats)
    values = (*columns[first : first + 4], RecordColumns(*columns[first + 4 :]))
    return Batch(section.document, ScalarColumns(*scalars), ValueColumns(*values))


_SCALARS = tuple(name for name in ScalarColumns.__dataclass_fields__ if name != "stats")
_RECORDS = tuple(RecordColumns.__dataclass_fields__)

# -------------------------------------------------------------------------------------- state


class PackedFile(NamedTuple):
    """A file with the batches that are in no pack, as they will be in one."""

    data: bytes
    """The section of the file, followed by those of the batches."""
    size: int
    """Bytes of the file's section."""
    checksum: int
    """Of the file's section."""


def packed_file(kept: KeptFile) -> PackedFile:
    """Everything that is known of a file."""
    crc32c = crc32c_function()
    sections = [b"".join(encoded(batch_section(batch))) for batch in kept.batches]
    ends = accumulate(map(len, sections))
    places = [
        (end - len(data), len(data), crc32c(data, 0))
        for end, data in zip(ends, sections, strict=True)
    ]
    own = b"".join(encoded(file_section(kept, places)))
    return PackedFile(b"".join((own, *sections)), len(own), crc32c(own, 0))


def unpacked_file(data: bytes, size: int, found: FoundFile) -> KeptFile:
    """The file of a `PackedFile`, which has not changed since."""
    view = memoryview(data)
    section = decoded(view[:size])
    kept = file_of(section, found, found.identity, Place("", 0, size, 0))
    batches = [
        view[place.offset : place.offset + place.size] for place in kept.places if not place.pack
    ]
    return replace(
        kept,
        places=tuple(place for place in kept.places if place.pack),
        batches=tuple(batch_of(decoded(batch)) for batch in batches),
    )


def file_section(kept: KeptFile, near: Sequence[tuple[int, int, int]] = ()) -> Section:
    """Everything but the batches; `near` are the places of the last ones behind this section."""
    snapshot, scan, mark = kept.snapshot, kept.scan, kept.mark
    heads = list(snapshot.series)
    count = len(heads)
    document = {
        "places": [*kept.places, *near],
        "complete": kept.complete,
        "fingerprint": snapshot.fingerprint,
        "label": snapshot.label,
        "begun": snapshot.begun,
        "restart_step": snapshot.restart_step,
        "records": snapshot.records,
        "offset": snapshot.offset,
        "session": snapshot.is_hparams_session,
        "loader": [
            kept.generation,
            kept.head_size,
            kept.has_session,
            kept.is_text,
            kept.timeless,
            kept.verified,
        ],
        "tags": [head.tag.decode("latin-1") for head in heads],
        "kinds": bytes(head.kind for head in heads).decode("latin-1"),
        "tensors": bytes(head.from_tensor for head in heads).decode("latin-1"),
        "metadata": {key: value.decode("latin-1") for key, value in snapshot.metadata.items()},
        "spans": [
            (span.segment, span.first_wall_time, span.last_wall_time) for span in snapshot.spans
        ],
        "held": list(snapshot.held),
        "findings": _listed(snapshot.findings),
        "facts": listed_facts(snapshot.facts),
        "lineage": [
            {key: listed_facts(facts) for key, facts in kept.lineage.facts.items()},
            _listed(kept.lineage.findings),
        ],
        "mark": mark
        and [
            mark.device,
            mark.inode,
            mark.head.decode("latin-1"),
            mark.tail.decode("latin-1"),
            mark.size,
            mark.written,
            mark.is_reserved,
        ],
        "scan": scan
        and [
            scan.offset,
            scan.segment,
            scan.segment_has_data,
            scan.too_many_segments,
            _listed(scan.findings),
            None if scan.stopped is None else _listed([scan.stopped])[0],
        ],
    }
    totals = snapshot.totals.of_size(count)
    columns: list[Column] = [
        totals.count,
        *(getattr(totals.stats, name) for name in STATS_DTYPES),
    ]
    for held in snapshot.held.values():
        columns += [held.series, held.values]
    return Section(document, columns)


def file_of(section: Section, found: FoundFile, identity: FileIdentity, place: Place) -> KeptFile:
    """The file of the section at a place, found again; its columns stay those of the section."""
    known = section.document
    columns: Sequence[Any] = section.columns
    series = _series(known["kinds"], tuple(known["tags"]), known["tensors"])
    held = list(columns[_TOTALS:]) if len(columns) > _TOTALS else []
    pairs = iter(held)
    mark, scan = known["mark"], known["scan"]
    facts_by_series, lineage_findings = known["lineage"]
    snapshot = FileSnapshot(
        found=found,
        fingerprint=known["fingerprint"],
        label=known["label"],
        begun=known["begun"],
        series=series,
        series_count=len(series),
        metadata={int(key): value.encode("latin-1") for key, value in known["metadata"].items()},
        metadata_count=len(known["metadata"]),
        batches=(),
        totals=KeptTotals(columns, 0),
        spans=tuple(SegmentSpan(*span) for span in known["spans"]),
        held={segment: SegmentSeries(next(pairs), next(pairs)) for segment in known["held"]},
        records=known["records"],
        offset=known["offset"],
        findings=_findings(known["findings"]),
        facts=facts_of(known["facts"]),
        restart_step=known["restart_step"],
        is_hparams_session=known["session"],
    )
    state = (
        snapshot,
        identity,
        mark and _mark(mark, known["offset"]),
        scan and _scan_state(scan),
        LineageState(
            {int(key): facts_of(facts) for key, facts in facts_by_series.items()},
            _findings(lineage_findings),
        ),
        *known["loader"],
        tuple(place_of(listed, place) for listed in known["places"]),
    )
    return replace(KeptFile(*state), complete=known["complete"])


def place_of(listed: Sequence[Any], behind: Place) -> Place:
    """A place in the section of a file, which is at the place `behind`."""
    if len(listed) == len(Place._fields):
        return Place(*listed)
    offset, size, checksum = listed
    return Place(behind.pack, behind.offset + behind.size + offset, size, checksum)


@lru_cache(maxsize=1000)
def _series(kinds: str, tags: tuple[str, ...], tensors: str) -> tuple[SeriesHead, ...]:
    """A series table; the runs of a sweep share one."""
    return tuple(
        SeriesHead(ord(kind), tag.encode("latin-1"), is_tensor == "\1")
        for kind, tag, is_tensor in zip(kinds, tags, tensors, strict=True)
    )


_TOTALS = 1 + len(STATS_DTYPES)
"""Columns of the totals; those of `held` follow."""


def _mark(listed: Sequence[Any], offset: int) -> ReadMark:
    device, inode, head, tail, *rest = listed
    return ReadMark(device, inode, offset, head.encode("latin-1"), tail.encode("latin-1"), *rest)


def _scan_state(listed: Sequence[Any]) -> ScanState:
    findings, stopped = listed[4:]
    last = None if stopped is None else _findings([stopped])[0]
    state = (*listed[:4], _findings(findings), last)
    return ScanState(*state)


def _listed(findings: Sequence[Finding]) -> list[tuple[Any, ...]]:
    return [(f.kind, f.path, f.offset, f.detail, f.lost_records) for f in findings]


def _findings(listed: Sequence[Sequence[Any]]) -> tuple[Finding, ...]:
    return tuple(Finding(FindingKind(kind), *rest) for kind, *rest in listed)


def listed_facts(facts: LineageFacts) -> dict[str, Any] | None:
    """For JSON."""
    if facts is NO_FACTS:
        return None
    listed = asdict(facts)
    return {name: value for name, value in listed.items() if value != getattr(NO_FACTS, name)}


def facts_of(listed: dict[str, Any] | None) -> LineageFacts:
    """The facts of `listed_facts`."""
    if listed is None:
        return NO_FACTS
    known = dict(listed)
    if "train" in known:
        known["train"] = TrainFacts(**known["train"])
    if "evaluation" in known:
        known["evaluation"] = EvaluationFacts(**known["evaluation"])
    if "metric_tags" in known:
        known["metric_tags"] = tuple(MetricTag(**tag) for tag in known["metric_tags"])
    if "session_values" in known:
        known["session_values"] = {
            tag: MetricValue(**value) for tag, value in known["session_values"].items()
        }
    return replace(NO_FACTS, **known)
