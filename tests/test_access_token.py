"""AccessToken accepts exactly one text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.access_token import AccessToken, new_token
from mindviz.config import parse_auth_token

TOKEN = "abcdefghijklmnop"


def test_generated_tokens_differ_and_are_valid() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(token.isalnum() for token in tokens)
    assert {parse_auth_token(token) for token in tokens} == tokens


@given(st.text().filter(lambda text: text != TOKEN))
def test_nothing_else_is_the_token(text: str) -> None:
    token = AccessToken(TOKEN)
    assert not token.is_token(text)
    assert not token.is_header(f"Bearer {text}") or text.strip() == TOKEN
    assert not token.is_cookie(text)


def test_each_form_is_accepted_in_its_place_only() -> None:
    token = AccessToken(TOKEN)
    assert token.is_token(TOKEN)
    assert token.is_header(f"Bearer {TOKEN}")
    assert token.is_header(f"bearer  {TOKEN}")
    assert token.is_cookie(token.cookie)
    assert not token.is_cookie(TOKEN)
    assert not token.is_token(token.cookie)
    assert not token.is_header(TOKEN)
    assert not token.is_header(f"Basic {TOKEN}")
    assert not token.is_header(f"Bearer {token.cookie}")


def test_the_cookie_does_not_contain_the_token() -> None:
    assert TOKEN not in AccessToken(TOKEN).cookie
    assert AccessToken(TOKEN).cookie != AccessToken(TOKEN + "q").cookie
