"""Validates export queries and writes exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.plugins import OTHER_EXPORTS, exported_plugins
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, InvalidQuery, NothingToExport, TrainJobNotFound
from mindviz.export.image_files import with_files
from mindviz.export.lineage_rows import lineage_table, select_lineage
from mindviz.export.output_formats import OutputFormat, output_formats
from mindviz.export.series_table import (
    SeriesId,
    formulas_table,
    scalars_table,
    values_table,
)
from mindviz.export.table import Table
from mindviz.expression import Expression
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages

SCALARS, LINEAGE = OTHER_EXPORTS
FORMATS = ("csv", "json", "npz", "parquet")
"""Names of the output formats, available without importing them."""

NO_ANNOTATIONS: Mapping[str, Annotation] = MappingProxyType({})
_PIECE = 1 << 16
"""Minimum bytes per piece; smaller ones are joined."""


@dataclass(frozen=True, slots=True)
class ExportQuery:
    """What to export, and in which format."""

    what: str
    """One of `data_kinds`."""
    format: OutputFormat
    tag: Expression | None = None
    """Selects series by tag; None selects all."""
    train_id: Expression | None = None
    """Selects jobs by id; None selects all."""
    restarts: Restarts = "latest"
    jobs: frozenset[str] = frozenset()
    """Selects jobs by id, in addition to `train_id`; empty selects all."""
    formulas: tuple[TagFormula, ...] = ()
    """Exported instead of logged series, for jobs that have all tags of a formula."""


@dataclass(slots=True)
class Export:
    """A non-empty export; reads data only while `pieces` is iterated."""

    query: ExportQuery
    count: int
    """Number of series; for lineage, of jobs."""
    _table: Callable[[Callable[[], object]], Table] = field(repr=False)

    @property
    def file_name(self) -> str:
        """The suggested file name."""
        return f"{self.query.what}{self.query.format.suffix}"

    def pieces(
        self, done: Callable[[], object] = lambda: None, images: Path | None = None
    ) -> Iterator[bytes]:
        """The file's content in pieces; `done` is called after each series or job.

        With the empty folder `images`, images become files in it, and the export contains their
        names.
        """
        waiting: list[bytes] = []
        size = 0
        table = self._table(done)
        if images is not None:
            table = with_files(table, images)
        for piece in self.query.format.write(table):
            waiting.append(piece)
            size += len(piece)
            if size >= _PIECE:
                yield b"".join(waiting)
                waiting.clear()
                size = 0
        if waiting:
            yield b"".join(waiting)


def data_kinds() -> tuple[str, ...]:
    """Names of the data that can be exported."""
    return SCALARS, *exported_plugins(), LINEAGE


def export_query(
    what: str,
    output_format: str,
    *,
    tag: str | None = None,
    train_id: str | None = None,
    restarts: Restarts = "latest",
    jobs: Iterable[str] = (),
    formulas: Iterable[str] = (),
) -> ExportQuery:
    """A validated query. Raises InvalidQuery, ExtraNotInstalled."""
    file_format = output_formats().get(output_format)
    if file_format is None:
        raise InvalidQuery(f"Unknown format {output_format!r}. Formats: {', '.join(FORMATS)}.")
    if what not in data_kinds():
        raise InvalidQuery(f"Cannot export {what!r}. Choose one of {', '.join(data_kinds())}.")
    plugin = exported_plugins().get(what)
    columns = plugin.table.columns if plugin is not None and plugin.table is not None else ()
    for key in (what, *(column.kind for column in columns)):
        if key in file_format.unsupported:
            reason = file_format.unsupported[key]
            raise InvalidQuery(f"Cannot export {what} as {output_format}: {reason}.")
    if restarts == "all" and what != SCALARS:
        raise InvalidQuery("restarts=all applies to scalars only.")
    computed = tuple(TagFormula.parse(text) for text in dict.fromkeys(formulas))
    if computed and (what != SCALARS or tag is not None or restarts == "all"):
        raise InvalidQuery("Formulas apply to scalars only, without a tag or restarts=all.")
    file_format.check()
    return ExportQuery(
        what,
        file_format,
        _expression("tag", tag),
        _expression("train_id", train_id),
        restarts,
        frozenset(jobs),
        computed,
    )


def _expression(name: str, text: str | None) -> Expression | None:
    try:
        return None if text is None else Expression(text)
    except InvalidQuery as error:
        raise InvalidQuery(f"{name}: {error}") from None


def open_export(
    store: Store,
    lineages: Lineages,
    query: ExportQuery,
    annotations: Mapping[str, Annotation] = NO_ANNOTATIONS,
) -> Export:
    """Find the selected series or jobs; `annotations` are added to lineage.

    Raises NothingToExport, AnswerTooLarge.
    """
    train_ids = sorted(
        train_id
        for train_id in store.list_train_ids()
        if (query.train_id is None or query.train_id.search(train_id))
        and (not query.jobs or train_id in query.jobs)
    )
    if query.what == LINEAGE:
        if not train_ids:
            raise _nothing(store, query, train_ids)
        is_wanted = None if query.tag is None else query.tag.search
        selected = select_lineage(store, lineages.table(), train_ids, is_wanted)
        if selected.columns > query.format.max_columns:
            raise AnswerTooLarge(
                f"The lineage has {selected.columns} columns, and {query.format.name} stores at "
                f"most {query.format.max_columns}. Select fewer tags, or another format."
            )
        return Export(
            query,
            len(train_ids),
            lambda done: lineage_table(selected, annotations=annotations, done=done),
        )
    series = list(_series(store, query, train_ids))
    if not series:
        raise _nothing(store, query, train_ids)

    def table(done: Callable[[], object]) -> Table:
        if query.formulas:
            computed = {formula.text: formula for formula in query.formulas}
            return formulas_table(store, series, computed, done)
        if query.what == SCALARS:
            return scalars_table(store, series, query.restarts, done)
        return values_table(store, query.what, series, done)

    return Export(query, len(series), table)


def _series(store: Store, query: ExportQuery, train_ids: Sequence[str]) -> Iterator[SeriesId]:
    plugin_name = exported_plugins()[query.what].name if query.what != SCALARS else SCALAR_PLUGIN
    for train_id in train_ids:
        try:
            tags = store.list_tags(train_id).get(plugin_name, ())
        except TrainJobNotFound:  # deleted meanwhile
            continue
        if query.formulas:
            available = frozenset(tags)
            yield from (
                (train_id, formula.text)
                for formula in query.formulas
                if available.issuperset(formula.tags)
            )
            continue
        for tag in tags:
            if query.tag is None or query.tag.search(tag):
                yield train_id, tag


def _nothing(store: Store, query: ExportQuery, train_ids: Sequence[str]) -> NothingToExport:
    """The error for an empty export; names the condition that nothing meets."""
    jobs = store.status().train_jobs
    if not jobs:
        return NothingToExport("There are no runs.")
    if not train_ids:
        return NothingToExport(f"None of the {jobs} train_ids match the expression.")
    searched = f"{len(train_ids)} run{'' if len(train_ids) == 1 else 's'}"
    condition = " with a matching tag" if query.tag is not None else ""
    if query.formulas:
        condition = " for the formulas"
    return NothingToExport(f"There are no {query.what}{condition} in {searched}.")
