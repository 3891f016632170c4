"""Checks of all requests: host, origin, size, encoding. Security headers of all responses.

docs/security.md explains them.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Container
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask, Response, request

from mindviz.backend.errors import (
    BadArgument,
    ForbiddenHost,
    ForbiddenOrigin,
    Reason,
    UnsupportedBody,
)
from mindviz.backend.services import MINDVIZ
from mindviz.config import Config
from mindviz.errors import InvalidQuery

MAX_BODY_BYTES = 1024 * 1024
MAX_QUERY_BYTES = 64 * 1024

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'self'"
)
"""Inline styles are for charts, data and blob URLs for images from API responses.
Origins that may embed pages are appended."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Download-Options": "noopen",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON = re.compile(r"application/([\w.+-]+\+)?json", re.IGNORECASE)


def guard(app: Flask, config: Config) -> None:
    """Add the checks and headers to the app."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    # A page that reaches this server under another name (DNS rebinding) has no token.
    checks_host = is_loopback_host(config.host) and not config.auth_token
    trusted = {urlsplit(origin).hostname for origin in config.cors_origins}
    own_routes = f"{config.url_path_prefix}{MINDVIZ.prefix}/"
    headers = HEADERS | {
        "Content-Security-Policy": " ".join((CONTENT_SECURITY_POLICY, *config.frame_ancestors))
    }

    def check_request() -> None:
        if checks_host:
            named = request.headers.get("Host")
            host = host_name(named or "")
            # HTTP/1.0 has no Host header, but browsers always send one.
            if named and not is_loopback_host(host) and host not in trusted:
                raise ForbiddenHost(
                    f"This server listens only on {config.host}; it has no host name {named!r}."
                )
        if request.method not in _READING:
            check_origin(config.cors_origins)
            # Forms can send other types to any origin. JSON requires a CORS preflight.
            typed = not request.content_length or _JSON.fullmatch(request.mimetype)
            if not typed and request.path.startswith(own_routes):
                raise UnsupportedBody(request.mimetype)
        query = request.query_string
        if len(query) > MAX_QUERY_BYTES:
            raise InvalidQuery(f"The query is longer than {MAX_QUERY_BYTES} bytes.")
        check_text(query.replace(b"+", b" "))

    def add_headers(response: Response) -> Response:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    app.before_request(check_request)
    app.after_request(add_headers)


def check_origin(allowed: Container[str]) -> None:
    """Raise ForbiddenOrigin for requests from pages of other origins.

    Browsers send the origin in all requests but GET and HEAD; other programs do not.
    """
    origin = request.headers.get("Origin", "").lower()
    if origin in allowed:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        # Proxies may change `Host`, but not this header, and pages cannot set it.
        own = site in ("same-origin", "none")
    else:
        # Browsers omit it over plain HTTP. Pages cannot set these headers either.
        names = (request.headers.get(name, "") for name in ("Host", "X-Forwarded-Host"))
        own = not origin or origin.partition("://")[2] in {name.lower() for name in names if name}
    if not own:
        raise ForbiddenOrigin(
            f"Pages of {origin or 'other sites'} may not send this request. To allow it, start "
            f"mindviz with --cors-origin {origin or 'URL'}."
        )


def check_text(query: bytes) -> None:
    """Raise BadArgument for null bytes or invalid UTF-8 in a query."""
    if b"%" in query or not query.isascii():
        decoded = unquote_to_bytes(query)
        if b"\0" in decoded:
            raise BadArgument(Reason.NULL_BYTE, "The query holds a null byte.")
        try:
            decoded.decode("utf-8")
        except UnicodeDecodeError:
            raise BadArgument(Reason.ENCODING, "The query is not UTF-8.") from None
    elif b"\0" in query:
        raise BadArgument(Reason.NULL_BYTE, "The query holds a null byte.")


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return host


def is_loopback_host(host: str) -> bool:
    """Whether a host name denotes this machine without a DNS lookup."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
