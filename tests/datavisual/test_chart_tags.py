from __future__ import annotations

from mindviz.datavisual.chart_tags import chart_tags, merged_categories
from mindviz.datavisual.data_transform.time_series import LayoutCategory, LayoutChart

TAGS = {"./a": ["acc", "loss/train", "loss/valid"], "./b": ["mean", "low", "high"], "./c": []}


def test_lines_are_of_the_tags_that_begin_like_an_expression() -> None:
    found = chart_tags(LayoutChart("c", ("loss.*", "igh")), TAGS)
    assert found.tags == {"./a": ["loss/train", "loss/valid"]}
    assert found.margins == {}
    assert found.problems == ()


def test_bands_need_all_three_tags() -> None:
    margins = (("mean", "low", "high"), ("mean", "low", "gone"))
    found = chart_tags(LayoutChart("c", margins=margins), TAGS)
    assert found.margins == {"./b": [("mean", "low", "high")]}
    assert found.tags == {}


def test_an_expression_that_is_none_does_not_hide_the_others() -> None:
    found = chart_tags(LayoutChart("c", ("a(", "acc", "(?=x)")), TAGS)
    assert found.tags == {"./a": ["acc"]}
    assert len(found.problems) == 2
    assert found.problems[0].startswith("'a(' is no regular expression")


def test_an_expression_takes_no_longer_than_its_tags() -> None:
    # One way after the other, this would take longer than the sun will shine.
    assert chart_tags(LayoutChart("c", ("(a+)+$",)), {"./a": ["a" * 5000 + "b"]}).tags == {}


def test_categories_of_one_title_are_one() -> None:
    one, two = LayoutChart("1", ("a",)), LayoutChart("2", ("b",))
    layouts = [
        [LayoutCategory("x", (one,), closed=True), LayoutCategory("y", (two,))],
        [LayoutCategory("x", (one, two))],
    ]
    assert merged_categories(layouts) == [
        LayoutCategory("x", (one, two), closed=True),
        LayoutCategory("y", (two,)),
    ]
