"""Quantities: text for people, and text that cannot do anything to their terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.cli.quantities import count_text, printable, seconds_text, size_text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 KB"),
        (9_949, "9.9 KB"),
        (9_951, "10 KB"),
        (213_600_000, "214 MB"),
        (999_600_000, "1.0 GB"),
        (3 * 10**18, "3000 PB"),
    ],
)
def test_a_size_has_two_or_three_digits(size: int, text: str) -> None:
    assert size_text(size) == text


def test_nouns_agree_with_their_count() -> None:
    assert count_text(1, "run") == "1 run"
    assert count_text(0, "point") == "0 points"
    assert count_text(4_000_000, "point") == "4,000,000 points"
    assert count_text(2, "entry", "entries") == "2 entries"
    assert count_text(1234) == "1,234"


def test_long_durations_are_shown_in_minutes() -> None:
    assert seconds_text(0.1234) == "0.12 s"
    assert seconds_text(12.34) == "12.3 s"
    assert seconds_text(125) == "2 min 5 s"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("train/loss", "train/loss"),
        ("损失", "损失"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202egnp", "\\u202egnp"),
        ("\udcff", "\\udcff"),
    ],
)
def test_unprintable_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_long_text_is_shortened_in_the_middle() -> None:
    shown = printable("begin" + "x" * 10_000 + "end", 60)
    assert len(shown) == 60
    assert shown.startswith("beginx")
    assert shown.endswith("xend")


@given(st.text(max_size=200), st.integers(10, 80))
def test_every_text_becomes_printable_and_short(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert len(shown) <= limit
    assert shown.isprintable()
