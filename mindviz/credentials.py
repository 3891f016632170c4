"""Credentials: what hides passwords in everything that people are shown.

Database URLs are the only place where mindviz is given one. They end up in `GET /status`, in pid
files, in error messages and in logs, so each of these asks here.
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
"""Parameters of a URL whose values are no secrets. Of all others, the values are hidden."""

_HIDDEN_NAME = r"[\w.%-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|scram_\w*key)\w*"
_QUOTED = r"'(?:\\.|[^'\\])*'?" + r'|"(?:\\.|[^"\\])*"?'
_KEYWORD = re.compile(
    rf"(?<![\w.%-])({_HIDDEN_NAME}\s*=\s*)(?!\*\*\*)(?:{_QUOTED}|(?:\\.|[^\s\\])+)", re.IGNORECASE
)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s'\"<>]+", re.IGNORECASE | re.ASCII)
_USER_PASSWORD = re.compile(r"\A([^:/]*):[^@]*@(?:[^?]*@)?")
"""SQLAlchemy takes everything up to an `@` for the password, slashes and question marks too. What
is between further ones is most likely the rest of a password that was not percent-encoded."""


def without_password(location: str) -> str:
    """A database's URL, keyword string or path, as it may be shown."""
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
    # A database of this name would be one more URL, with a password of its own.
    nested = "%3a" in match[0].lower() or "://" in match[0]
    shown = _SHOWN_PARAMETERS.fullmatch(unquote_plus(name).lower()) and not nested
    return match[0] if shown else f"{name}={MASK}"


def without_passwords(text: str) -> str:
    """A message of a program that was given credentials: those in URLs and keywords are hidden."""
    in_urls = _URL.sub(lambda match: without_password(match[0]), text)
    return _KEYWORD.sub(rf"\1{MASK}", in_urls)
