"""Hides passwords in output.

Only database URLs contain passwords. They appear in `GET /status`, pid files, error messages and
logs, all of which use these functions.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

MASK = "***"

_SHOWN_PARAMETERS = re.compile(
    r"application_name|channel_binding|client_encoding|dbname|fallback_application_name|gssencmode"
    r"|gsslib|host|hostaddr|keepalives(_\w+)?|krbsrvname|load_balance_hosts|mode|passfile|port"
    r"|replication|require_auth|requirepeer|service|sslcert(mode)?|sslcompression|sslcrl(dir)?"
    r"|sslkey|sslmode|sslnegotiation|sslrootcert|sslsni|ssl_m\w+_protocol_version"
    r"|target_session_attrs|(connect|tcp_user)_timeout|user"
)
"""URL parameters whose values are not secret; the values of all others are hidden."""

_HIDDEN_NAME = r"[\w.%-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|scram_\w*key)\w*"
_QUOTED = r"'(?:\\.|[^'\\])*'?" + r'|"(?:\\.|[^"\\])*"?'
_KEYWORD = re.compile(
    rf"(?<![\w.%-])({_HIDDEN_NAME}\s*=\s*)(?!\*\*\*)(?:{_QUOTED}|(?:\\.|[^\s\\])+)", re.IGNORECASE
)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s'\"<>]+", re.IGNORECASE | re.ASCII)
_USER_PASSWORD = re.compile(r"\A([^:/]*):[^@]*@(?:[^?]*@)?")
"""As in SQLAlchemy, a password extends to the `@`, including slashes and question marks. Text up to
another `@` is probably part of a password that was not percent-encoded."""


def without_password(location: str) -> str:
    """A database's URL, keyword string or path without its password."""
    scheme, separator, rest = location.partition("://")
    if not separator:
        return _KEYWORD.sub(rf"\1{MASK}", location)
    place, question_mark, query = _USER_PASSWORD.sub(rf"\1:{MASK}@", rest).partition("?")
    shown = re.sub("[^&;]+", _shown_parameter, query)
    return f"{scheme}://{place}{question_mark}{shown}"


def _shown_parameter(match: re.Match[str]) -> str:
    name, equals, _ = match[0].partition("=")
    if not equals:
        return MASK
    # The value may be another URL with a password.
    nested = "%3a" in match[0].lower() or "://" in match[0]
    shown = _SHOWN_PARAMETERS.fullmatch(unquote_plus(name).lower()) and not nested
    return match[0] if shown else f"{name}={MASK}"


def without_passwords(text: str) -> str:
    """A message without the passwords in its URLs and keywords."""
    in_urls = _URL.sub(lambda match: without_password(match[0]), text)
    return _KEYWORD.sub(rf"\1{MASK}", in_urls)
