from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql import scalar_chunks
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.postgresql import postgresql
from tests.provider_suite import DataProviderSuite
from tests.written_logs import tensorboard_log, write


@contextmanager
def imported(
    url: str, base_dir: Path, experiment_id: str, bounds: AnswerBounds
) -> Iterator[DataProvider]:
    database = Database(url)
    try:
        importer = Importer(database, ImportOptions(base_dir, experiment_id))
        importer.run()
        assert importer.progress.failed == {}
        store = SqlStore(database, experiment_id)
        store.load_once()
        yield StoreProvider.of(store, experiment_id, bounds)
    finally:
        database.close()


class TestSQLite(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        with (
            tempfile.TemporaryDirectory() as directory,
            imported(f"{directory}/db", base_dir, experiment_id, bounds) as provider,
        ):
            yield provider


class TestPostgreSQL(DataProviderSuite):
    @classmethod
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> AbstractContextManager[DataProvider]:
        return imported(postgresql().new_database(), base_dir, experiment_id, bounds)


class TestSmallChunks(TestSQLite):
    """Every series has several chunks."""

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def short(cls) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(scalar_chunks, "CHUNK_POINTS", 3)
            yield


def test_most_recent_points_are_aggregated(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(step, float(step)) for step in range(9)]))
    query = SeriesQuery("scalars", DataClass.SCALAR, steps=StepRange(end=6, most_recent=3))
    with imported(f"{tmp_path}/db", tmp_path, "exp", AnswerBounds()) as provider:
        found = provider.aggregates(RequestContext(), "", query)["./"]["loss"]
    assert (found.count, found.min, found.max) == (3, 4.0, 6.0)
