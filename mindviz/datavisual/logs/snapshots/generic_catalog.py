"""GenericCatalog: the series of a train job as generic clients see them.

Metadata declares the class of a series; values of another class are *broken*. They are not part of
the series and are listed separately; our own plugins show them, since they inspect the values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from mindviz.datavisual.logs.data_class_rules import admits_numbers
from mindviz.datavisual.logs.migration import (
    GenericSeries,
    broken_series,
    companion_series,
    generic_series,
)
from mindviz.datavisual.logs.snapshots.catalog import Catalog, CatalogEntry, SeriesRef
from mindviz.datavisual.logs.snapshots.file_snapshot import WHOLE_FILE, FileSnapshot
from mindviz.datavisual.logs.snapshots.lazy_attribute import lazy_attribute
from mindviz.datavisual.logs.wire_schema import SCALAR_KIND, Role
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass


@dataclass(frozen=True, slots=True)
class GenericEntry:
    """One generic series, and the logged series with its values."""

    series: GenericSeries
    logged: CatalogEntry

    @property
    def plugin_name(self) -> str:
        """The name that generic clients use."""
        return self.series.metadata.plugin_name

    @property
    def data_class(self) -> DataClass:
        """The class that its metadata declares, or else its plugin's."""
        return self.series.metadata.data_class

    @property
    def fits(self) -> bool:
        """Whether it has numbers if and only if its class does."""
        if self.logged.is_scalar:
            return self.data_class is DataClass.UNKNOWN or admits_numbers(self.series.metadata)
        return self.data_class is not DataClass.SCALAR


@dataclass(frozen=True, eq=False)
class GenericCatalog:
    """All generic series of a train job."""

    entries: Mapping[str, Mapping[str, GenericEntry]]
    """plugin_name -> tag -> series, including those of unknown class."""
    broken: tuple[GenericEntry, ...]
    """Logged series without any value of the class that they declare."""

    @staticmethod
    def of(catalog: Catalog, files: Sequence[FileSnapshot]) -> GenericCatalog:
        """Migrate each series; of two with one name, the first that fits its class wins."""
        entries: dict[str, dict[str, GenericEntry]] = {}
        broken = []
        companions = []
        logged = chain.from_iterable(tags.values() for tags in catalog.entries.values())
        migrated = (
            GenericEntry(each, entry) for entry in logged for each in series_of(entry, files)
        )
        for entry in migrated:
            if entry.series.companion is not None:
                companions.append(entry)
            elif not entry.fits or not _placed(entries, entry):
                broken.append(entry)
        _place_companions(entries, companions)
        return GenericCatalog(entries, tuple(broken))

    @lazy_attribute
    def plugin_names(self) -> frozenset[str]:
        """Names with a series of known class."""
        return frozenset(
            plugin_name
            for plugin_name, tags in self.entries.items()
            if any(entry.data_class is not DataClass.UNKNOWN for entry in tags.values())
        )

    def every_entry(self) -> Iterator[GenericEntry]:
        """All series that any client sees, with unique names, for export to a store."""
        for tags in self.entries.values():
            yield from tags.values()
        yield from self._broken_by_name().values()

    def _broken_by_name(self) -> Mapping[tuple[str, str], GenericEntry]:
        """The broken values that our plugins show under the tag of a series.

        If the series has values of that kind (numbers or not), these are shown instead.
        """
        by_name: dict[tuple[str, str], GenericEntry] = {}
        for entry in self.broken:
            tag = entry.series.tag
            shown = self.entries.get(entry.plugin_name, {}).get(tag)
            if shown is None or shown.logged.is_scalar != entry.logged.is_scalar:
                renamed = GenericEntry(broken_series(entry.series), entry.logged)
                if tag not in self.entries.get(renamed.plugin_name, {}):
                    by_name.setdefault((renamed.plugin_name, tag), renamed)
        return by_name

    def count_admitted(self, query: SeriesQuery) -> int:
        """At most this many series are admitted."""
        entries = self.entries.get(query.plugin_name, {})
        tags = query.run_tag_filter.tags
        return len(entries) if tags is None else min(len(tags), len(entries))

    def admitted(self, query: SeriesQuery) -> Iterator[tuple[str, GenericEntry]]:
        """The series of one class that match a query, by tag."""
        entries = self.entries.get(query.plugin_name, {})
        tags = query.run_tag_filter.tags
        for tag in sorted(entries if tags is None else tags & entries.keys()):
            entry = entries[tag]
            if entry.data_class is query.data_class:
                yield tag, entry

    def findings(self, files: Sequence[FileSnapshot]) -> list[Finding]:
        """Findings about broken values."""
        return [*(_broken_finding(entry, files) for entry in self.broken), *self._unknown(files)]

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
                detail=f"Tags of {_plugin_named(name)} without a data class: {number}. "
                "They are not available over gRPC.",
            )
            for (path, name), number in sorted(counts.items())
        ]


def _plugin_named(name: str) -> str:
    return f"plugin {name[:100]!r}" if name else "no plugin"


def series_of(logged: CatalogEntry, files: Sequence[FileSnapshot]) -> tuple[GenericSeries, ...]:
    """A logged series as a generic one."""
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
    """Whether the values are tensors whose metadata declares their class."""
    if ref.series == WHOLE_FILE or file.found.kind.schema is None:
        return False
    if ref.kind == SCALAR_KIND:
        return file.series[ref.series].from_tensor
    return any(
        spec.role is Role.TF_TENSOR and spec.kind == ref.kind
        for spec in file.found.kind.schema.value
    )


_Entries = dict[str, dict[str, GenericEntry]]


def _placed(entries: _Entries, entry: GenericEntry) -> bool:
    """Whether an entry owns its name; the first one does."""
    return entries.setdefault(entry.plugin_name, {}).setdefault(entry.series.tag, entry) is entry


def _place_companions(entries: _Entries, companions: Iterable[GenericEntry]) -> None:
    """Add companion series; logged series of the same name take precedence.

    One graph of a job is `__run_graph__`: the one logged so, else the first by tag. The others keep
    their tags, as graphs of functions.
    """
    for entry in sorted(companions, key=lambda entry: entry.logged.series_class.tag):
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
