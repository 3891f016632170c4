"""Server: HTTP requests to a mindviz server, with its errors as exceptions."""

from __future__ import annotations

import ipaddress
import json
import ssl
import time
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPException, RemoteDisconnected
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

from mindviz.errors import (
    AnswerTooLarge,
    DamagedValue,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    NotFound,
    ServerUnavailable,
    TokenRequired,
)

_PATIENCE = 600.0
"""Seconds, because a large answer is computed before its first byte is sent."""
_TOKEN_CHARACTERS = "-._~+/="  # noqa: S105 - of any token, besides letters and digits
_NO_ROUTE = "50545001"


class _Busy(MindvizError):
    """The server is busy."""


_BY_CODE: Mapping[str, type[MindvizError]] = {
    "50545013": AnswerTooLarge,
    "50545015": DamagedValue,
    "5054501A": _Busy,
    "5054501B": LogUnreadable,
}
"""Errors that share their HTTP status with others."""
BUSY_PATIENCE = 120.0
"""Seconds to retry requests that are answered with 503 (busy)."""
_LONGEST_PAUSE = 30


class Answer(NamedTuple):
    """A response."""

    headers: Message
    content: bytes


class Server:
    """The mindviz server whose page is at `url`. Methods may be called from any thread.

    They raise the server's InvalidQuery, AnswerTooLarge, NotFound and DamagedValue, and
    ServerUnavailable for other failures, or if it is busy for longer than `busy_patience`.
    """

    def __init__(self, url: str, token: str = "", *, busy_patience: float = BUSY_PATIENCE) -> None:
        """`url` is absolute and ends with a slash."""
        self.url = url
        self.token = token
        self.busy_patience = busy_patience
        self._opener = _opener(url)

    def get_json(self, path: str, query: Mapping[str, str], *, auth_token: str = "") -> Any:
        """The decoded response to a GET."""
        return self._decoded(self.send(f"{path}?{urlencode(query)}", auth_token=auth_token))

    def post_json(self, path: str, body: Mapping[str, Any], *, auth_token: str = "") -> Any:
        """The decoded response to a POST."""
        return self._decoded(self.send(path, body, auth_token=auth_token))

    def send(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        auth_token: str = "",
        headers: Mapping[str, str] = {},
    ) -> Answer:
        """The response of a route below `v1/mindviz/` to a GET, or with a body to a POST."""
        request = Request(urljoin(self.url, f"v1/mindviz/{path}"), headers=dict(headers))  # noqa: S310 - Server's callers see to http(s)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token := auth_token or self.token:
            # Not sent to redirects.
            bearer = f"Bearer {quote(token, safe=_TOKEN_CHARACTERS)}"
            request.add_unredirected_header("Authorization", bearer)
        gives_up = time.monotonic() + self.busy_patience
        while True:
            try:
                return self._attempt(request)
            except HTTPError as error:
                failure = self._error_of(error)
                if not isinstance(failure, _Busy):
                    raise failure from None
                pause = _pause(error.headers.get("Retry-After", ""))
                if time.monotonic() + pause > gives_up:
                    tried = f" Retried for {self.busy_patience:g} s."
                    raise ServerUnavailable(f"{self.url} cannot answer: {failure}{tried}") from None
                time.sleep(pause)

    def _attempt(self, request: Request) -> Answer:
        """The response to one attempt. Raises HTTPError."""
        try:
            with self._opener.open(request, timeout=_PATIENCE) as response:
                return Answer(response.headers, response.read())
        except HTTPError:
            raise
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or str(error) or repr(error)
            hint = _tls_hint(self.url, error)
            raise ServerUnavailable(f"{self.url} does not answer: {reason}.{hint}") from None

    def _error_of(self, error: HTTPError) -> MindvizError:
        try:
            with error:
                body = json.loads(error.read())
            code, message = str(body["error_code"]), str(body["error_msg"])
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            return ServerUnavailable(f"{self.url} answers with HTTP status {error.code}.")
        if code in _BY_CODE:
            return _BY_CODE[code](message)
        if error.code == 401:
            return TokenRequired(
                f"{self.url} does not accept this token."
                if self.token
                else f"{self.url} requires a token: mindviz.open(url, token=...)."
            )
        if error.code in (400, 416):
            return InvalidQuery(message)
        if error.code == 404 and code != _NO_ROUTE:
            return NotFound(message)
        return ServerUnavailable(f"{self.url} cannot answer: {message}")

    def _decoded(self, answer: Answer) -> Any:
        try:
            return json.loads(answer.content)
        except ValueError:
            raise ServerUnavailable(f"{self.url} is not a mindviz server.") from None


def _pause(retry_after: str) -> int:
    """Seconds before the next retry."""
    is_number = retry_after.isascii() and retry_after.isdigit()
    return min(int(retry_after[:9]), _LONGEST_PAUSE) if is_number else 1


def _tls_hint(url: str, error: Exception) -> str:
    """A hint if only one side uses TLS, or the certificate is not trusted."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLCertVerificationError):
        return " Set SSL_CERT_FILE to a file with its certificate."
    if isinstance(reason, ssl.SSLError):
        return " If it does not use TLS, write http://."
    if url.startswith("http://") and isinstance(reason, RemoteDisconnected | ConnectionResetError):
        return " If it uses TLS, write https://."
    return ""


def _opener(url: str) -> OpenerDirector:
    # A proxy would resolve the address to its own machine.
    return build_opener(ProxyHandler({})) if _is_this_machine(url) else build_opener()


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
