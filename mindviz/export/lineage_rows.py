"""Lineage as a table: a row per train job, a column per fact that any job logged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.datavisual.store import Store
from mindviz.errors import TrainJobNotFound
from mindviz.export.table import Column, Kind, Rows, Table
from mindviz.gc_control import gc_paused
from mindviz.lineagemgr.annotation import NO_ANNOTATION, Annotation
from mindviz.lineagemgr.lineage_table import SCALAR_STATISTICS, LineageTable, check_cells

ROWS = 1000
"""Jobs per piece."""

MODEL_FIELDS = {
    "loss_function": Kind.TEXT,
    "train_dataset_path": Kind.TEXT,
    "train_dataset_count": Kind.INTEGER,
    "test_dataset_path": Kind.TEXT,
    "test_dataset_count": Kind.INTEGER,
    "network": Kind.TEXT,
    "optimizer": Kind.TEXT,
    "learning_rate": Kind.NUMBER,
    "epoch": Kind.INTEGER,
    "batch_size": Kind.INTEGER,
    "device_num": Kind.INTEGER,
    "loss": Kind.NUMBER,
    "model_size": Kind.INTEGER,
}
"""Fields of training and evaluation -> kind, in the contract's order."""

FIELDS = {
    "create_time": Kind.NUMBER,
    "update_time": Kind.NUMBER,
    "session_status": Kind.TEXT,
    **MODEL_FIELDS,
}
"""Fields of every job -> kind; in this order, after `train_id`."""

ANNOTATION_COLUMNS = {
    "tag": Kind.INTEGER,
    "remark": Kind.TEXT,
    "notes": Kind.TEXT,
    "hidden": Kind.FLAG,
    "pinned": Kind.FLAG,
    "colour": Kind.TEXT,
    "group": Kind.TEXT,
}
"""All `ANNOTATION_FIELDS` -> kind; in this order, at the end."""

_Cells = Sequence[Any]


@dataclass(frozen=True, slots=True, eq=False)
class LineageSelection:
    """The rows of a lineage table, and the columns that depend on what their jobs logged."""

    table: LineageTable
    rows: Sequence[int]
    names: Sequence[str]
    """Columns of the table."""
    tags: Sequence[str]
    """Scalars, each with a column per statistic."""

    @property
    def columns(self) -> int:
        """The number of columns that jobs logged."""
        return len(self.names) + len(SCALAR_STATISTICS) * len(self.tags)


@gc_paused()
def select_lineage(
    store: Store,
    table: LineageTable,
    train_ids: Sequence[str],
    is_wanted: Callable[[str], bool] | None,
) -> LineageSelection:
    """The lineage of these jobs, with the scalars whose tags are wanted; None for no scalars.

    Raises AnswerTooLarge.
    """
    rows = []
    for train_id in train_ids:
        with suppress(TrainJobNotFound):  # created or deleted meanwhile
            rows.append(table.index_of(train_id))
    jobs = [table.rows[row] for row in rows]
    names = [
        "dataset_mark",
        *_prefixed("metric", (job.metric for job in jobs)),
        *_prefixed("user_defined", (job.user_defined for job in jobs)),
    ]
    tags = _tags(store, jobs, is_wanted)
    selected = LineageSelection(table, rows, names, tags)
    check_cells(selected.columns, len(rows))
    return selected


@gc_paused()
def lineage_table(
    selected: LineageSelection,
    *,
    annotations: Mapping[str, Annotation],
    done: Callable[[], object],
) -> Table:
    """One row per job; `done` is called after each.

    `annotations` are by train_id, as `Annotations.all` returns them.
    """
    table, rows = selected.table, selected.rows
    jobs = [table.rows[row] for row in rows]
    logged = {name: [table.column(name)[row] for row in rows] for name in selected.names}
    scalars = table.scalars(selected.tags, rows, SCALAR_STATISTICS)
    kinds = [
        (name, Kind.INTEGER if name.endswith("_step") else Kind.NUMBER)
        for name in SCALAR_STATISTICS
    ]
    annotated = [annotations.get(job.summary_dir, NO_ANNOTATION) for job in jobs]
    columns = (
        Column("train_id", Kind.TEXT),
        Column("has_lineage", Kind.FLAG),
        *(Column(name, kind) for name, kind in FIELDS.items()),
        *(Column(name, _kind(cells)) for name, cells in logged.items()),
        *(
            Column(f"scalar/{tag}/{statistic}", kind)
            for tag in selected.tags
            for statistic, kind in kinds
        ),
        Column("dataset_graph", Kind.JSON),
        *(Column(name, kind) for name, kind in ANNOTATION_COLUMNS.items()),
    )
    cells: list[_Cells] = [
        [job.summary_dir for job in jobs],
        [job.is_logged for job in jobs],
        *([getattr(job, name) for job in jobs] for name in FIELDS),
        *logged.values(),
        *scalars,
        [job.dataset_graph for job in jobs],
        *([getattr(annotation, name) for annotation in annotated] for name in ANNOTATION_COLUMNS),
    ]
    return Table("lineage", (), columns, _pieces(cells, len(jobs), done))


def _pieces(cells: Sequence[_Cells], jobs: int, done: Callable[[], object]) -> Iterator[Rows]:
    for at in range(0, jobs, ROWS):
        # Copying 100,000 columns takes as long as computing them.
        columns = cells if jobs <= ROWS else [column[at : at + ROWS] for column in cells]
        piece = Rows((), tuple(columns))
        yield piece
        for _ in range(len(piece)):
            done()


def _prefixed(prefix: str, groups: Iterable[Iterable[str]]) -> list[str]:
    return sorted({f"{prefix}/{name}" for group in groups for name in group})


def _tags(
    store: Store, jobs: Iterable[Lineage], is_wanted: Callable[[str], bool] | None
) -> list[str]:
    if is_wanted is None:
        return []
    tags: set[str] = set()
    for job in jobs:
        with suppress(TrainJobNotFound):  # deleted meanwhile
            tags.update(store.scalar_summaries(job.summary_dir).tags)
    return sorted(filter(is_wanted, tags))


def _kind(cells: _Cells) -> Kind:
    """The most specific kind for all cells."""
    types = {_type(cell) for cell in cells if cell is not None}
    if types <= {Kind.INTEGER, Kind.NUMBER} and types:
        return Kind.NUMBER if Kind.NUMBER in types else Kind.INTEGER
    return types.pop() if len(types) == 1 else Kind.JSON if types else Kind.TEXT


def _type(cell: Any) -> Kind:
    if isinstance(cell, bool):
        return Kind.FLAG
    if isinstance(cell, int):
        return Kind.INTEGER if -(1 << 63) <= cell < 1 << 63 else Kind.JSON
    if isinstance(cell, float):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(cell, str) else Kind.JSON
