from __future__ import annotations

from itertools import count

from mindviz.datavisual.analysis.chart_tags import (
    MAX_PROBLEMS,
    OUT_OF_TIME,
    TOO_MANY_TAGS,
    ChartSearch,
    merged_categories,
)
from mindviz.datavisual.series.time_series import LayoutCategory, LayoutChart

TAGS = {"./a": ["acc", "loss/train", "loss/valid"], "./b": ["mean", "low", "high"], "./c": []}


def test_expressions_match_from_the_beginning_of_tags() -> None:
    shown = ChartSearch(TAGS).of(LayoutChart("c", ("loss.*", "igh")))
    assert shown.tags == {"./a": ["loss/train", "loss/valid"]}
    assert shown.margins == {}
    assert shown.problems == ()


def test_bands_need_all_three_tags() -> None:
    margins = (("mean", "low", "high"), ("mean", "low", "gone"))
    shown = ChartSearch(TAGS).of(LayoutChart("c", margins=margins))
    assert shown.margins == {"./b": [("mean", "low", "high")]}
    assert shown.tags == {}


def test_an_invalid_expression_does_not_hide_the_others() -> None:
    shown = ChartSearch(TAGS).of(LayoutChart("c", ("a(", "acc", "(?=x)")))
    assert shown.tags == {"./a": ["acc"]}
    assert len(shown.problems) == 2
    assert shown.problems[0].startswith("'a(' is no regular expression")


def test_matching_takes_linear_time() -> None:
    # Sequentially, this would never finish.
    search = ChartSearch({"./a": ["a" * 5000 + "b"]})
    assert search.of(LayoutChart("c", ("(a+)+$",))).tags == {}


def test_categories_with_equal_titles_are_merged() -> None:
    first, second = LayoutChart("1", ("a",)), LayoutChart("2", ("b",))
    layouts = [
        [LayoutCategory("x", (first,), closed=True), LayoutCategory("y", (second,))],
        [LayoutCategory("x", (first, second))],
    ]
    assert merged_categories(layouts) == [
        LayoutCategory("x", (first, second), closed=True),
        LayoutCategory("y", (second,)),
    ]


def test_slow_expressions_return_the_matches_found_in_time() -> None:
    tags = {"./a": [f"tag{number}" for number in range(1000)]}
    ticks = count()
    search = ChartSearch(tags, clock=lambda: next(ticks) / 100)
    first = search.of(LayoutChart("c", ("tag",)))
    assert 0 < len(first.tags["./a"]) < 1000
    assert first.problems == (OUT_OF_TIME,)
    assert search.of(LayoutChart("d", ("tag",))).problems == (OUT_OF_TIME,)


def test_all_charts_together_show_a_bounded_number_of_series() -> None:
    tags = {"./a": ["a", "b", "c"], "./b": ["a", "b", "c"]}
    search = ChartSearch(tags, max_tags=5)
    lines = search.of(LayoutChart("c", ("a|b",)))
    assert (lines.tags, lines.problems) == ({"./a": ["a", "b"], "./b": ["a", "b"]}, ())
    bands = search.of(LayoutChart("d", margins=(("a", "b", "c"),)))
    assert (bands.margins, bands.problems) == ({}, (TOO_MANY_TAGS,))


def test_of_many_bad_expressions_the_first_are_listed() -> None:
    shown = ChartSearch(TAGS).of(LayoutChart("c", tuple(f"{number}(" for number in range(99))))
    assert len(shown.problems) == MAX_PROBLEMS
