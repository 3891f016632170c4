"""The login page: a form, and nothing of the logs or of what was typed."""

from __future__ import annotations

import re

import pytest

from mindviz.backend.login_page import login_page


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_says_when_a_token_was_wrong(language: str) -> None:
    first, again = (login_page(language, is_wrong=is_wrong) for is_wrong in (False, True))
    assert 'role="alert"' not in first
    assert 'role="alert"' in again
    assert f'<html lang="{language}">' in first


def test_it_needs_nothing_that_the_policy_forbids() -> None:
    page = login_page("en", is_wrong=True)
    assert "<script" not in page
    assert "$" not in page
    assert not re.search(r"(src|action)=|href=\"(?!data:)|url\(", page)
