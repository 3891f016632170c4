"""The differences between some jobs, as rows of a table with a column per job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.datavisual.analysis.lineage import Lineage, last_values
from mindviz.datavisual.store import ScalarSummaries
from mindviz.lineagemgr.lineage_table import LineageTable

HYPER_PARAMETERS = (
    "network",
    "optimizer",
    "learning_rate",
    "loss_function",
    "epoch",
    "batch_size",
    "device_num",
    "train_dataset_path",
    "train_dataset_count",
    "test_dataset_path",
    "test_dataset_count",
)
RESULTS = ("loss", "model_size")


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that is not equal in all jobs."""

    name: str
    values: tuple[Any, ...]
    """One per job; None where a job lacks it."""


@dataclass(frozen=True, slots=True)
class LineageDiff:
    """All differences between some jobs; equal facts are omitted."""

    train_ids: tuple[str, ...]
    hyper_parameters: tuple[Difference, ...]
    user_defined: tuple[Difference, ...]
    dataset_graph: tuple[Difference, ...]
    """Named by the path in the graph: `children/0/batch_size`."""
    metrics: tuple[Difference, ...]
    """Loss, model size and evaluation metrics."""
    scalars: tuple[Difference, ...]
    """The last value of each scalar series."""


def diff_lineages(
    table: LineageTable, train_ids: Sequence[str], summaries: Callable[[str], ScalarSummaries]
) -> LineageDiff:
    """Compare jobs. Raises TrainJobNotFound."""
    ids = tuple(dict.fromkeys(train_ids))
    rows = [table.rows[table.index_of(train_id)] for train_id in ids]
    return LineageDiff(
        train_ids=ids,
        hyper_parameters=_differences([_fields(row, HYPER_PARAMETERS) for row in rows]),
        user_defined=_differences([row.user_defined for row in rows]),
        dataset_graph=_differences([dict(_leaves(row.dataset_graph or {})) for row in rows]),
        metrics=_differences([_fields(row, RESULTS) | dict(row.metric) for row in rows]),
        scalars=_differences([last_values(summaries(train_id)) for train_id in ids]),
    )


def _fields(row: Lineage, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _leaves(graph: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, value) of all leaves in nested dicts and lists."""
    if isinstance(graph, Mapping):
        members = [(str(name), graph[name]) for name in graph]
    elif isinstance(graph, list):
        members = [(str(index), member) for index, member in enumerate(graph)]
    else:
        yield path, graph
        return
    for name, member in members:
        yield from _leaves(member, f"{path}/{name}" if path else name)


def _differences(mappings: Sequence[Mapping[str, Any]]) -> tuple[Difference, ...]:
    """Names with different values, in the order of their first appearance."""
    differences = []
    for name in dict.fromkeys(name for mapping in mappings for name in mapping):
        values = tuple(mapping.get(name) for mapping in mappings)
        if any(not same_fact(value, values[0]) for value in values[1:]):
            differences.append(Difference(name, values))
    return tuple(differences)


def same_fact(value: Any, other: Any) -> bool:
    """Whether two facts are equal; NaN equals NaN, and True does not equal 1."""
    if isinstance(value, bool) is not isinstance(other, bool):
        return False
    return bool(value == other) or (value != value and other != other)  # noqa: PLR0124
