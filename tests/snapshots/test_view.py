"""The view that a link names."""

from __future__ import annotations

import pytest

from mindviz.errors import InvalidQuery
from mindviz.snapshots.view import USUAL, View


def test_a_link_names_page_and_arguments() -> None:
    view = View.of("http://host:8080/prefix/#/scalar?runs=a~b&tags=loss%24&smooth=twema:0.9&step=7")
    assert view.fragment == "#/scalar?runs=a~b&tags=loss%24&smooth=twema:0.9&step=7"
    assert (view.page, view.smoothing, view.step) == ("scalar", "twema:0.9", 7)
    assert [view.shows(tag) for tag in ("train/Loss", "loss/x")] == [True, False]


@pytest.mark.parametrize("link", ["", "/logs", "http://host:8080/", "http://host/#/"])
def test_without_a_fragment_it_is_the_charts(link: str) -> None:
    view = View.of(link)
    assert (view.fragment, view.smoothing, view.step) == (USUAL, "", None)
    assert view.shows("anything")


def test_invalid_arguments_count_as_absent() -> None:
    view = View.of("#/scalar?tags=%5Bx&smooth=hello:1&step=last")
    assert (view.smoothing, view.step) == ("", None)
    assert [view.shows(tag) for tag in ("a[x]", "loss")] == [True, False]


def test_a_number_is_the_weight_of_an_ema() -> None:
    assert View.of("#/scalar?smooth=0.6").smoothing == "ema:0.6"


def test_the_filter_of_other_pages_is_not_one_of_scalars() -> None:
    assert View.of("#/image?tags=sample").shows("loss")


def test_links_have_a_maximum_length() -> None:
    with pytest.raises(InvalidQuery, match="too long"):
        View.of("#/scalar?runs=" + "a~" * 60_000)
