"""Scalars for widgets, in the page's binary format, wherever the logs are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from mindviz.client.log_source import LogSource, ServerSource, StoreSource
from mindviz.config import Config, ExperimentSource
from mindviz.snapshots.recorder import AnswerSource
from mindviz.snapshots.scalar_parts import metadata_of

_ROUTE = "datavisual/scalars"

Query = Mapping[str, str | float | Sequence[str] | None]
"""Arguments of the route `datavisual/scalars`; None for none."""

_own_answers: WeakKeyDictionary[StoreSource, AnswerSource] = WeakKeyDictionary()
"""An application for all charts of a source."""


class ScalarAnswers:
    """The route `datavisual/scalars` of logs. May be called from any thread."""

    def __init__(self, answers: AnswerSource) -> None:
        self._answers = answers

    @staticmethod
    def of(source: LogSource) -> ScalarAnswers:
        """The answers of a server, or of this process."""
        if isinstance(source, ServerSource):
            return ScalarAnswers(source.answers)
        assert isinstance(source, StoreSource)
        answers = _own_answers.get(source)
        if answers is None:
            answers = _own_answers[source] = _answers_of(source)
        return ScalarAnswers(answers)

    def ask(self, query: Query, cursor: str = "") -> tuple[bytes, str]:
        """The Arrow stream of the points after the cursor, and the next cursor.

        Equal cursors: there are no new points. Raises MindvizError.
        """
        given = {name: value for name, value in query.items() if value is not None}
        if cursor:
            given["since"] = cursor
        content = self._answers.answer(f"{_ROUTE}?{urlencode(given, doseq=True)}").body
        return content, str(metadata_of(content)["cursor"])


def _answers_of(source: StoreSource) -> AnswerSource:
    # Imported late, because the web framework is slow to import.
    from mindviz.backend.app import create_app  # noqa: PLC0415
    from mindviz.backend.own_answers import OwnAnswers  # noqa: PLC0415

    base_dir = source.base_dir
    config = (
        Config(Path(), experiments=(ExperimentSource(source.experiment_id, source.location),))
        if base_dir is None
        else Config(base_dir)
    )
    return OwnAnswers(create_app(config, source.store))
