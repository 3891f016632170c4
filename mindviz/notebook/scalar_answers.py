"""Scalars for widgets, in the page's binary format, wherever the logs are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from mindviz.backend.arrow_stream import metadata_of
from mindviz.client.log_source import LogSource, ServerSource, StoreSource
from mindviz.config import Config, ExperimentSource
from mindviz.errors import MindvizError

if TYPE_CHECKING:
    from flask.testing import FlaskClient

_ROUTE = "datavisual/scalars"

Query = Mapping[str, str | float | Sequence[str] | None]
"""Arguments of the route `datavisual/scalars`; None for none."""


class AnswerFailed(MindvizError):
    """The message of the server's error."""


class ScalarAnswers(ABC):
    """The route `datavisual/scalars` of logs. May be called from any thread."""

    @staticmethod
    def of(source: LogSource) -> ScalarAnswers:
        """The answers of a server, or of this process."""
        if isinstance(source, ServerSource):
            return _FromServer(source)
        assert isinstance(source, StoreSource)
        return _FromStore(source)

    def ask(self, query: Query, cursor: str = "") -> tuple[bytes, str]:
        """The Arrow stream of the points after the cursor, and the next cursor.

        Equal cursors: there are no new points. Raises MindvizError.
        """
        given = {name: value for name, value in query.items() if value is not None}
        if cursor:
            given["since"] = cursor
        content = self._get(urlencode(given, doseq=True))
        return content, str(metadata_of(content)["cursor"])

    @abstractmethod
    def _get(self, query: str) -> bytes: ...


class _FromServer(ScalarAnswers):
    def __init__(self, source: ServerSource) -> None:
        self._server = source.server

    def _get(self, query: str) -> bytes:
        return self._server.send(f"{_ROUTE}?{query}").content


class _FromStore(ScalarAnswers):
    """Calls the web application without a network."""

    def __init__(self, source: StoreSource) -> None:
        self._client = _client_of(source)

    def _get(self, query: str) -> bytes:
        response = self._client.get(f"/v1/mindviz/{_ROUTE}?{query}")
        if response.status_code != 200:
            raise AnswerFailed(response.get_json()["error_msg"])
        return response.get_data()


def _client_of(source: StoreSource) -> FlaskClient:
    # Imported late, because the web framework is slow to import.
    from mindviz.backend.app import create_app  # noqa: PLC0415

    base_dir = source.base_dir
    config = (
        Config(Path(), experiments=(ExperimentSource(source.experiment_id, source.location),))
        if base_dir is None
        else Config(base_dir)
    )
    return create_app(config, source.store).test_client(use_cookies=False)
