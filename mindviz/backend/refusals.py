"""What is refused before it is a request for the app: the HTTP server's own errors, in our body."""

from __future__ import annotations

import orjson
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.task import ErrorTask  # type: ignore[import-untyped]

from mindviz.backend.errors import INVALID_VALUE, UNKNOWN


class JsonErrorTask(ErrorTask):  # type: ignore[misc] # waitress has no types
    """Answers what is no valid HTTP request, or too large to be read, as all other errors."""

    def execute(self) -> None:
        """Write the error and end the connection."""
        error = self.request.error
        message = f"{error.reason}: {error.body}" if error.code < 500 else "System error."
        code = INVALID_VALUE if error.code < 500 else UNKNOWN
        body = orjson.dumps({"error_code": code, "error_msg": " ".join(message.split())})
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class JsonChannel(HTTPChannel):  # type: ignore[misc] # as above
    """A connection whose errors are JSON."""

    error_task_class = JsonErrorTask
