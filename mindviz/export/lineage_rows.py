"""Lineage as a table: a row per train job, a column per fact that any job logged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from mindviz.datavisual.store import Store
from mindviz.errors import TrainJobNotFound
from mindviz.export.table import Column, Kind, Rows, Table
from mindviz.gc_control import gc_paused
from mindviz.lineagemgr.annotation import NO_ANNOTATION, Annotation
from mindviz.lineagemgr.lineage import Lineage
from mindviz.lineagemgr.lineage_table import SCALAR_STATISTICS, LineageTable, check_cells

ROWS = 1000
"""Jobs per piece."""

FIELDS = {
    "create_time": Kind.NUMBER,
    "update_time": Kind.NUMBER,
    "session_status": Kind.TEXT,
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


@gc_paused()
def lineage_table(
    store: Store,
    lineages: LineageTable,
    train_ids: Sequence[str],
    is_wanted: Callable[[str], bool] | None,
    *,
    annotations: Mapping[str, Annotation],
    done: Callable[[], object],
) -> Table:
    """The lineage of these jobs, and statistics of scalars; `done` is called after each job.

    `is_wanted` selects the scalars by tag; None selects none. `annotations` are by train_id, as
    `Annotations.all` returns them. Raises AnswerTooLarge.
    """
    rows = _rows(lineages, train_ids)
    found = [lineages.rows[row] for row in rows]
    names = _names(store, found, is_wanted)
    check_cells(len(names), len(rows))
    logged = {name: [lineages.column(name)[row] for row in rows] for name in names}
    annotated = [annotations.get(job.summary_dir, NO_ANNOTATION) for job in found]
    columns = (
        Column("train_id", Kind.TEXT),
        Column("has_lineage", Kind.FLAG),
        *(Column(name, kind) for name, kind in FIELDS.items()),
        *(Column(name, _kind(cells)) for name, cells in logged.items()),
        Column("dataset_graph", Kind.JSON),
        *(Column(name, kind) for name, kind in ANNOTATION_COLUMNS.items()),
    )
    cells: list[_Cells] = [
        [job.summary_dir for job in found],
        [job.is_logged for job in found],
        *([getattr(job, name) for job in found] for name in FIELDS),
        *logged.values(),
        [job.dataset_graph for job in found],
        *([getattr(annotation, name) for annotation in annotated] for name in ANNOTATION_COLUMNS),
    ]
    return Table("lineage", (), columns, _pieces(cells, len(found), done))


def check_lineage(
    store: Store,
    lineages: LineageTable,
    train_ids: Sequence[str],
    is_wanted: Callable[[str], bool] | None,
) -> None:
    """Raises AnswerTooLarge if `lineage_table` would."""
    found = [lineages.rows[row] for row in _rows(lineages, train_ids)]
    check_cells(len(_names(store, found, is_wanted)), len(found))


def _rows(lineages: LineageTable, train_ids: Sequence[str]) -> list[int]:
    rows = []
    for train_id in train_ids:
        with suppress(TrainJobNotFound):  # created or deleted meanwhile
            rows.append(lineages.index_of(train_id))
    return rows


def _names(
    store: Store, found: Sequence[Lineage], is_wanted: Callable[[str], bool] | None
) -> list[str]:
    """The columns that depend on what jobs logged."""
    return [
        "dataset_mark",
        *_prefixed("metric", (job.metric for job in found)),
        *_prefixed("user_defined", (job.user_defined for job in found)),
        *(
            f"scalar/{tag}/{statistic}"
            for tag in _tags(store, found, is_wanted)
            for statistic in SCALAR_STATISTICS
        ),
    ]


def _pieces(cells: Sequence[_Cells], jobs: int, done: Callable[[], object]) -> Iterator[Rows]:
    for at in range(0, jobs, ROWS):
        piece = Rows((), tuple(column[at : at + ROWS] for column in cells))
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
    found: set[str] = set()
    for job in jobs:
        try:
            found.update(filter(is_wanted, store.scalar_summaries(job.summary_dir).tags))
        except TrainJobNotFound:  # deleted meanwhile
            continue
    return sorted(found)


def _kind(cells: _Cells) -> Kind:
    """The most specific kind for all cells."""
    if set(map(type, cells)) == {float}:
        return Kind.NUMBER
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
