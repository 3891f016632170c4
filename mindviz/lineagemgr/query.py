"""LineageQuery: a question over the lineages of all jobs, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from mindviz.lineagemgr.annotation import (
    ANNOTATION_FIELDS,
    FLAGS,
    NO_ANNOTATION,
    Annotation,
)
from mindviz.lineagemgr.conditions import EVERYTHING, Condition, sorted_rows
from mindviz.lineagemgr.lineage import Lineage
from mindviz.lineagemgr.lineage_table import LineageTable

LINEAGE_TYPES = ("model", "dataset")


@dataclass(frozen=True, slots=True)
class LineageQuery:
    """What is asked: which jobs, in which order, which of their parts."""

    condition: Condition = EVERYTHING
    sorted_name: str | None = None
    """A field; None: the job updated last first."""
    descending: bool = False
    limit: int | None = None
    """Rows of a page; None: everything."""
    offset: int = 0
    """Number of the page."""
    lineage_types: frozenset[str] = frozenset(LINEAGE_TYPES)
    """Of `LINEAGE_TYPES`, those wanted in the answer."""
    columns: tuple[str, ...] = ()
    """`scalar/<tag>/<statistic>`, wanted in the answer."""


@dataclass(frozen=True, slots=True)
class CustomColumn:
    """A column that exists because somebody logged it: `metric/...` or `user_defined/...`."""

    label: str
    required: bool
    """Whether it is a metric."""
    type: str
    """`int`, `float`, `str`, `bool` ...; a mixture of int and float is float, else `mixed`."""


@dataclass(frozen=True, slots=True)
class LineagePage:
    """The answer to a query."""

    rows: tuple[Lineage, ...]
    dataset_marks: tuple[str | None, ...]
    """One per row, as the next two."""
    annotations: tuple[Annotation, ...]
    columns: tuple[Mapping[str, float | int | None], ...]
    """The columns asked for."""
    count: int
    """Matching jobs on all pages."""
    customized: Mapping[str, CustomColumn] = field(default_factory=dict)
    """By label; of all matching jobs, not of the page alone."""


def ask(
    table: LineageTable,
    query: LineageQuery,
    annotations: Mapping[str, Annotation],
    *,
    logged_only: bool = False,
) -> LineagePage:
    """The page that is asked for; with `logged_only` jobs without any lineage are left out."""

    def column_of(name: str) -> Sequence[Any]:
        if name in ANNOTATION_FIELDS:
            noted = [
                getattr(annotations.get(row.summary_dir, NO_ANNOTATION), name) for row in table.rows
            ]
            # A job that nobody has hidden is one that is not hidden.
            return list(map(bool, noted)) if name in FLAGS else noted
        return table.column(name)

    matching = list(range(len(table)))
    if query.condition != EVERYTHING:
        matching = list(compress(matching, query.condition.mask(column_of, len(table))))
    if logged_only:
        matching = [index for index in matching if table.rows[index].is_logged]
    if query.sorted_name is not None:
        matching = sorted_rows(matching, column_of(query.sorted_name), descending=query.descending)
    page = matching
    if query.limit is not None:
        page = matching[query.offset * query.limit : (query.offset + 1) * query.limit]
    marks = table.column("dataset_mark")
    asked = {name: table.column(name) for name in query.columns}
    rows = tuple(table.rows[index] for index in page)
    return LineagePage(
        rows=rows,
        dataset_marks=tuple(marks[index] for index in page),
        annotations=tuple(annotations.get(row.summary_dir, NO_ANNOTATION) for row in rows),
        columns=tuple({name: column[i] for name, column in asked.items()} for i in page),
        count=len(matching),
        customized=customized_columns(table.rows[index] for index in matching),
    )


def customized_columns(rows: Iterable[Lineage]) -> dict[str, CustomColumn]:
    """What the rows hold beyond the fields that all lineages have, metrics first, by name."""
    metrics: dict[str, set[type]] = {}
    others: dict[str, set[type]] = {}
    for row in rows:
        for known, values in ((metrics, row.metric), (others, row.user_defined)):
            for name, value in values.items():
                types = known.get(name)
                if types is None:
                    types = known[name] = set()
                types.add(type(value))
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
