"""AccessToken: the secret that a server requires, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_BYTES = 18
"""144 random bits cannot be guessed, and still fit into a one-line link."""


def new_token() -> str:
    """A random token of 36 hexadecimal digits; unlike base64, it never starts with `-`."""
    return secrets.token_hex(_BYTES)


class AccessToken:
    """Checks the token in its forms: text, header, and the cookie derived from it."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Derived, so that the token cannot be read from a browser's cookies.
        self.cookie = hmac.new(text.encode(), b"mindviz cookie", hashlib.sha256).hexdigest()

    def is_token(self, text: str) -> bool:
        """Whether this is the token."""
        return _equal(text, self._text)

    def is_cookie(self, text: str) -> bool:
        """Whether this is the value of the cookie."""
        return _equal(text, self.cookie)

    def is_header(self, text: str) -> bool:
        """Whether this header is `Bearer TOKEN` with the token."""
        scheme, _, token = text.partition(" ")
        return scheme.lower() == "bearer" and self.is_token(token.strip())


def _equal(text: str, secret: str) -> bool:
    # Compares digests, so that the duration does not reveal the length either.
    digests = (
        hashlib.sha256(value.encode("utf-8", "replace")).digest() for value in (text, secret)
    )
    return hmac.compare_digest(*digests)
