"""Catalog: the series of a train job, over all its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from mindviz.datavisual.logs.formats import SeriesClass
from mindviz.datavisual.logs.snapshots.file_snapshot import WHOLE_FILE, FileSnapshot
from mindviz.datavisual.logs.wire_schema import SCALAR_KIND
from mindviz.datavisual.series.findings import Finding, FindingKind


@dataclass(frozen=True, slots=True)
class SeriesRef:
    """A part of a series: a file of the job and a row of its series table."""

    file: int
    series: int
    kind: str


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One series of the job, and the files that hold parts of it, oldest first."""

    series_class: SeriesClass
    metadata: bytes
    refs: tuple[SeriesRef, ...]

    @property
    def is_scalar(self) -> bool:
        """Whether its points are in the scalar columns, whichever plugin serves them."""
        return self.refs[0].kind == SCALAR_KIND


Entries = Mapping[str, Mapping[str, CatalogEntry]]
"""plugin_name -> tag -> entry."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """All series of a train job."""

    entries: Entries
    findings: tuple[Finding, ...]
    """Tags with different meanings in different places."""

    @staticmethod
    def of(files: Sequence[FileSnapshot]) -> Catalog:
        """Group the files' series by plugin and tag.

        If metadata of a tag is missing in some files, or differs, the earliest file with metadata
        decides. Data of another class under the same tag is not served.
        """
        by_age = sorted(
            enumerate(files), key=lambda item: (item[1].first_wall_time, item[1].found.path)
        )
        metadata = _earliest_metadata([file for _, file in by_age])
        entries: _Drafts = {}
        findings: list[Finding] = []
        odd_tags: dict[str, bytes] = {}
        for index, file in by_age:
            if file.found.kind.schema is None:
                _add_whole_file(entries, index, file)
            for series in range(file.series_count):
                findings.extend(
                    _add_series(entries, index, file, series, metadata, odd_tags=odd_tags)
                )
        complete = {
            plugin_name: {tag: draft.entry() for tag, draft in tags.items()}
            for plugin_name, tags in entries.items()
        }
        return Catalog(complete, tuple(findings))


class _Draft(NamedTuple):
    """A series of which more parts may be found."""

    series_class: SeriesClass
    metadata: bytes
    refs: list[SeriesRef]

    def entry(self) -> CatalogEntry:
        return CatalogEntry(self.series_class, self.metadata, tuple(self.refs))


_Drafts = dict[str, dict[str, _Draft]]
"""As `Entries`."""


_SeriesKey = tuple[str, int, bytes]
"""Format, kind and tag: series of several files share metadata if these are equal."""


def _key(file: FileSnapshot, series: int) -> _SeriesKey:
    head, schema = file.series[series], file.found.kind.schema
    kind = head.kind
    if head.from_tensor and schema is not None:
        # The metadata of a tag also describes tensors with dimensions.
        kind = schema.tensor_kind
    return file.found.format.name, kind, head.tag


def _earliest_metadata(by_age: Sequence[FileSnapshot]) -> Mapping[_SeriesKey, bytes]:
    earliest: dict[_SeriesKey, bytes] = {}
    for file in by_age:
        for series, metadata in list(file.metadata.items()):
            if series < file.series_count:
                earliest.setdefault(_key(file, series), metadata)
    return earliest


def _add_whole_file(entries: _Drafts, index: int, file: FileSnapshot) -> None:
    """A file that is one value, such as a graph."""
    name, kind = file.found.name, file.found.kind.name
    series_class = file.found.format.classify(kind, name, b"", name)
    if series_class is not None:
        entry = _Draft(series_class, b"", [SeriesRef(index, WHOLE_FILE, kind)])
        entries.setdefault(series_class.plugin_name, {})[name] = entry


def _add_series(
    entries: _Drafts,
    index: int,
    file: FileSnapshot,
    series: int,
    metadata_of: Mapping[_SeriesKey, bytes],
    *,
    odd_tags: dict[str, bytes],
) -> Sequence[Finding]:
    """Add one row of a file's series table; returns its finding, if any."""
    raw_tag = file.series[series].tag
    tag = _name(raw_tag, odd_tags)
    kind = file.kind(series)
    metadata = metadata_of.get(_key(file, series), b"") if metadata_of else b""
    classify = file.found.format.classify
    series_class = classify(kind, tag, metadata, file.found.name)
    if series_class is None:
        return []
    findings = []
    own = file.metadata.get(series, metadata)
    if own != metadata:
        findings += _mismatch(file, tag, classify(kind, tag, own, file.found.name), series_class)
    if "\ufffd" in tag and tag.encode() != raw_tag:
        detail = (
            f"Tag {tag[:100]!r} is not valid UTF-8 or holds null bytes; it is shown with "
            "replacement characters."
        )
        findings.append(Finding(FindingKind.BAD_TAG, file.found.relative_path, detail=detail))
    tags = entries.setdefault(series_class.plugin_name, {})
    part = SeriesRef(index, series, kind)
    known = tags.setdefault(series_class.tag, _Draft(series_class, metadata, []))
    is_scalar = kind == SCALAR_KIND
    if not known.refs or is_scalar == (known.refs[0].kind == SCALAR_KIND):
        known.refs.append(part)
        return findings
    return findings + _mismatch(file, tag, series_class, known.series_class)


def _name(raw_tag: bytes, odd_tags: dict[str, bytes]) -> str:
    """A tag as text. `odd_tags` has the bytes of each name with a replacement character.

    Of tags that differ only in undecodable bytes, the first has the plain name; the others show the
    bytes, or their points would hide each other.
    """
    # A null byte is text, but a request with it would be refused.
    name = raw_tag.decode("utf-8", "replace").replace("\0", "\ufffd")
    if "\ufffd" not in name:
        return name
    spelled = raw_tag.decode("utf-8", "backslashreplace")
    spelled = spelled.replace("\\x", "\ufffd").replace("\0", "\ufffd00")
    for candidate in chain((name, spelled), (f"{name}#{number}" for number in count(2))):
        if odd_tags.setdefault(candidate, raw_tag) == raw_tag:
            return candidate
    raise AssertionError("numbers do not end")


def _mismatch(
    file: FileSnapshot, tag: str, meant: SeriesClass | None, decided: SeriesClass | None
) -> list[Finding]:
    if meant is None or decided is None or meant == decided:
        return []
    return [
        Finding(
            FindingKind.CLASS_MISMATCH,
            file.found.relative_path,
            detail=f"Tag {tag[:100]!r} is {meant.plugin_name} data here, but "
            f"{decided.plugin_name} data in an earlier place, which decides.",
        )
    ]
