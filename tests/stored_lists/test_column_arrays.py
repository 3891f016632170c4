"""Runs in a database are found by their names, labels and keys as Python finds them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.tables import EXPERIMENTS, RUNS
from mindviz.errors import InvalidQuery
from mindviz.expression import Expression
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_filter import NameMatch
from mindviz.lineagemgr.run_lists import MemoryLists
from mindviz.stored_lists import column_arrays
from mindviz.stored_lists.column_arrays import RunKeys
from mindviz.stored_lists.sql_lists import SqlLists
from tests.postgresql import postgresql

ASCII = [
    *("run_1", "Run_2", "RUN77", "run7x7", "run7", "a/run-10", "a/b/run77", "kab", "k.b"),
    *("sweep%7/x_y", "100%", "back\\slash", "a b c", "'quoted'", "(1)", "run", "_", "lr=0.1"),
]
OTHERS = ["\u212aab", "é/run77", "Größe", "RUN\u017f"]
LABELS = {"run_1": "Label 77", "kab": "été"}


class Stored(NamedTuple):
    """Runs in a database."""

    lists: SqlLists
    names: list[str]
    labels: dict[str, str]

    def check(self, condition: NameMatch) -> None:
        """Compare what the columns find with the names."""
        lower = condition.text.lower()
        expected = {name for name in self.names if self.matches(name, lower, condition)}
        table = self.lists.table()
        assert table is not None
        found = table.ids_of(table.named(condition).nonzero()[0].tolist())
        assert sorted(found) == sorted(f"./{name}" for name in expected)

    def matches(self, name: str, lower: str, condition: NameMatch) -> bool:
        texts = (name, self.labels.get(name, ""))
        if not condition.literal:
            try:
                return any(map(Expression(f"(?i){condition.text}").search, texts))
            except InvalidQuery:
                pass
        return any(lower in text.lower() for text in texts)


def store(url: str, names: list[str], labels: dict[str, str]) -> Database:
    """A new database with runs of these names."""
    database = Database(url)
    database.create()
    with database.writing() as connection:
        experiment = {"name": "e", "data_location": "", "creation_time": 0.0, "version": 1}
        connection.execute(EXPERIMENTS.insert().values(experiment_id=1, **experiment))
        common = {"create_time": 0.0, "update_time": 0.0, "points": 0, "is_integrity": True}
        common |= {"experiment_id": 1, "version": 1, "complete": True, "files": 0}
        rows = [
            {
                **common,
                "train_id": f"./{name}",
                "display_name": labels.get(name, ""),
                "name_key": name.encode(),
            }
            for name in names
        ]
        connection.execute(RUNS.insert(), rows)
    return database


@pytest.fixture(scope="module", params=["ascii", "other names", "labels"])
def runs(request: pytest.FixtureRequest) -> tuple[list[str], dict[str, str]]:
    names = [*ASCII, *OTHERS] if request.param == "other names" else ASCII
    return names, LABELS if request.param == "labels" else {}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def stored(
    request: pytest.FixtureRequest,
    runs: tuple[list[str], dict[str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stored]:
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("db")
        is_sqlite = request.param == "sqlite"
        url = str(folder / "runs.db") if is_sqlite else postgresql().new_database()
        database = store(url, *runs)
        stack.callback(database.close)
        experiment = SqlStore(database, scratch_folder=folder)
        experiment.refresh()
        lineages = Lineages(experiment)
        lists = SqlLists(experiment, MemoryLists(experiment, lineages), lineages)
        yield Stored(lists, *runs)


PARTS = st.one_of(
    st.sampled_from([*ASCII, *OTHERS, "run", "RUN7", "77", "7%", "\\", "k", "s"]),
    st.text("runRUN7_%\\/. k", max_size=5),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(part=PARTS)
def test_parts_of_names_are_found(stored: Stored, part: str) -> None:
    stored.check(NameMatch(part, literal=True))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    expression=st.lists(
        st.sampled_from(
            [
                *("run", "RUN", "7", "k", "/", "_", "a", ".", "\\.", ".*", ".?", ".+", "^", "$"),
                *("[7x]", "|", "*", "(?i)", "%"),
            ]
        ),
        max_size=6,
    ).map("".join)
)
def test_expressions_find_what_they_match(stored: Stored, expression: str) -> None:
    stored.check(NameMatch(expression, literal=False))


@given(
    keys=st.lists(st.integers(0, 50), unique=True),
    wanted=st.lists(st.integers(-1, 60)),
    most=st.sampled_from([-1, 100]),
)
def test_keys_are_found_among_few_and_many(keys: list[int], wanted: list[int], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_arrays, "MOST_SELECTED", most)
        rows, is_known = RunKeys(np.array(keys, np.int64)).places(np.array(wanted, np.int64))
    assert is_known.tolist() == [key in keys for key in wanted]
    assert rows.tolist() == [keys.index(key) for key in wanted if key in keys]
