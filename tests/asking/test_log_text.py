from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.log_text import log_text, run_name, without_controls


def test_names_are_unchanged() -> None:
    assert log_text("val/acc_top1 损失") == "val/acc_top1 损失"


def test_escape_sequences_html_and_line_breaks_are_escaped() -> None:
    assert log_text("<b>\x1b[31m\n") == r"\x3cb>\x1b[31m\n"
    assert without_controls("lr < 1\x00") == r"lr < 1\x00"
    assert log_text("</b><!--<?x a<") == r"\x3c/b>\x3c!--\x3c?x a\x3c"


def test_comparisons_can_be_copied() -> None:
    assert log_text("find 'lr < 0.1 and x <= 2 and y <3'") == "find 'lr < 0.1 and x <= 2 and y <3'"


def test_long_texts_are_cut_in_the_middle() -> None:
    assert log_text("a" * 100 + "z" * 100, 10) == "aaaaaa…zzz"


@given(st.text())
def test_no_text_of_a_log_is_markup_or_moves_a_cursor(text: str) -> None:
    shown = log_text(text)
    assert shown.isprintable()
    assert re.search(r"<[a-zA-Z/!?]|<\Z", shown) is None


@pytest.mark.parametrize(
    ("train_id", "name"),
    [("./a/b", "a/b"), ("./", "./"), ("./of", "./of"), ("./-x", "./-x"), ("./<i>", r"\x3ci>")],
)
def test_names_of_runs(train_id: str, name: str) -> None:
    assert run_name(train_id) == name
