from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.token_count import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("loss", 2),
        ("the loss", 5),
        ("0.125", 5),
        ("trainLoss", 5),
        ("a\nb", 3),
        ("a" + " " * 8 + "1", 4),
        ("损", 3),
        ('{"a":1}', 7),
    ],
)
def test_tokens_of_a_text(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_a_longer_text_has_no_fewer_tokens(text: str, more: str) -> None:
    assert count_tokens(text + "\n" + more) >= count_tokens(text)
