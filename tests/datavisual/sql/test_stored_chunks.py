from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, update

from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.sql.column_transfer import insert_rows
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.scalar_chunks import chunks_of
from mindviz.datavisual.sql.stored_chunks import SelectedPoints, aggregates, joined, read_series
from mindviz.datavisual.sql.tables import EXPERIMENTS, RUNS, SCALAR_CHUNKS
from mindviz.errors import DamagedValue

RUN = 1

numbers = st.floats(-3, 3, width=16) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 0.0])


@st.composite
def cut_series(draw: st.DrawFn) -> list[ScalarPoints]:
    """A series in at least one part."""
    steps = sorted(draw(st.sets(st.integers(-20, 60), min_size=1, max_size=30)))
    value = draw(st.lists(numbers, min_size=len(steps), max_size=len(steps)))
    step = np.array(steps)
    cuts = draw(st.sets(st.integers(1, max(1, len(steps) - 1)), max_size=6)) - {len(steps)}
    return [
        ScalarPoints(step[start:end], step[start:end] / 2, np.array(value[start:end]))
        for start, end in pairwise([0, *sorted(cuts), len(steps)])
    ]


ranges = st.builds(
    StepRange,
    st.none() | st.integers(-25, 65) | st.sampled_from([-(1 << 70), 1 << 70]),
    st.none() | st.integers(-25, 65) | st.sampled_from([-(1 << 70), 1 << 70]),
    st.none() | st.integers(0, 35),
)
samples = st.none() | st.builds(
    Downsample, st.integers(0, 35), st.sampled_from(["uniform", "reservoir"])
)


def store(connection: Connection, series: Sequence[Sequence[ScalarPoints]]) -> None:
    for tag_id, parts in enumerate(series):
        first_rank = 0
        for part in parts:
            chunks = chunks_of(tag_id, first_rank, part)
            insert_rows(connection, SCALAR_CHUNKS, ((RUN, *chunk) for chunk in chunks))
            first_rank += len(part.step)


def created(database: Database) -> Database:
    database.create()
    with database.writing() as connection:
        connection.execute(
            EXPERIMENTS.insert().values(
                experiment_id=1, name="e", data_location="", creation_time=0, version=0
            )
        )
        connection.execute(
            RUNS.insert().values(
                run_id=RUN,
                experiment_id=1,
                train_id="./",
                display_name="",
                create_time=0,
                update_time=0,
                points=0,
                is_integrity=True,
                version=0,
                complete=True,
            )
        )
    return database


def keys(count: int) -> SeriesSet:
    return SeriesSet(np.full(count, RUN), np.arange(count))


def lengths(series: Sequence[Sequence[ScalarPoints]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([sum(len(part.step) for part in parts) for parts in series], np.int64)


def columns(points: ScalarPoints) -> tuple[bytes, ...]:
    return points.step.tobytes(), points.wall_time.tobytes(), points.value.tobytes()


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    series=st.lists(cut_series(), min_size=1, max_size=3),
    questions=st.lists(st.tuples(ranges, samples), min_size=1, max_size=8),
)
def test_chunks_answer_as_whole_series(
    tmp_path_factory: pytest.TempPathFactory,
    series: list[list[ScalarPoints]],
    questions: list[tuple[StepRange, Downsample | None]],
) -> None:
    database = created(Database(str(tmp_path_factory.mktemp("x") / "x.db")))
    whole = [joined(parts) for parts in series]
    with database.writing() as connection:
        store(connection, series)
    with database.reading() as connection:
        for steps, downsample in questions:
            query = SeriesQuery("scalars", steps=steps, downsample=downsample)
            selected = SelectedPoints(connection, keys(len(series)), lengths(series), query)
            expected = [points.selected(steps, downsample) for points in whole]
            assert selected.total == sum(len(points.step) for points in expected)
            assert list(map(columns, selected.read())) == list(map(columns, expected))
            bounds = StepRange(steps.start, steps.end)
            found = aggregates(connection, keys(len(series)), bounds)
            in_range = [ScalarAggregate.of(points.selected(bounds, None)) for points in whole]
            assert list(map(repr, found)) == list(map(repr, in_range))
    database.close()


PARTS = [
    ScalarPoints(np.arange(start, start + 10), np.zeros(10), np.arange(start, start + 10) / 2)
    for start in range(0, 50, 10)
]


@pytest.mark.parametrize(
    ("steps", "downsample", "needed"),
    [
        (StepRange(10, 19), None, {1}),
        (StepRange(15, 21), None, {1, 2}),
        (StepRange(most_recent=3), None, {4}),
        (StepRange(end=25, most_recent=1), None, {2}),
        (StepRange(100), None, set()),
        (StepRange(), Downsample(1), {4}),
        (StepRange(), Downsample(0), set()),
        (StepRange(), None, {0, 1, 2, 3, 4}),
    ],
)
def test_only_chunks_with_selected_points_are_read(
    database: Database, steps: StepRange, downsample: Downsample | None, needed: set[int]
) -> None:
    created(database)
    with database.writing() as connection:
        store(connection, [PARTS])
        # Damage all others, and then all.
        first_ranks = SCALAR_CHUNKS.c.first_rank
        damage = update(SCALAR_CHUNKS).values(data=b"damaged")
        connection.execute(damage.where(first_ranks.not_in([10 * place for place in needed])))
    query = SeriesQuery("scalars", steps=steps, downsample=downsample)

    def answer(connection: Connection) -> tuple[bytes, ...]:
        selected = SelectedPoints(connection, keys(1), lengths([PARTS]), query)
        (points,) = selected.read()
        return columns(points)

    with database.reading() as connection:
        expected = joined(PARTS).selected(steps, downsample)
        assert answer(connection) == columns(expected)
    with database.writing() as connection:
        connection.execute(damage)
    if needed:
        with database.reading() as connection, pytest.raises(DamagedValue):
            answer(connection)


def test_a_missing_chunk_is_damage(database: Database) -> None:
    created(database)
    with database.writing() as connection:
        store(connection, [PARTS])
        connection.execute(delete(SCALAR_CHUNKS).where(SCALAR_CHUNKS.c.first_rank == 20))
    with database.reading() as connection, pytest.raises(DamagedValue):
        list(read_series(connection, keys(1), lengths([PARTS])))


def test_aggregates_of_whole_chunks_read_no_points(database: Database) -> None:
    created(database)
    with database.writing() as connection:
        store(connection, [PARTS])
        connection.execute(update(SCALAR_CHUNKS).values(data=b"damaged"))
    with database.reading() as connection:
        (found,) = aggregates(connection, keys(1), StepRange(10, 39))
        assert found == ScalarAggregate(30, 5.0, 10, 19.5, 39, 5.0, 19.5)
        with pytest.raises(DamagedValue):
            aggregates(connection, keys(1), StepRange(10, 35))


def test_zeros_keep_their_sign_in_statistics(tmp_path: Path) -> None:
    database = created(Database(str(tmp_path / "x.db")))
    points = ScalarPoints(np.arange(2), np.zeros(2), np.array([-0.0, -0.0]))
    with database.writing() as connection:
        store(connection, [[points]])
    with database.reading() as connection:
        (found,) = aggregates(connection, keys(1), StepRange())
    assert repr(found) == repr(ScalarAggregate.of(points))
    database.close()
