"""Exports: a question about all data below a base dir, checked, and its answer as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.store import Store
from mindviz.errors import InvalidQuery, NothingToExport, TrainJobNotFound
from mindviz.export.image_files import with_files
from mindviz.export.lineage_rows import check_lineage, lineage_table
from mindviz.export.output_formats import OutputFormat, output_formats
from mindviz.export.series_table import (
    VALUE_SHAPES,
    SeriesId,
    formulas_table,
    scalars_table,
    values_table,
)
from mindviz.export.table import Table
from mindviz.expression import Expression
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages

SCALARS, IMAGES, LINEAGE = "scalars", "images", "lineage"
WHAT = (SCALARS, *VALUE_SHAPES, LINEAGE)
"""What can be exported."""
FORMATS = ("csv", "json", "npz", "parquet")
"""The names of the output formats, which are not imported for it."""

NOTHING_NOTED: Mapping[str, Annotation] = MappingProxyType({})
_PIECE = 1 << 16
"""Bytes: smaller pieces are put together."""


@dataclass(frozen=True, slots=True)
class ExportQuery:
    """What to export, and as what."""

    what: str
    """One of `WHAT`."""
    format: OutputFormat
    tag: Expression | None = None
    """Found in the tags of the series wanted; None: all."""
    train_id: Expression | None = None
    """Found in the ids of the jobs wanted; None: all."""
    restarts: Restarts = "latest"
    jobs: frozenset[str] = frozenset()
    """The ids of the jobs wanted; empty: all. Of both this and `train_id` a job has to be."""
    formulas: tuple[TagFormula, ...] = ()
    """Instead of series as logged; of jobs that have all of a formula's tags."""


def _ignore() -> None:
    pass


@dataclass(slots=True)
class Export:
    """An export that has something in it. Nothing is read before the first piece is asked for."""

    query: ExportQuery
    count: int
    """Series, or of lineage jobs."""
    _table: Callable[[Callable[[], object]], Table] = field(repr=False)

    @property
    def file_name(self) -> str:
        """A sensible name for the file."""
        return f"{self.query.what}{self.query.format.suffix}"

    def pieces(
        self, done: Callable[[], object] = _ignore, images: Path | None = None
    ) -> Iterator[bytes]:
        """The file, piece by piece; `done` is called after each series or job.

        Of images, `images` is an empty folder that gets one file each; the export names them then
        instead of holding them.
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
    """Check a question. Raises InvalidQuery, ExtraNotInstalled."""
    found = output_formats().get(output_format)
    if found is None:
        raise InvalidQuery(f"{output_format!r} is no format; there are {', '.join(FORMATS)}.")
    if what not in WHAT:
        raise InvalidQuery(f"{what!r} cannot be exported; there are {', '.join(WHAT)}.")
    if what in found.refused:
        raise InvalidQuery(f"There is no {output_format} of {what}: {found.refused[what]}.")
    if restarts == "all" and what != SCALARS:
        raise InvalidQuery("Only of scalars is there what restarts replaced.")
    computed = tuple(TagFormula.parse(text) for text in dict.fromkeys(formulas))
    if computed and (what != SCALARS or tag is not None or restarts == "all"):
        raise InvalidQuery("Formulas are of scalars; they name their tags, and are of the latest.")
    found.check()
    return ExportQuery(
        what,
        found,
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
    experiment: Store,
    lineages: Lineages,
    query: ExportQuery,
    annotations: Mapping[str, Annotation] = NOTHING_NOTED,
) -> Export:
    """Find what is to be exported; `annotations` go with lineage.

    Raises NothingToExport, AnswerTooLarge.
    """
    train_ids = sorted(
        train_id
        for train_id in experiment.list_train_ids()
        if (query.train_id is None or query.train_id.search(train_id))
        and (not query.jobs or train_id in query.jobs)
    )
    if query.what == LINEAGE:
        if not train_ids:
            raise _nothing(experiment, query, train_ids)
        check_lineage(
            experiment,
            lineages.table(),
            train_ids,
            None if query.tag is None else query.tag.search,
        )
        return Export(
            query,
            len(train_ids),
            lambda done: lineage_table(
                experiment,
                lineages.table(),
                train_ids,
                None if query.tag is None else query.tag.search,
                annotations=annotations,
                done=done,
            ),
        )
    series = list(_series(experiment, query, train_ids))
    if not series:
        raise _nothing(experiment, query, train_ids)
    if query.formulas:
        computed = {formula.text: formula for formula in query.formulas}
        return Export(
            query,
            len(series),
            lambda done: formulas_table(experiment, series, computed, done),
        )
    if query.what == SCALARS:
        return Export(
            query,
            len(series),
            lambda done: scalars_table(experiment, series, query.restarts, done),
        )
    return Export(
        query, len(series), lambda done: values_table(experiment, query.what, series, done)
    )


def _series(experiment: Store, query: ExportQuery, train_ids: Sequence[str]) -> Iterator[SeriesId]:
    plugin_name = VALUE_SHAPES[query.what].plugin_name if query.what != SCALARS else "scalar"
    for train_id in train_ids:
        try:
            tags = experiment.list_tags(train_id).get(plugin_name, ())
        except TrainJobNotFound:  # gone meanwhile
            continue
        if query.formulas:
            there = frozenset(tags)
            yield from (
                (train_id, formula.text)
                for formula in query.formulas
                if there.issuperset(formula.tags)
            )
            continue
        for tag in tags:
            if query.tag is None or query.tag.search(tag):
                yield train_id, tag


def _nothing(experiment: Store, query: ExportQuery, train_ids: Sequence[str]) -> NothingToExport:
    """Which of the conditions nothing meets."""
    jobs = experiment.status().train_jobs
    if not jobs:
        return NothingToExport("There are no train jobs.")
    if not train_ids:
        return NothingToExport(f"None of the {jobs} train_ids match the expression.")
    looked_at = f"{len(train_ids)} train job{'' if len(train_ids) == 1 else 's'}"
    wanted = "with a tag that matches" if query.tag is not None else "at all"
    if query.formulas:
        wanted = "that the formulas take"
    return NothingToExport(f"There are no {query.what} {wanted} in {looked_at}.")
