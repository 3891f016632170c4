from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, insert

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.run_sums import ExperimentVersion
from mindviz.datavisual.sql.tables import EXPERIMENTS, RUNS
from mindviz.stored_lists.sql_datasets import DatasetNumbers, OneDataset

DIGESTS = st.lists(
    # Numpy ignores zeros at the end.
    st.binary(min_size=16, max_size=16)
    | st.binary(min_size=14, max_size=14).map(lambda b: b + b"\0\0"),
    unique=True,
    max_size=20,
)


@given(digests=DIGESTS, others=DIGESTS)
def test_numbers_follow_the_order_of_first_runs(digests: list[bytes], others: list[bytes]) -> None:
    numbers = DatasetNumbers(b"".join(digests))
    expected = {digest: str(number) for number, digest in enumerate(digests, 2)}
    assert dict(numbers.items()) == expected
    asked = [*digests, *others, None]
    assert numbers.of(asked) == [expected.get(digest) for digest in asked if digest] + [None]


def test_a_number_takes_20_bytes() -> None:
    digests = [number.to_bytes(16, "big") for number in range(1_000)]
    assert DatasetNumbers(b"".join(digests)).nbytes == 20_000


def test_one_data_set_is_told_from_several_after_each_commit(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "runs.db"))
    database.create()
    with database.writing() as connection:
        row: dict[str, Any] = {"experiment_id": 1, "name": "1", "creation_time": 0.0}
        connection.execute(insert(EXPERIMENTS), [{**row, "version": 0, "data_location": ""}])
    dataset = OneDataset()
    found = []
    a, b = b"a", b"b"
    steps: list[dict[int, bytes | None]] = []
    steps += {1: None}, {1: a}, {2: None}, {2: a}, {3: b}, {}, {1: b, 2: b}, {2: None}
    for version, changes in enumerate(steps, 1):
        with database.writing() as connection:
            for run_id, digest in changes.items():
                connection.execute(delete(RUNS).where(RUNS.c.run_id == run_id))
                row = {"run_id": run_id, "experiment_id": 1, "train_id": f"./{run_id}"}
                row |= {"display_name": "", "is_integrity": True, "complete": True, "points": 0}
                row |= {"create_time": 0.0, "update_time": 0.0}
                connection.execute(insert(RUNS), [{**row, "version": version, "dataset": digest}])
        with database.reading() as connection:
            at = ExperimentVersion(1, 0.0, version)
            found.append([dataset.differs(connection, at) for _ in range(2)])
    assert found == [[differs] * 2 for differs in (False,) * 4 + (True,) * 2 + (False,) * 2]
    database.close()
