from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select, text

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.run_sums import ExperimentVersion
from mindviz.datavisual.sql.tables import EXPERIMENTS, LOWER_NAME, NAME_TRIGRAMS, RUNS
from mindviz.lineagemgr.run_filter import NameMatch
from mindviz.stored_lists.sql_names import RunNames
from mindviz.stored_lists.sql_totals import run_totals, totals_in
from tests.postgresql import postgresql

ASCII = [
    *("run_1", "Run_2", "RUN77", "run7x7", "run7", "a/run-10", "a/b/run77", "kab", "k.b"),
    *("sweep%7/x_y", "100%", "back\\slash", "a b c", "'quoted'", "(1)", "run", "_", "lr=0.1"),
]
OTHERS = ["\u212aab", "é/run77", "Größe", "RUN\u017f"]
LABELS = {"run_1": "Label 77", "kab": "été"}


class Stored(NamedTuple):
    """Runs in a database."""

    connection: Connection
    names: list[str]
    labels: dict[str, str]

    def check(self, condition: NameMatch) -> None:
        """Compare what SQL finds with the test of the condition."""
        ours = RUNS.c.experiment_id == 1
        kept: dict[Hashable, Any] = {}

        def keep(key: Hashable, read: Callable[[], Any]) -> Any:
            if key not in kept:
                kept[key] = read()
            return kept[key]

        totals = run_totals(is_sqlite=self.connection.dialect.name == "sqlite")
        groups = totals.read(self.connection, ExperimentVersion(1, 0.0, 1))
        runs = RunNames(self.connection, ours, None, lambda: totals_in(groups), keep)
        test = condition.test()
        expected = {name for name in self.names if test(name) or test(self.labels.get(name, ""))}
        for _ in range(2):
            query = select(RUNS.c.train_id).where(ours, runs.named(condition))
            found = [train_id[2:] for train_id in self.connection.execute(query).scalars()]
            assert sorted(found) == sorted(expected)


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
            {"train_id": f"./{name}", "display_name": labels.get(name, ""), **common}
            for name in names
        ]
        connection.execute(RUNS.insert(), rows)
    return database


@pytest.fixture(scope="module", params=["ascii", "other names", "labels"])
def runs(request: pytest.FixtureRequest) -> tuple[list[str], dict[str, str]]:
    names = [*ASCII, *OTHERS] if request.param == "other names" else ASCII
    return names, LABELS if request.param == "labels" else {}


@pytest.fixture(scope="module", params=["sqlite", "indexed", "not indexed"])
def stored(
    request: pytest.FixtureRequest,
    runs: tuple[list[str], dict[str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stored]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = str(tmp_path_factory.mktemp("db") / "runs.db")
        else:
            url = postgresql().new_database()
        database = store(url, *runs)
        stack.callback(database.close)
        if request.param == "not indexed":
            with database.writing() as connection:
                connection.execute(text(f"DROP INDEX {NAME_TRIGRAMS}"))
        connection = stack.enter_context(database.reading())
        if request.param == "indexed":
            # The planner would read so few names one by one.
            connection.execute(text("SET enable_seqscan = off"))
        yield Stored(connection, *runs)


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


def test_an_import_indexes_the_names_of_a_database() -> None:
    database = store(postgresql().new_database(), ASCII, {})
    with database.writing() as connection:
        connection.execute(text(f"DROP INDEX {NAME_TRIGRAMS}"))
    database.create_missing()
    with database.reading() as connection:
        connection.execute(text("SET enable_seqscan = off"))
        query = select(RUNS.c.run_id).where(LOWER_NAME.like("%run77%"))
        compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
        plan = connection.exec_driver_sql(f"EXPLAIN {compiled}").scalars().all()
    assert NAME_TRIGRAMS in "\n".join(plan)
    database.close()


def test_who_may_not_create_an_extension_goes_without_the_index() -> None:
    url = postgresql().new_database()
    owner = Database(url)
    with owner.writing() as connection:
        connection.execute(text("DROP ROLE IF EXISTS limited"))
        connection.execute(text("CREATE ROLE limited LOGIN"))
        connection.execute(text("GRANT CREATE ON SCHEMA public TO limited"))
    limited = store(url.replace("postgres@", "limited@"), ASCII, {})
    with limited.reading() as connection:
        assert connection.execute(select(func.to_regclass(NAME_TRIGRAMS))).scalar() is None
        Stored(connection, ASCII, {}).check(NameMatch("run7", literal=True))
    limited.close()
    owner.close()
