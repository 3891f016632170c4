"""Records: what the rows of a database say of a run and its series, as values of the domain."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from mindviz.datavisual.series.columns import Float64s, Int64s
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

Row = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """What tells a series of a run from the others."""

    plugin_name: str
    """As generic clients call it."""
    tag: str
    writer: str


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """A row of the table of tags: a series, and how much of it is stored."""

    tag_id: int
    plugin_name: str
    tag: str
    writer: str
    writer_rank: int
    data_class: str
    stored_as: str
    """The class of the table that holds its values."""
    is_logged: bool
    """Whether the log has such a series; else it is made up of what the log says elsewhere."""
    display_name: str
    description: str
    plugin_content: bytes
    imported: int
    """Values of the log dealt with: stored, or dropped for what is wrong with them."""
    length: int
    """Steps stored."""
    max_step: int | None
    max_wall_time: float | None
    max_length: int
    epoch: int
    digest: bytes
    """Of the values dealt with."""

    @property
    def key(self) -> SeriesKey:
        """Of the series."""
        return SeriesKey(self.plugin_name, self.tag, self.writer)

    @property
    def metadata(self) -> SummaryMetadata:
        """What generic clients are told of it."""
        return SummaryMetadata(
            plugin_name=self.plugin_name,
            plugin_content=self.plugin_content,
            display_name=self.display_name,
            description=self.description,
            data_class=DataClass(self.data_class),
        )

    def row(self) -> dict[str, Any]:
        """Its columns."""
        return asdict(self)

    @classmethod
    def of(cls, row: Row) -> Self:
        """From a row that has its columns, and perhaps others."""
        return cls(**{field.name: row[field.name] for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A row of the table of log files."""

    path: str
    format: str
    kind: str
    bytes: int
    records: int
    modified: int


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All that is stored of a train job besides its series."""

    train_id: str
    display_name: str
    start_time: float | None
    create_time: float
    update_time: float
    points: int
    is_integrity: bool
    facts: LineageFacts
    assets: str
    """Fingerprint of what lies beside the logs; empty for nothing."""
    files: tuple[FileRecord, ...]
    findings: tuple[tuple[int | None, Finding], ...]
    """Each with the position in `files` of the file that it is about, None if it is the run."""
    value_findings: tuple[Finding, ...]
    """What is wrong with single values."""

    def row(self) -> dict[str, Any]:
        """Its columns in the table of runs."""
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
        """Rows of the table of log files, but for the run."""
        return [{"position": n, **asdict(file)} for n, file in enumerate(self.files)]

    def finding_rows(self) -> list[dict[str, Any]]:
        """Rows of the table of findings, but for the run."""
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


@dataclass(frozen=True, slots=True, eq=False)
class ScalarRows:
    """Rows of the table of scalars, but for the run; arrays of the shape (n,), in order of key."""

    tag_id: Int64s
    step: Int64s
    wall_time: Float64s
    value: Float64s


@dataclass(frozen=True, slots=True)
class TensorRow:
    """A row of the table of tensors, but for the run."""

    tag_id: int
    step: int
    wall_time: float
    dtype: str
    shape: str
    data: bytes


@dataclass(frozen=True, slots=True)
class BlobSequenceRow:
    """One step of a blob sequence, but for the run."""

    tag_id: int
    step: int
    wall_time: float
    blobs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A row of the table of values that were left out, but for the run."""

    tag_id: int
    step: int
    wall_time: float
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Part of a run, to be stored as a whole: what its rows add, and how its series stand then."""

    series: tuple[SeriesRecord, ...] = ()
    replaced: tuple[SeriesRecord, ...] = ()
    """Series as they are stored, whose values have to go first."""
    scalars: ScalarRows | None = None
    superseded: tuple[tuple[Any, ...], ...] = ()
    """Rows of the table of superseded scalars, all those of a series, but for the run."""
    summaries: tuple[tuple[Any, ...], ...] = ()
    """Rows of the table of scalar summaries, but for the run."""
    tensors: tuple[TensorRow, ...] = ()
    blobs: tuple[BlobSequenceRow, ...] = ()
    dropped: tuple[DroppedRow, ...] = ()
    share: float = 0.0
    """How much of the run is dealt with, once this is stored; 0 to 1."""

    @property
    def nbytes(self) -> int:
        """About how much it is."""
        tensors = sum(len(row.data) + 100 for row in self.tensors)
        blobs = sum(len(blob) + 100 for row in self.blobs for blob in row.blobs)
        scalars = 0 if self.scalars is None else 32 * len(self.scalars.step)
        return scalars + tensors + blobs + 200 * len(self.series)


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a run: nothing of it is missing any more."""

    run: RunRecord
    tag_ids: frozenset[int]
    """The series that it has; others, stored earlier, have to go."""


def finding_of(row: Row) -> Finding:
    """A row of the table of findings."""
    return Finding(
        FindingKind(row["kind"]), row["path"], row["offset"], row["detail"], row["lost_records"]
    )


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot store: NUL and surrogates become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def largest(times: Iterable[float | None]) -> float | None:
    """The largest number that is finite; None if there is none."""
    return max((one for one in times if one is not None and math.isfinite(one)), default=None)


def facts_text(facts: LineageFacts) -> str | None:
    """Facts as JSON, in ASCII; NaN and infinities as Python's json writes them."""
    return None if facts is NO_FACTS else json.dumps(asdict(facts))


def facts_of(text: str | None) -> LineageFacts:
    """What `facts_text` was made of."""
    if text is None:
        return NO_FACTS
    known: dict[str, Any] = json.loads(text)
    train, evaluation = known["train"], known["evaluation"]
    return LineageFacts(
        **{
            **known,
            "train": train and TrainFacts(**train),
            "evaluation": evaluation and EvaluationFacts(**evaluation),
            "metric_tags": tuple(MetricTag(**tag) for tag in known["metric_tags"]),
            "session_values": {
                tag: MetricValue(**value) for tag, value in known.get("session_values", {}).items()
            },
        }
    )
