"""The numbers of data sets, which depend on all runs of an experiment, in SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, FromClause, collate, func, select

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.run_sums import ExperimentVersion
from mindviz.datavisual.sql.tables import RUNS
from mindviz.stored_lists.sql_columns import STREAMED, NotInSqlError, Sorted, Source
from mindviz.stored_lists.sql_comparisons import Condition

_FIRST = 2
"""The number of the first data set."""


class DatasetNumbers:
    """The number of each data set by its digest; 20 bytes each."""

    def __init__(self, digests: bytes) -> None:
        """`digests`: one after the other, in the order of their numbers."""
        # Numpy ignores zeros at the end; digests have one length.
        found = np.frombuffer(digests, "S16")
        order = np.argsort(found).astype(np.int32)
        self._digests = found[order]
        self._numbers = order + np.int32(_FIRST)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self._digests.nbytes + self._numbers.nbytes

    def __len__(self) -> int:
        """Number of data sets."""
        return len(self._numbers)

    def items(self) -> Iterator[tuple[bytes, str]]:
        """Each digest and its number."""
        digests = [digest.ljust(16, b"\0") for digest in self._digests.tolist()]
        return zip(digests, map(str, self._numbers.tolist()), strict=True)

    def of(self, digests: Sequence[bytes | None]) -> list[str | None]:
        """The numbers of these data sets; None: there is none."""
        if not len(self):
            return [None] * len(digests)
        wanted = np.array([digest or b"" for digest in digests], "S16")
        places = np.minimum(np.searchsorted(self._digests, wanted), len(self) - 1)
        is_known = self._digests[places] == wanted
        cells = zip(digests, self._numbers[places].tolist(), is_known.tolist(), strict=True)
        return [
            str(number) if known and digest is not None else None for digest, number, known in cells
        ]


class OneDataset:
    """Tells whether the runs of an experiment have different data sets. Thread-safe."""

    def __init__(self) -> None:
        self._known: tuple[ExperimentVersion, bytes] | None = None
        """A version in which all data sets were one, and its digest."""

    def differs(self, connection: Connection, at: ExperimentVersion) -> bool:
        """Whether there are two in this transaction, which sees this version."""
        ours = RUNS.c.experiment_id == at.number
        known = self._known
        if known is not None:
            if known[0] == at:
                return False
            later = RUNS.c.version > known[0].version
            if at.follows(known[0]) and not _has_other(connection, ours & later, known[1]):
                self._known = at, known[1]
                return False
        query = select(RUNS.c.dataset).where(ours, RUNS.c.dataset.is_not(None))
        digest = connection.execute(query.limit(1)).scalar()
        if digest is None:
            return False
        if _has_other(connection, ours, digest):
            return True
        self._known = at, digest
        return False


def _has_other(connection: Connection, where: Condition, digest: bytes) -> bool:
    query = select(RUNS.c.run_id).where(where, RUNS.c.dataset != digest)
    return connection.execute(query.limit(1)).first() is not None


def read_numbers(connection: Connection, ours: Condition) -> DatasetNumbers:
    """The data sets of an experiment, numbered in the order of their first runs."""
    first: Any = func.min(RUNS.c.train_id)
    if connection.dialect.name != "sqlite":
        first = func.min(collate(RUNS.c.train_id, "C"))
    query = select(RUNS.c.dataset).where(ours, RUNS.c.dataset.is_not(None))
    query = query.group_by(RUNS.c.dataset).order_by(first)
    parts = connection.execute(query, execution_options=STREAMED).partitions()
    return DatasetNumbers(b"".join([b"".join(bytes(row[0]) for row in part) for part in parts]))


@dataclass(frozen=True, eq=False)
class Datasets(Source):
    """The numbers of data sets, as texts, if they are many."""

    numbers: DatasetNumbers
    ours: Condition
    """The experiment."""

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        query = select(RUNS.c.run_id, RUNS.c.dataset).where(self.ours, RUNS.c.dataset.is_not(None))
        for part in connection.execute(query, execution_options=STREAMED).partitions():
            numbers = self.numbers.of([bytes(row[1]) for row in part])
            yield from zip((row[0] for row in part), numbers, strict=True)

    def joined(self, tables: FromClause) -> Sorted:
        del tables
        raise NotInSqlError
