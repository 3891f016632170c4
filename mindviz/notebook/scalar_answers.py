"""Scalars, groups and events for widgets, in the page's formats, wherever the logs are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from mindviz.client.log_source import LogSource, ServerSource, StoreSource
from mindviz.config import Config, ExperimentSource
from mindviz.snapshots.recorder import AnswerSource
from mindviz.snapshots.scalar_parts import metadata_of

_ROUTE = "datavisual/scalars"

Query = Mapping[str, Any]
"""Arguments of a route; None for none."""
Part = Literal["whole", "detail", "groups", "marks"]
"""Of a chart: whole series, points within a window, groups of runs, events of rules."""

_own_answers: WeakKeyDictionary[StoreSource, AnswerSource] = WeakKeyDictionary()
"""An application for all charts of a source."""


class ScalarAnswers:
    """The routes of logs that charts need. May be called from any thread."""

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

    def ask(self, part: Part, query: Query, cursor: str = "") -> tuple[bytes, str]:
        """What a part of a chart shows, and the next cursor; of series the points after `cursor`.

        Equal cursors: there is nothing new. Raises MindvizError.
        """
        if part == "groups":
            content = self._answers.answer(f"{_ROUTE}/groups", query).body
        elif part == "marks":
            found = json.loads(self._answers.answer("findings", query).body)
            content = json.dumps(found["marks"]).encode()
        else:
            return self._points(query, cursor)
        return content, blake2b(content).hexdigest()

    def _points(self, query: Query, cursor: str) -> tuple[bytes, str]:
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
