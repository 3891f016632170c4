"""GenericCatalog: what the series of a train job are to generic clients, and what they don't see.

Logs say what a series is made of; values that are of another class than that are *broken*. They are
no part of the series, and stand here beside it: our own plugins, which know what a value is without
being told, show them nonetheless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mindviz.datavisual.logs.data_class_rules import admits_numbers
from mindviz.datavisual.logs.migration import (
    GenericSeries,
    broken_series,
    companion_series,
    generic_series,
)
from mindviz.datavisual.logs.snapshots.catalog import Catalog, CatalogEntry, SeriesRef
from mindviz.datavisual.logs.snapshots.file_snapshot import WHOLE_FILE, FileSnapshot
from mindviz.datavisual.logs.wire_schema import SCALAR_KIND, Role
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass


@dataclass(frozen=True, slots=True)
class GenericEntry:
    """One generic series, and the logged one that its values come from."""

    series: GenericSeries
    logged: CatalogEntry

    @property
    def plugin_name(self) -> str:
        """As generic clients know it."""
        return self.series.metadata.plugin_name

    @property
    def data_class(self) -> DataClass:
        """What its log says that it is made of, or else its plugin."""
        return self.series.metadata.data_class

    @property
    def fits(self) -> bool:
        """Whether numbers stand where numbers may, and only there."""
        if self.logged.is_scalar:
            return self.data_class is DataClass.UNKNOWN or admits_numbers(self.series.metadata)
        return self.data_class is not DataClass.SCALAR


@dataclass(frozen=True, eq=False)
class GenericCatalog:
    """All generic series of a train job."""

    entries: Mapping[str, Mapping[str, GenericEntry]]
    """plugin_name -> tag -> series; those of unknown class, too."""
    broken: tuple[GenericEntry, ...]
    """Logged series none of whose values can be part of the series that they claim to be."""

    @staticmethod
    def of(catalog: Catalog, files: Sequence[FileSnapshot]) -> GenericCatalog:
        """Migrate each series; of two that become one, the first that fits its class is taken."""
        entries: dict[str, dict[str, GenericEntry]] = {}
        broken = []
        companions = []
        for entry in _migrated(catalog, files):
            if entry.series.companion is not None:
                companions.append(entry)
            elif not entry.fits or not _placed(entries, entry):
                broken.append(entry)
        _place_companions(entries, companions)
        return GenericCatalog(entries, tuple(broken))

    @cached_property
    def plugin_names(self) -> frozenset[str]:
        """Of all series of known class."""
        return frozenset(
            plugin_name
            for plugin_name, tags in self.entries.items()
            if any(entry.data_class is not DataClass.UNKNOWN for entry in tags.values())
        )

    def every_entry(self) -> Iterator[GenericEntry]:
        """All that any client sees, for whoever stores it: no two under the same name."""
        for tags in self.entries.values():
            yield from tags.values()
        yield from self._broken_by_name().values()

    def _broken_by_name(self) -> Mapping[tuple[str, str], GenericEntry]:
        """What our plugins show under the tag of a series that it is no part of.

        Where the series has values of that kind, numbers or none, they stand for the broken ones.
        """
        found: dict[tuple[str, str], GenericEntry] = {}
        for entry in self.broken:
            tag = entry.series.tag
            known = self.entries.get(entry.plugin_name, {}).get(tag)
            if known is None or known.logged.is_scalar != entry.logged.is_scalar:
                renamed = GenericEntry(broken_series(entry.series), entry.logged)
                if tag not in self.entries.get(renamed.plugin_name, {}):
                    found.setdefault((renamed.plugin_name, tag), renamed)
        return found

    def count_admitted(self, query: SeriesQuery) -> int:
        """At most this many series are admitted."""
        entries = self.entries.get(query.plugin_name, {})
        tags = query.run_tag_filter.tags
        return len(entries) if tags is None else min(len(tags), len(entries))

    def admitted(self, query: SeriesQuery) -> Iterator[tuple[str, GenericEntry]]:
        """The series of one class that a query is about, by tag."""
        entries = self.entries.get(query.plugin_name, {})
        tags = query.run_tag_filter.tags
        for tag in sorted(entries if tags is None else tags & entries.keys()):
            entry = entries[tag]
            if entry.data_class is query.data_class:
                yield tag, entry

    def findings(self, files: Sequence[FileSnapshot]) -> list[Finding]:
        """What generic clients don't see, and why."""
        return [
            *(_broken_finding(entry, files) for entry in self.broken),
            *self._unknown(files),
        ]

    def _unknown(self, files: Sequence[FileSnapshot]) -> list[Finding]:
        counts: Counter[tuple[str, str]] = Counter()
        for plugin_name, tags in self.entries.items():
            for entry in tags.values():
                if entry.data_class is DataClass.UNKNOWN:
                    file = files[entry.logged.refs[0].file]
                    counts[file.found.relative_path, plugin_name] += 1
        return [
            Finding(
                FindingKind.UNKNOWN_CLASS,
                path,
                detail=f"{number} series of "
                + (f"plugin {name[:100]!r}" if name else "no plugin")
                + " do not say what they are made of: generic clients don't see them.",
            )
            for (path, name), number in sorted(counts.items())
        ]


