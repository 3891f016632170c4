"""The catalog of a database: what lists show of each run, in tables that SQL filters and sorts.

Every row depends on its run alone, so imports of different runs do not wait for each other.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import orjson
from sqlalchemy import Connection, Table, bindparam, case, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from mindviz.datavisual.analysis.lineage import FACT_FIELDS, Lineage, lineage_of, shortest
from mindviz.datavisual.analysis.parameter_names import LOGGED, field_of, is_same
from mindviz.datavisual.series.lineage_facts import JobLineage, LineageFacts, MetricTag
from mindviz.datavisual.series.value_order import Value, is_number, natural_key, value_of
from mindviz.datavisual.sql.column_transfer import insert_rows
from mindviz.datavisual.sql.records import facts_of
from mindviz.datavisual.sql.stored_series import lines_of
from mindviz.datavisual.sql.summaries import read_summaries
from mindviz.datavisual.sql.tables import (
    FIELDS,
    FINDINGS,
    KEY_BYTES,
    LOG_FILES,
    RUN_FIELDS,
    RUN_SCALARS,
    RUNS,
    SHAPES,
)
from mindviz.datavisual.store import ScalarSummaries

NUMBER, TEXT, FLAG = range(3)
"""Kinds of values in `RUN_FIELDS`."""
KINDS = ("number", "text", "bool")
DATASET_FIELD = "dataset_mark"
"""A field that depends on all runs: the number of the data set."""
_AT_ONCE = 500
"""Parameters of a statement."""


@dataclass(frozen=True)
class Shape:
    """Which series and fields a run has; most runs of a sweep have the same."""

    tags: Mapping[str, Sequence[str]]
    """plugin_name -> tags, sorted."""
    fields: Mapping[str, int]
    """Name of each fact -> kind of its value."""
    same: tuple[str, ...]
    """Logged names of parameters that have the value of their field."""
    measured: tuple[str, ...]
    """Scalar tags of an hparams session that can be metrics."""
    metric_tags: tuple[MetricTag, ...]

    @cached_property
    def text(self) -> str:
        """As ASCII JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def of(text: str) -> Shape:
        """The inverse of `text`."""
        known: dict[str, Any] = json.loads(text)
        return Shape(
            tags=known["tags"],
            fields=known["fields"],
            same=tuple(known["same"]),
            measured=tuple(known["measured"]),
            metric_tags=tuple(MetricTag(**tag) for tag in known["metric_tags"]),
        )


NO_SHAPE = Shape({}, {}, (), (), ())


def digest_of(name: bytes) -> bytes:
    """The unique key of a field's name or a shape."""
    return blake2b(name, digest_size=16).digest()


def field_bytes(name: str) -> bytes:
    """The name of a field as stored."""
    return name.encode("utf-8", "surrogatepass")


def split_key(text: str) -> tuple[bytes, bytes]:
    """The sort key of a text in two columns: the first is indexed."""
    key = natural_key(text)
    return key[:KEY_BYTES], key[KEY_BYTES:]


def cell_of(value: Value) -> tuple[int, float | None, bytes | None, bytes | None]:
    """A value as the last columns of `RUN_FIELDS`."""
    if isinstance(value, str):
        return TEXT, None, *split_key(value)
    if is_number(value):
        number = float(value)  # type: ignore[arg-type]
        return NUMBER, None if number != number else number, None, None  # noqa: PLR0124
    return FLAG, None, *split_key("true" if value else "false")


def value_in(kind: int, number: float | None, key: bytes | None, rest: bytes | None) -> Value:
    """The inverse of `cell_of`."""
    if kind == NUMBER:
        return float("nan") if number is None else number
    # A key ends with the text itself.
    text = ((key or b"") + (rest or b"")).partition(b"\0")[2].decode("utf-8", "surrogatepass")
    return text == "true" if kind == FLAG else text


