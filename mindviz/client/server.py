"""Server: a running mindviz as a program sees it: questions out, answers or our errors back."""

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
"""Seconds: a large answer is made before its first byte is sent."""
_TOKEN_CHARACTERS = "-._~+/="  # noqa: S105 - of any token, besides letters and digits
_NO_ROUTE = "50545001"


class _Busy(MindvizError):
    """The server has too much to do at the moment."""


_BY_CODE: Mapping[str, type[MindvizError]] = {
    "50545013": AnswerTooLarge,
    "50545015": DamagedValue,
    "5054501A": _Busy,
    "5054501B": LogUnreadable,
}
"""Errors that their code tells from others of the same status."""
BUSY_PATIENCE = 120.0
"""Seconds for which a server is asked again that answers 503 because it has too much to do."""
_LONGEST_PAUSE = 30


class Answer(NamedTuple):
    """What came back."""

    headers: Message
    content: bytes


class Server:
    """The mindviz whose page is at `url`. Every method may be called from any thread.

    All raise InvalidQuery, AnswerTooLarge, NotFound and DamagedValue as the server says, and
    ServerUnavailable if it says nothing of the kind, or is busy for longer than `busy_patience`.
    """

    def __init__(self, url: str, token: str = "", *, busy_patience: float = BUSY_PATIENCE) -> None:
        """`url` is absolute and ends with a slash. `token` is what the server asks for, if so."""
        self.url = url
        self.token = token
        self.busy_patience = busy_patience
        self._opener = _opener(url)

    def get_json(self, path: str, query: Mapping[str, str], *, auth_token: str = "") -> Any:
        """What a GET of a route answers, decoded."""
        return self._decoded(self.ask(f"{path}?{urlencode(query)}", auth_token=auth_token))

    def post_json(self, path: str, body: Mapping[str, Any], *, auth_token: str = "") -> Any:
        """What a POST to a route answers, decoded."""
        return self._decoded(self.ask(path, body, auth_token=auth_token))

    def ask(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        auth_token: str = "",
        headers: Mapping[str, str] = {},
    ) -> Answer:
        """What a route below `v1/mindviz/` answers to a GET, or with a body to a POST."""
        request = Request(urljoin(self.url, f"v1/mindviz/{path}"), headers=dict(headers))  # noqa: S310 - Server's callers see to http(s)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token := auth_token or self.token:
            # Not sent along to where the server redirects.
            bearer = f"Bearer {quote(token, safe=_TOKEN_CHARACTERS)}"
            request.add_unredirected_header("Authorization", bearer)
        gives_up = time.monotonic() + self.busy_patience
        while True:
            try:
                return self._answered(request)
            except HTTPError as error:
                said = self._said(error)
                if not isinstance(said, _Busy):
                    raise said from None
                pause = _pause(error.headers.get("Retry-After", ""))
                if time.monotonic() + pause > gives_up:
                    tried = f" It was asked for {self.busy_patience:g} s."
                    raise ServerUnavailable(f"{self.url} cannot answer: {said}{tried}") from None
                time.sleep(pause)

    def _answered(self, request: Request) -> Answer:
        """What one attempt brings. Raises HTTPError."""
        try:
            with self._opener.open(request, timeout=_PATIENCE) as response:
                return Answer(response.headers, response.read())
        except HTTPError:
            raise
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or str(error) or repr(error)
            hint = _tls_hint(self.url, error)
            raise ServerUnavailable(f"{self.url} does not answer: {reason}.{hint}") from None

    def _said(self, error: HTTPError) -> MindvizError:
        """The error that an answer stands for."""
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
            raise ServerUnavailable(f"What answers at {self.url} is no mindviz.") from None


def _pause(retry_after: str) -> int:
    """Seconds to wait before a busy server is asked again."""
    is_number = retry_after.isascii() and retry_after.isdigit()
    return min(int(retry_after[:9]), _LONGEST_PAUSE) if is_number else 1


def _tls_hint(url: str, error: Exception) -> str:
    """What to change if one side speaks TLS and the other does not, or trust is missing."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLCertVerificationError):
        return " Set SSL_CERT_FILE to a file with its certificate."
    if isinstance(reason, ssl.SSLError):
        return " If it does not use TLS, write http://."
    if url.startswith("http://") and isinstance(reason, RemoteDisconnected | ConnectionResetError):
        return " If it uses TLS, write https://."
    return ""


def _opener(url: str) -> OpenerDirector:
    # A proxy cannot know what is meant by this machine.
    return build_opener(ProxyHandler({})) if _is_this_machine(url) else build_opener()


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