def series_of(logged: CatalogEntry, files: Sequence[FileSnapshot]) -> tuple[GenericSeries, ...]:
    """What one logged series is to generic clients."""
    ref = logged.refs[0]
    file = files[ref.file]
    return generic_series(
        file.found.format.name,
        ref.kind,
        logged.series_class,
        logged.metadata,
        is_tensor=is_tensor(file, ref),
    )


def is_tensor(file: FileSnapshot, ref: SeriesRef) -> bool:
    """Whether the values of a series are tensors for which the metadata says what they are."""
    if ref.series == WHOLE_FILE or file.found.kind.schema is None:
        return False
    if ref.kind == SCALAR_KIND:
        return file.series[ref.series].from_tensor
    return any(
        one.role is Role.TF_TENSOR and one.kind == ref.kind for one in file.found.kind.schema.value
    )


def _migrated(catalog: Catalog, files: Sequence[FileSnapshot]) -> Iterator[GenericEntry]:
    for tags in catalog.entries.values():
        for logged in tags.values():
            for series in series_of(logged, files):
                yield GenericEntry(series, logged)


_Entries = dict[str, dict[str, GenericEntry]]


def _placed(entries: _Entries, entry: GenericEntry) -> bool:
    """Whether an entry is under its name now; the first one of a name is."""
    return entries.setdefault(entry.plugin_name, {}).setdefault(entry.series.tag, entry) is entry


def _place_companions(entries: _Entries, companions: Iterable[GenericEntry]) -> None:
    """Place what belongs beside other series; what is logged under its name comes before it.

    Of the graphs of a job only one is `__run_graph__`: one that was logged so, else the one whose
    tag comes first. The others keep their tags, as graphs of functions.
    """
    for entry in sorted(companions, key=lambda one: one.logged.series_class.tag):
        companion = entry.series.companion
        if not _placed(entries, entry) and companion is not None and companion.otherwise:
            main = replace(entry.series, tag=entry.logged.series_class.tag)
            further = companion_series(companion.otherwise, main)
            _placed(entries, GenericEntry(further, entry.logged))


def _broken_finding(entry: GenericEntry, files: Sequence[FileSnapshot]) -> Finding:
    logged = entry.logged
    lost = sum(files[ref.file].count_of(ref.series) for ref in logged.refs)
    are = "numbers" if logged.is_scalar else "no numbers"
    return Finding(
        FindingKind.BROKEN_CLASS,
        files[logged.refs[0].file].found.relative_path,
        detail=f"Tag {entry.series.tag[:100]!r} of plugin {entry.plugin_name[:100]!r} is a "
        f"{entry.data_class} series; {lost} of its values are {are}, and left out.",
        lost_records=lost,
    )
