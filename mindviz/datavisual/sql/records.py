"""Records: rows of the database about runs and their series."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    MetricValue,
    TrainFacts,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.scalar_chunks import ScalarChunk, SupersededChunk

Row = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """Identifies a series of a run."""

    plugin_name: str
    """As in generic clients."""
    tag: str
    writer: str


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """A row of `TAGS`: a series, and how much of it is stored."""

    tag_id: int
    plugin_name: str
    tag: str
    writer: str
    writer_rank: int
    data_class: str
    stored_as: str
    """Class of the table with its values."""
    is_logged: bool
    """False for series derived from other data of the log."""
    display_name: str
    description: str
    plugin_content: bytes
    epoch: int
    imported: int = 0
    """Values of the log that were stored, or dropped as damaged."""
    length: int = 0
    """Steps stored."""
    max_step: int | None = None
    max_wall_time: float | None = None
    max_length: int = 0
    digest: bytes = b""
    """Of the imported values."""

    @property
    def key(self) -> SeriesKey:
        """Key of the series."""
        return SeriesKey(self.plugin_name, self.tag, self.writer)

    @property
    def metadata(self) -> SummaryMetadata:
        """Metadata for generic clients."""
        return SummaryMetadata(
            plugin_name=self.plugin_name,
            plugin_content=self.plugin_content,
            display_name=self.display_name,
            description=self.description,
            data_class=DataClass(self.data_class),
        )

    @classmethod
    def of(cls, row: Row) -> Self:
        """From a row with these columns, and possibly others."""
        return cls(*map(row.__getitem__, cls.__match_args__))


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A row of `LOG_FILES`."""

    path: str
    format: str
    kind: str
    bytes: int
    records: int
    modified: int


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A stored train job without its series."""

    train_id: str
    display_name: str
    start_time: float | None
    create_time: float
    update_time: float
    points: int
    is_integrity: bool
    facts: LineageFacts
    assets: str
    """Fingerprint of files next to the logs; empty without files."""
    files: tuple[FileRecord, ...]
    findings: tuple[tuple[int | None, Finding], ...]
    """Findings with the position of their file in `files`; None for the run."""
    value_findings: tuple[Finding, ...]
    """Findings about single values."""

    def row(self) -> dict[str, Any]:
        """The columns of `RUNS`."""
        return {
            "train_id": storable(self.train_id),
            "display_name": storable(self.display_name),
            "start_time": self.start_time,
            "create_time": self.create_time,
            "update_time": self.update_time,
            "points": self.points,
            "is_integrity": self.is_integrity,
            "lineage": facts_text(self.facts),
            "assets": self.assets,
        }

    def file_rows(self) -> list[dict[str, Any]]:
        """Rows of `LOG_FILES` without run_id."""
        return [{"position": n, **asdict(file)} for n, file in enumerate(self.files)]

    def finding_rows(self) -> list[dict[str, Any]]:
        """Rows of `FINDINGS` without run_id."""
        return [
            {
                "position": position,
                "file": file,
                "of_value": position >= len(self.findings),
                "kind": finding.kind.value,
                "path": storable(finding.path),
                "offset": finding.offset,
                "detail": storable(finding.detail),
                "lost_records": finding.lost_records,
            }
            for position, (file, finding) in enumerate(
                (*self.findings, *((None, finding) for finding in self.value_findings))
            )
        ]


@dataclass(frozen=True, slots=True)
class TensorRow:
    """A row of `TENSORS` without run_id."""

    tag_id: int
    step: int
    wall_time: float
    dtype: str
    shape: str
    data: bytes


@dataclass(frozen=True, slots=True)
class BlobSequenceRow:
    """One step of a blob sequence, without run_id."""

    tag_id: int
    step: int
    wall_time: float
    blobs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A row of `DROPPED_VALUES` without run_id."""

    tag_id: int
    step: int
    wall_time: float
    reason: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a run, stored in one commit: new rows, and the series' resulting records."""

    series: tuple[SeriesRecord, ...] = ()
    replaced: tuple[SeriesRecord, ...] = ()
    """Stored series whose values are deleted first."""
    scalars: tuple[ScalarChunk, ...] = ()
    superseded: tuple[SupersededChunk, ...] = ()
    """All chunks of a series; they replace the stored ones."""
    summaries: tuple[tuple[Any, ...], ...] = ()
    """Rows of `SCALAR_SUMMARIES` without run_id."""
    tensors: tuple[TensorRow, ...] = ()
    blobs: tuple[BlobSequenceRow, ...] = ()
    dropped: tuple[DroppedRow, ...] = ()
    share: float = 0.0
    """Fraction of the run that is done once this is stored."""

    @property
    def points(self) -> int:
        """Number of scalar points that count."""
        return sum(chunk.length for chunk in self.scalars)

    @property
    def nbytes(self) -> int:
        """Approximate size."""
        tensors = sum(len(row.data) + 100 for row in self.tensors)
        blobs = sum(len(blob) + 100 for row in self.blobs for blob in row.blobs)
        scalars = sum(len(chunk.data) + 100 for chunk in self.scalars)
        superseded = sum(len(chunk.data) + 100 for chunk in self.superseded)
        return scalars + superseded + tensors + blobs + 200 * len(self.series)


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a run."""

    run: RunRecord
    tag_ids: frozenset[int]
    """The run's series; others are deleted."""


def finding_of(row: Row) -> Finding:
    """From a row of `FINDINGS`."""
    return Finding(
        FindingKind(row["kind"]), row["path"], row["offset"], row["detail"], row["lost_records"]
    )


def storable(text: str) -> str:
    """The text without NUL and surrogates, which PostgreSQL cannot store: they become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def largest(times: Iterable[float | None]) -> float | None:
    """The largest finite number; None if there is none."""
    return max((one for one in times if one is not None and math.isfinite(one)), default=None)


def facts_text(facts: LineageFacts) -> str | None:
    """Facts as ASCII JSON, with NaN and infinities as in Python's json."""
    return None if facts is NO_FACTS else json.dumps(asdict(facts))


_NOTHING: Mapping[str, Any] = {}


def facts_of(text: str | None) -> LineageFacts:
    """The inverse of `facts_text`."""
    if text is None:
        return NO_FACTS
    known: dict[str, Any] = json.loads(text)
    train, evaluation = known["train"], known["evaluation"]
    return LineageFacts(
        **{
            **known,
            # Equal empty objects are shared: there may be 100,000 of them.
            "user_defined": known["user_defined"] or _NOTHING,
            "hyper_parameters": known["hyper_parameters"] or _NOTHING,
            "train": train and TrainFacts(**train),
            "evaluation": evaluation and EvaluationFacts(**evaluation),
            "metric_tags": tuple(MetricTag(**tag) for tag in known["metric_tags"]),
            "session_values": {
                tag: MetricValue(**value) for tag, value in known.get("session_values", {}).items()
            }
            or _NOTHING,
        }
    )
