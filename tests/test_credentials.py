"""Passwords are never shown, in any form of a URL."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.engine import make_url

from mindviz.credentials import MASK, without_password, without_passwords

SECRET = st.text(st.sampled_from("QXZ789$!*'\\ %&=;?/#:@äß"), min_size=6, max_size=30).filter(
    lambda text: sum(letter in "QXZ789" for letter in text) >= 4
)
"""Its letters occur nowhere else in a URL, so that any visible part is detected."""
NAMES = st.sampled_from(
    ["password", "PASSWORD", "p%61ssword", "sslpassword", "oauth_client_secret", "scram_client_key"]
)


def leaks(shown: str) -> bool:
    return any(letter in unquote(unquote(shown)) for letter in "QXZ789")


@given(SECRET)
def test_a_password_before_the_host_is_hidden(secret: str) -> None:
    shown = without_password(f"postgresql://me:{quote(secret, safe='')}@db.org:5432/logs")
    assert shown == f"postgresql://me:{MASK}@db.org:5432/logs"


@given(SECRET.filter(lambda text: not {"@", "?"} <= set(text)))
def test_an_unencoded_password_is_hidden(secret: str) -> None:
    assert not leaks(without_password(f"postgresql://me:{secret}@db.org:5432/logs"))


@given(SECRET, NAMES, st.sampled_from("&;"), st.booleans())
def test_a_password_among_the_parameters_is_hidden(
    secret: str, name: str, separator: str, twice: bool
) -> None:
    value = quote(quote(secret, safe="") if twice else secret, safe="")
    url = f"postgresql://db.org/logs?user=me{separator}{name}={value}{separator}sslmode=require"
    shown = without_password(url)
    assert not leaks(shown)
    assert "user=me" in shown
    assert shown.endswith("sslmode=require")


@given(SECRET, st.sampled_from(["=", " = "]), st.sampled_from(["password", "sslpassword"]))
def test_a_password_among_keywords_is_hidden(secret: str, equals: str, name: str) -> None:
    value = secret.replace("\\", r"\\").replace("'", r"\'")
    message = without_passwords(f"bad string: host=db.org {name}{equals}'{value}' user=me")
    assert not leaks(message)
    assert "host=db.org" in message
    assert message.endswith("user=me")


@given(SECRET, NAMES)
def test_a_url_within_a_message_is_masked(secret: str, name: str) -> None:
    encoded = quote(secret, safe="")
    for url in (f"postgresql://me:{encoded}@db.org/logs", f"http://db.org/logs?{name}={encoded}"):
        message = without_passwords(f"could not reach '{url}': refused")
        assert not leaks(message)
        assert message.endswith(": refused")


@given(SECRET, NAMES)
def test_masking_is_idempotent(secret: str, name: str) -> None:
    value = quote(secret, safe="")
    shown = without_password(f"postgresql://me:{value}@db.org/logs?{name}={value}")
    assert without_password(shown) == shown
    assert without_passwords(shown) == shown
    assert make_url(shown).host == "db.org"


@pytest.mark.parametrize(
    "text",
    [
        "/data/logs.db",
        "sqlite:////data/a:b@c/logs.db",
        "postgresql://me@server:5432/logs?sslmode=verify-full&passfile=/home/me/.pgpass",
        "postgresql:///logs?host=/run/postgresql",
        "host=db.org user=me passfile=/home/me/.pgpass",
        "connection failed: no password supplied",
    ],
)
def test_other_text_is_not_masked(text: str) -> None:
    assert without_password(text) == text
    assert without_passwords(text) == text