def facts_in(lineage: Lineage) -> dict[str, Value]:
    """The facts of a run by the names of their columns, except its data set's number."""
    cells: dict[str, Any] = {name: getattr(lineage, name) for name in FACT_FIELDS}
    cells |= {f"metric/{name}": cell for name, cell in lineage.metric.items()}
    cells |= {f"{LOGGED}{name}": cell for name, cell in lineage.user_defined.items()}
    return {name: value for name, cell in cells.items() if (value := value_of(cell)) is not None}


def catalog_run(connection: Connection, experiment_id: int, run_id: int) -> dict[str, Any]:
    """Write the catalog's rows of a run whose other rows are stored; returns those of `RUNS`."""
    query = select(RUNS.c.train_id, RUNS.c.lineage).where(RUNS.c.run_id == run_id)
    train_id, text = connection.execute(query).one()
    facts = facts_of(text)
    lineage = lineage_of(JobLineage(train_id, 0, 0.0, 0.0, facts), {})
    values = facts_in(lineage)
    tags = {name: list(lines) for name, lines in lines_of(connection, run_id).items()}
    summaries = read_summaries(connection, [run_id]).get(run_id)
    metrics = {} if summaries is None else _metrics(summaries, facts)
    fields = {name: cell_of(value)[0] for name, value in sorted(values.items())}
    shape = Shape(
        tags=tags,
        fields=fields | ({DATASET_FIELD: TEXT} if lineage.is_logged else {}),
        same=tuple(sorted(_same(values))),
        measured=tuple(sorted(metrics)),
        metric_tags=facts.metric_tags,
    )
    scalars = {} if summaries is None else _scalars(summaries, metrics)
    ids = _field_ids(connection, experiment_id, (*values, *scalars))
    _replace(
        connection,
        RUN_FIELDS,
        run_id,
        {ids[name]: cell_of(value) for name, value in values.items()},
    )
    _replace(connection, RUN_SCALARS, run_id, {ids[name]: row for name, row in scalars.items()})
    key, rest = split_key(train_id.removeprefix("./"))
    return {
        "name_key": key,
        "name_rest": rest,
        **_of_files(connection, run_id),
        "series": sum(map(len, tags.values())),
        "session_status": facts.session_status,
        "dataset": _dataset(lineage),
        "shape_id": _shape_id(connection, experiment_id, shape),
    }


def catalog_all(connection: Connection) -> None:
    """Write the catalog of a database that has none."""
    every = connection.execute(select(RUNS.c.run_id, RUNS.c.experiment_id)).all()
    for run_id, experiment_id in every:
        columns = catalog_run(connection, experiment_id, run_id)
        connection.execute(update(RUNS).where(RUNS.c.run_id == run_id).values(columns))


def _of_files(connection: Connection, run_id: int) -> dict[str, Any]:
    is_lineage = case((LOG_FILES.c.kind == "lineage", 1), else_=0)
    totals = (func.count(), func.sum(LOG_FILES.c.bytes), func.sum(is_lineage))
    of_run = select(LOG_FILES.c.format, *totals).where(LOG_FILES.c.run_id == run_id)
    rows = connection.execute(of_run.group_by(LOG_FILES.c.format)).all()
    problems = select(func.count()).select_from(FINDINGS).where(FINDINGS.c.run_id == run_id)
    return {
        "formats": ", ".join(sorted(row[0] for row in rows)),
        "files": sum(row[1] for row in rows),
        "bytes": sum(int(row[2]) for row in rows),
        "lineage_files": sum(int(row[3]) for row in rows),
        "problems": connection.execute(problems).scalar_one(),
    }


def _dataset(lineage: Lineage) -> bytes | None:
    if not lineage.is_logged:
        return None
    graph = lineage.dataset_graph
    return digest_of(b"" if graph is None else orjson.dumps(graph, option=orjson.OPT_SORT_KEYS))


def _same(values: Mapping[str, Value]) -> Iterable[str]:
    for name, value in values.items():
        field = field_of(name)
        if name.startswith(LOGGED) and field in values and is_same(value, values[field]):
            yield name


