"""AccessToken: the secret that a server asks for, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_BYTES = 18
"""144 random bits: too many to guess, and few enough for a link that fits on a line."""


def new_token() -> str:
    """A random token: 36 hexadecimal digits, so that no `-` at its start looks like an option."""
    return secrets.token_hex(_BYTES)


class AccessToken:
    """What clients show to be let in: the token itself, or the cookie that a page got for it."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Not the token: it could not be read out of a browser and used in a link.
        self.cookie = hmac.new(text.encode(), b"mindviz cookie", hashlib.sha256).hexdigest()

    def is_token(self, text: str) -> bool:
        """Whether this is the token."""
        return _equal(text, self._text)

    def is_cookie(self, text: str) -> bool:
        """Whether this is the value of the cookie."""
        return _equal(text, self.cookie)

    def is_header(self, text: str) -> bool:
        """Whether this header, `Bearer TOKEN`, holds the token."""
        scheme, _, token = text.partition(" ")
        return scheme.lower() == "bearer" and self.is_token(token.strip())


def _equal(text: str, secret: str) -> bool:
    # Of digests, so that the time does not tell the length either.
    digests = (hashlib.sha256(one.encode("utf-8", "replace")).digest() for one in (text, secret))
    return hmac.compare_digest(*digests)
