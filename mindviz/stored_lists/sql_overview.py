"""What lists need to know of all runs in a database without reading them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import Connection, Select, case, func, select

from mindviz.datavisual.series.value_order import (
    Value,
    natural_key,
    present_value,
    value_key,
    value_text,
)
from mindviz.datavisual.sql.catalog import DATASET_FIELD, KINDS, NUMBER, value_in
from mindviz.datavisual.sql.tables import KEY_BYTES, RUN_FIELDS, RUN_SCALARS, RUNS
from mindviz.stored_lists.sql_columns import Coded, NotInSqlError, Plain, Source
from mindviz.stored_lists.sql_values import Facts, Scalars
from mindviz.stored_lists.sql_view import SqlView


def overview(view: SqlView) -> dict[str, Any]:
    """As `RunList.overview`."""
    return {
        **view.kept("overview", lambda: _overview(view)),
        "archived": len(view.flagged("hidden")),
        "pinned": len(view.flagged("pinned")),
        "states": view.state_counts(),
    }


def _overview(view: SqlView) -> dict[str, Any]:
    """What does not depend on notes and on the time."""
    catalog = view.catalog
    formats: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for counted in view.totals():
        formats[counted.formats] += counted.runs
        files[counted.formats] += int(counted.files)
    return {
        "total": catalog.total,
        "plugins": {name: sum(shapes.values()) for name, shapes in catalog.plugins.items()},
        "formats": dict(formats),
        "files": dict(files),
        "lineages": sum(int(counted.with_lineage) for counted in view.totals()),
        "display_names": sum(int(counted.display_names) for counted in view.totals()),
        "scalar_tags": catalog.scalar_tags,
        "unmeasured_tags": catalog.unmeasured_tags,
        "fields": {
            name: {
                "kind": KINDS[next(iter(kinds))] if len(kinds) == 1 else "mixed",
                "count": sum(kinds.values()),
                "differs": differs(view, name),
            }
            for name, kinds in sorted(catalog.fields.items(), key=lambda item: natural_key(item[0]))
        },
        "parameters": view.names.parameters.names,
        "shown_as": view.names.parameters.shown_as,
    }


def differs(view: SqlView, name: str) -> bool:
    """Whether two runs have different values; NaN differs from itself."""
    if name == DATASET_FIELD:
        return view.has_datasets()
    cells: set[tuple[Any, ...]] = set()
    for source in view.sources_of(name):
        cells |= _ends(view.connection, source)
    return len(cells) > 1 or any(cell[:2] == (NUMBER, None) for cell in cells)


def _rows(connection: Connection, query: Select[Any]) -> list[Any]:
    return list(connection.execute(query.limit(2)))


def _ends(connection: Connection, source: Source) -> set[tuple[Any, ...]]:
    """The first and last value of an index as cells: equal if all values are."""
    if isinstance(source, Facts):
        table = RUN_FIELDS.c
        terms = [table.kind, table.number, table.key]
        query = select(*terms, table.rest).where(table.field_id == source.field_id)
        found = _of_ends(connection, query, terms)
        if any(len(cell[2] or b"") == KEY_BYTES for cell in found):
            rests = select(table.rest).where(table.field_id == source.field_id).distinct()
            found |= {(None, None, None, row[0]) for row in _rows(connection, rests)}
        return found
    assert isinstance(source, Scalars)
    number = RUN_SCALARS.c[source.column]
    every = select(number).join(RUNS, RUNS.c.run_id == RUN_SCALARS.c.run_id)
    every = every.where(RUN_SCALARS.c.field_id == source.field_id)
    if source.of_shapes is not None:
        every = every.where(source.of_shapes)
    ends = _of_ends(connection, every.where(number.is_not(None)), [number])
    missing = _rows(connection, every.where(number.is_(None)))
    return {(NUMBER, cell[0], None, None) for cell in (*ends, *missing)}


def _of_ends(connection: Connection, query: Select[Any], terms: list[Any]) -> set[tuple[Any, ...]]:
    orders = (terms, [term.desc() for term in terms])
    rows = (connection.execute(query.order_by(*order).limit(1)).first() for order in orders)
    return {tuple(row) for row in rows if row is not None}


def frequent(view: SqlView, source: Source, limit: int) -> list[str]:
    """The most frequent values as texts; equally frequent ones in order."""
    if isinstance(source, Coded):
        return _frequent_codes(view, source, limit)
    count = func.count().label("runs")
    if isinstance(source, Plain):
        query = select(source.number, count).where(view.ours).group_by(source.number)
        by_count = query.order_by(count.desc(), source.number)
        return [value_text(row[0]) for row in view.connection.execute(by_count.limit(limit))]
    if not isinstance(source, Facts | Scalars):
        raise NotInSqlError
    cell, condition, terms = source.listed()
    query = select(*terms, count).select_from(cell).where(condition).group_by(*terms)
    is_text = [case((terms[0] == NUMBER, 0), else_=1)] if isinstance(source, Facts) else []
    ordered = query.order_by(count.desc(), *is_text, *terms[len(is_text) :]).limit(limit)
    rows = view.connection.execute(ordered)
    if isinstance(source, Facts):
        return [value_text(value_in(*(*row[:-1], None, None)[:4])) for row in rows]
    return [value_text(row[0]) for row in rows]


def _frequent_codes(view: SqlView, source: Coded, limit: int) -> list[str]:
    if not source.values:
        return []
    code = source.code
    query = select(code, func.count()).where(view.ours).group_by(code)
    counts: Counter[tuple[type, Value]] = Counter()
    for place, runs in view.connection.execute(query):
        value = None if place is None else present_value(source.values[place][1])
        if value is not None:
            counts[type(value), value] += runs
    ordered = sorted(counts.items(), key=lambda item: (-item[1], value_key(item[0][1])))
    return [value_text(value) for (_, value), _ in ordered[:limit]]
