from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile
from mindviz.datavisual.logs.log_store import LogStore
from tests.provider_suite import DataProviderSuite
from tests.written_logs import loaded


@contextmanager
def counted_reads() -> Iterator[list[str]]:
    """Paths of the log files that are opened meanwhile."""
    paths: list[str] = []
    opened = LogFile.opened

    def count(self: LogFile) -> OpenLogFile:
        paths.append(self.path)
        return opened(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LogFile, "opened", count)
        yield paths


def warm(base_dir: Path, cache: Path) -> LogStore:
    """A store that has read no log, but the cache of an earlier one."""
    loaded(base_dir, cache_dir=cache)
    with counted_reads() as opened:
        store = loaded(base_dir, cache_dir=cache)
        assert opened == []
    return store


class TestWarmStarts(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        with TemporaryDirectory() as cache:
            store = warm(base_dir, Path(cache))
            yield StoreProvider.of(store, experiment_id, bounds=bounds)
