"""LineageQuery: filters, sorts and pages the lineages of all jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, FLAGS, NO_ANNOTATION, Annotation
from mindviz.lineagemgr.conditions import (
    EVERYTHING,
    Condition,
    fields_of,
    sorted_rows,
    train_ids_of,
)
from mindviz.lineagemgr.lineage_table import LineageTable

LINEAGE_TYPES = ("model", "dataset")


@dataclass(frozen=True, slots=True)
class LineageQuery:
    """Which jobs to return, in which order, with which parts."""

    condition: Condition = EVERYTHING
    sorted_name: str | None = None
    """A field; None sorts by last update, newest first."""
    descending: bool = False
    limit: int | None = None
    """Rows per page; None for all."""
    offset: int = 0
    """Number of the page."""
    lineage_types: frozenset[str] = frozenset(LINEAGE_TYPES)
    """The `LINEAGE_TYPES` to return."""
    columns: tuple[str, ...] = ()
    """Columns `scalar/<tag>/<statistic>` to return."""


@dataclass(frozen=True, slots=True)
class CustomColumn:
    """A column that depends on what jobs logged: `metric/...` or `user_defined/...`."""

    label: str
    required: bool
    """Whether it is a metric."""
    type: str
    """`int`, `float`, `str`, `bool` ...; `float` for int and float, else `mixed`."""


@dataclass(frozen=True, slots=True)
class LineagePage:
    """The result of a query."""

    rows: tuple[Lineage, ...]
    dataset_marks: tuple[str | None, ...]
    """One per row, like `annotations` and `columns`."""
    annotations: tuple[Annotation, ...]
    columns: tuple[Mapping[str, float | int | None], ...]
    """The requested columns."""
    count: int
    """Matching jobs on all pages."""
    customized: Mapping[str, CustomColumn] = field(default_factory=dict)
    """By label, for all matching jobs, not only those on the page."""


def candidates(condition: Condition, annotations: Mapping[str, Annotation]) -> Sequence[str] | None:
    """The only train jobs that can meet a condition; None if any can."""
    named = train_ids_of(condition)
    fields = set(fields_of(condition))
    if named is not None or not fields or not fields <= set(ANNOTATION_FIELDS):
        return named
    without_notes = condition.mask(lambda name: [_noted(NO_ANNOTATION, name)], 1)
    return None if without_notes[0] else list(annotations)


def _noted(annotation: Annotation, name: str) -> Any:
    value = getattr(annotation, name)
    # For flags, None means false.
    return bool(value) if name in FLAGS else value


def find_lineages(
    table: LineageTable,
    query: LineageQuery,
    annotations: Mapping[str, Annotation],
    *,
    logged_only: bool = False,
) -> LineagePage:
    """The requested page; `logged_only` omits jobs without lineage."""

    def column_of(name: str) -> Sequence[Any]:
        if name in ANNOTATION_FIELDS:
            notes = (annotations.get(job, NO_ANNOTATION) for job in table.rows.train_ids)
            return [_noted(note, name) for note in notes]
        return table.column(name)

    matching = list(range(len(table)))
    if query.condition != EVERYTHING:
        matching = list(compress(matching, query.condition.mask(column_of, len(table))))
    if logged_only:
        matching = [index for index in matching if index in table.rows.logged]
    if query.sorted_name is not None:
        matching = sorted_rows(matching, column_of(query.sorted_name), descending=query.descending)
    page = matching
    if query.limit is not None:
        page = matching[query.offset * query.limit : (query.offset + 1) * query.limit]
    marks = table.column("dataset_mark")
    columns = {name: table.column(name) for name in query.columns}
    rows = tuple(table.rows[index] for index in page)
    return LineagePage(
        rows=rows,
        dataset_marks=tuple(marks[index] for index in page),
        annotations=tuple(annotations.get(row.summary_dir, NO_ANNOTATION) for row in rows),
        columns=tuple({name: column[i] for name, column in columns.items()} for i in page),
        count=len(matching),
        customized=customized_columns(
            table.rows.logged[index] for index in matching if index in table.rows.logged
        ),
    )


def customized_columns(rows: Iterable[Lineage]) -> dict[str, CustomColumn]:
    """The columns that depend on what jobs logged, metrics first, sorted by name."""
    metrics: defaultdict[str, set[type]] = defaultdict(set)
    others: defaultdict[str, set[type]] = defaultdict(set)
    for row in rows:
        for known, values in ((metrics, row.metric), (others, row.user_defined)):
            for name, value in values.items():
                known[name].add(type(value))
    found = {}
    for prefix, known, required in (("metric", metrics, True), ("user_defined", others, False)):
        for name in sorted(known):
            label = f"{prefix}/{name}"
            found[label] = CustomColumn(label, required, _type_name(known[name] - {type(None)}))
    return found


def _type_name(types: set[type]) -> str:
    if types == {int, float}:
        return "float"
    if len(types) != 1:
        return "mixed"
    return next(iter(types)).__name__
