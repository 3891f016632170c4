"""GenericCatalog: what the series of a train job are to generic clients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mindviz.datavisual.data_transform.data_class_rules import admits_numbers
from mindviz.datavisual.data_transform.findings import Finding, FindingKind
from mindviz.datavisual.data_transform.migration import (
    GenericSeries,
    further_graph,
    generic_series,
)
from mindviz.datavisual.data_transform.series_query import SeriesQuery
from mindviz.datavisual.data_transform.snapshots.catalog import Catalog, CatalogEntry, SeriesRef
from mindviz.datavisual.data_transform.snapshots.file_snapshot import WHOLE_FILE, FileSnapshot
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.datavisual.data_transform.wire_schema import SCALAR_KIND, Role


@dataclass(frozen=True, slots=True)
class GenericEntry:
    """One generic series, and the logged one that its values come from."""

    series: GenericSeries
    logged: CatalogEntry


@dataclass(frozen=True, eq=False)
class GenericCatalog:
    """All generic series of a train job."""

    entries: Mapping[str, Mapping[str, GenericEntry]]
    """plugin_name -> tag -> series; those of unknown class, too."""
    broken: tuple[tuple[GenericSeries, CatalogEntry], ...]
    """What no value of a logged series can be part of, by what its metadata says."""

    @staticmethod
    def of(catalog: Catalog, files: Sequence[FileSnapshot]) -> GenericCatalog:
        """Migrate each series; of two that become one, the one that fits its class is taken.

        Of the graphs of a job only one is `__run_graph__`: one that was logged so, else the one
        whose tag comes first. The others keep their tags, as graphs of functions.
        """
        entries: dict[str, dict[str, GenericEntry]] = {}
        broken = []
        companions = []
        for tags in catalog.entries.values():
            for logged in tags.values():
                for series in series_of(logged, files):
                    known = entries.setdefault(series.metadata.plugin_name, {})
                    if series.companion_of:
                        companions.append(GenericEntry(series, logged))
                    elif not _fits(series, logged) or series.tag in known:
                        broken.append((series, logged))
                    else:
                        known[series.tag] = GenericEntry(series, logged)
        for entry in sorted(companions, key=lambda one: one.logged.series_class.tag):
            known = entries[entry.series.metadata.plugin_name]
            if known.setdefault(entry.series.tag, entry) is not entry and _is_graph(entry):
                further = further_graph(entry.logged.series_class.tag, entry.series)
                tags_of_functions = entries.setdefault(further.metadata.plugin_name, {})
                tags_of_functions.setdefault(further.tag, GenericEntry(further, entry.logged))
        return GenericCatalog({name: tags for name, tags in entries.items() if tags}, tuple(broken))

    @cached_property
    def plugin_names(self) -> frozenset[str]:
        """Of all series of known class."""
        return frozenset(
            plugin_name
            for plugin_name, tags in self.entries.items()
            if any(
                entry.series.metadata.data_class is not DataClass.UNKNOWN for entry in tags.values()
            )
        )

    def admitted(self, query: SeriesQuery) -> Iterator[tuple[str, GenericEntry]]:
        """The series of one class that a query is about, by tag."""
        entries = self.entries.get(query.plugin_name, {})
        tags = query.run_tag_filter.tags
        for tag in sorted(entries if tags is None else tags & entries.keys()):
            entry = entries[tag]
            if entry.series.metadata.data_class is query.data_class:
                yield tag, entry

    def findings(self, files: Sequence[FileSnapshot]) -> list[Finding]:
        """What generic clients don't see, and why."""
        return [
            *(_broken_finding(series, logged, files) for series, logged in self.broken),
            *self._unknown(files),
        ]

    def _unknown(self, files: Sequence[FileSnapshot]) -> list[Finding]:
        counts: Counter[tuple[str, str]] = Counter()
        for plugin_name, tags in self.entries.items():
            for entry in tags.values():
                if entry.series.metadata.data_class is DataClass.UNKNOWN:
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


def _is_graph(companion: GenericEntry) -> bool:
    return companion.series.metadata.data_class is DataClass.BLOB_SEQUENCE


def _fits(series: GenericSeries, logged: CatalogEntry) -> bool:
    """Whether numbers stand where numbers may, and only there."""
    if logged.is_scalar:
        return admits_numbers(series.metadata) or series.metadata.data_class is DataClass.UNKNOWN
    return series.metadata.data_class is not DataClass.SCALAR


def _broken_finding(
    series: GenericSeries, logged: CatalogEntry, files: Sequence[FileSnapshot]
) -> Finding:
    metadata = series.metadata
    lost = sum(files[ref.file].count_of(ref.series) for ref in logged.refs)
    are = "numbers" if logged.is_scalar else "no numbers"
    return Finding(
        FindingKind.BROKEN_CLASS,
        files[logged.refs[0].file].found.relative_path,
        detail=f"Tag {series.tag[:100]!r} of plugin {metadata.plugin_name[:100]!r} is a "
        f"{metadata.data_class} series; {lost} of its values are {are}, and left out.",
        lost_records=lost,
    )
