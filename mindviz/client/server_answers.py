"""ServerAnswers: a server's routes, for snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindviz.client.server import Server
from mindviz.snapshots.recorder import Answered


class ServerAnswers:
    """Asks a server over HTTP; an `AnswerSource` of snapshots."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def answer(self, path: str, body: Mapping[str, Any] | None = None) -> Answered:
        """As `AnswerSource.answer`. Raises as `Server.send`."""
        answer = self._server.send(path, body)
        return Answered(answer.headers.get_content_type(), answer.content)
