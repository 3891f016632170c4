"""The HTTP provider returns the same as the server's own provider."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mindviz.client.http_provider import HttpProvider
from mindviz.client.server import Server
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider
from tests.provider_suite import DataProviderSuite
from tests.served_logs import serving


class TestHttpProvider(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        with serving(base_dir, experiment_id, bounds) as url:
            yield HttpProvider(Server(url))
