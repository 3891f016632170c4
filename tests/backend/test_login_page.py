"""The login page: a form without data or the typed token."""

from __future__ import annotations

import re

import pytest

from mindviz.backend.login_page import login_page


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_token_is_reported(language: str) -> None:
    first, again = (login_page(language, is_wrong=is_wrong) for is_wrong in (False, True))
    assert 'role="alert"' not in first
    assert 'role="alert"' in again
    assert f'<html lang="{language}">' in first


def test_it_complies_with_the_content_security_policy() -> None:
    page = login_page("en", is_wrong=True)
    assert "<script" not in page
    assert "$" not in page
    assert not re.search(r"(src|action)=|href=\"(?!data:)|url\(", page)
