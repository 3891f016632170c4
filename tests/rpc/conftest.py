from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.data_provider_client import DataProviderClient, asking
from tests.provider_logs import write_provider_logs
from tests.written_logs import loaded


@pytest.fixture(scope="session")
def provider_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of series, of all three formats."""
    directory = tmp_path_factory.mktemp("provider")
    write_provider_logs(directory)
    return directory


@pytest.fixture(scope="session", params=["directory", "database", "experiments"])
def provider(
    request: pytest.FixtureRequest, provider_logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DataProvider]:
    """Each kind of provider, of the experiment `exp`."""
    if request.param == "directory":
        yield StoreProvider.of(loaded(provider_logs), "exp")
    elif request.param == "database":
        database = Database(str(tmp_path_factory.mktemp("database") / "db"))
        Importer(database, ImportOptions(provider_logs, "exp")).run()
        yield StoreProvider.of(SqlStore(database), "exp")
        database.close()
    else:
        empty = tmp_path_factory.mktemp("empty")
        yield StoreProvider(
            Experiments(
                [
                    ServedExperiment("exp", loaded(provider_logs)),
                    ServedExperiment("more", loaded(empty)),
                ]
            )
        )


@pytest.fixture(scope="session")
def client(provider: DataProvider) -> Iterator[DataProviderClient]:
    """Asks a server over them."""
    with asking(provider) as asker:
        yield asker
