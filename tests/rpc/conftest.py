from __future__ import annotations

from collections.abc import Iterator

import pytest

from mindviz.datavisual.data_transform.data_provider import DataProvider
from mindviz.datavisual.data_transform.log_directory_provider import LogDirectoryProvider
from tests.data_provider_client import DataProviderClient, asking
from tests.provider_logs import write_provider_logs
from tests.written_logs import loaded


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> DataProvider:
    """Every kind of series, of all three formats."""
    directory = tmp_path_factory.mktemp("provider")
    write_provider_logs(directory)
    return LogDirectoryProvider(loaded(directory), "exp")


@pytest.fixture(scope="session")
def client(provider: DataProvider) -> Iterator[DataProviderClient]:
    """Asks a server over them."""
    with asking(provider) as asker:
        yield asker
