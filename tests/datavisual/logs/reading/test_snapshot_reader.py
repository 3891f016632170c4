from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from tests.provider_suite import DataProviderSuite
from tests.written_logs import loaded


class TestLogDirectory(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        yield StoreProvider.of(loaded(base_dir), experiment_id, bounds=bounds)