def _metrics(summaries: ScalarSummaries, facts: LineageFacts) -> dict[str, float]:
    """What each scalar series of a session has if it is a metric of some session."""
    if not (facts.hyper_parameters or facts.metric_tags):
        return {}
    logged = facts.evaluation.metric if facts.evaluation else {}
    metrics = {
        tag: metric.value
        for tag in summaries.tags
        if tag not in logged and (metric := summaries.metric(tag, facts)) is not None
    }
    return dict(zip(metrics, shortest(list(metrics.values())), strict=True))


def _scalars(
    summaries: ScalarSummaries, metrics: Mapping[str, float]
) -> dict[str, tuple[float | None, ...]]:
    """Name of each scalar's field -> its columns in `RUN_SCALARS`."""
    stats = summaries.stats
    columns = [shortest(values) for values in (stats.last, stats.min, stats.max)]
    rows = zip(summaries.tags, *columns, strict=True)
    return {f"scalar/{tag}": tuple(map(_stored, (*row, metrics.get(tag)))) for tag, *row in rows}


def _stored(number: float | None) -> float | None:
    return None if number is None or number != number else number  # noqa: PLR0124 -- NaN


def _replace(
    connection: Connection, table: Table, run_id: int, rows: Mapping[int, tuple[Any, ...]]
) -> None:
    """Store the rows of a run; unchanged ones are not written."""
    columns = list(table.c)[1:]
    query = select(*columns).where(table.c.run_id == run_id)
    stored = {row[0]: tuple(row[1:]) for row in connection.execute(query)}
    changed = {field_id: row for field_id, row in rows.items() if stored.get(field_id) != row}
    gone = [field_id for field_id in stored if field_id in changed or field_id not in rows]
    if gone:
        is_gone = (table.c.run_id == run_id) & (table.c.field_id == bindparam("gone"))
        connection.execute(delete(table).where(is_gone), [{"gone": field_id} for field_id in gone])
    insert_rows(connection, table, ((run_id, field_id, *row) for field_id, row in changed.items()))


def _field_ids(
    connection: Connection, experiment_id: int, names: Collection[str]
) -> dict[str, int]:
    stored = {name: field_bytes(name) for name in names}
    rows = {digest_of(name): {"name": name} for name in stored.values()}
    ids = _ids(connection, FIELDS, experiment_id, rows)
    return {name: ids[digest_of(content)] for name, content in stored.items()}


def _shape_id(connection: Connection, experiment_id: int, shape: Shape) -> int:
    digest = digest_of(shape.text.encode())
    return _ids(connection, SHAPES, experiment_id, {digest: {"content": shape.text}})[digest]


def _ids(
    connection: Connection, table: Table, experiment_id: int, rows: Mapping[bytes, dict[str, Any]]
) -> dict[bytes, int]:
    """The keys of rows by their digests, which are added if missing."""
    ids = find_ids(connection, table, experiment_id, rows)
    # In order, so that two imports never wait for each other.
    missing = sorted(rows.keys() - ids.keys())
    if missing:
        dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(table).on_conflict_do_nothing()
        for digest in missing:
            values = {"experiment_id": experiment_id, "digest": digest, **rows[digest]}
            connection.execute(statement, values)
        ids |= find_ids(connection, table, experiment_id, missing)
    return ids


def find_ids(
    connection: Connection, table: Table, experiment_id: int, digests: Iterable[bytes]
) -> dict[bytes, int]:
    """The keys of the rows with these digests that exist."""
    key = next(iter(table.primary_key))
    found: dict[bytes, int] = {}
    wanted = list(digests)
    for start in range(0, len(wanted), _AT_ONCE):
        of_digests = table.c.digest.in_(wanted[start : start + _AT_ONCE])
        query = select(table.c.digest, key).where(table.c.experiment_id == experiment_id)
        found |= {bytes(row[0]): row[1] for row in connection.execute(query.where(of_digests))}
    return found
