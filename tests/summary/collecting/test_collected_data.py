from __future__ import annotations

import re
from typing import Any

import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.collecting.collected_data import FLAGS, collected_data, positive


def test_by_default_everything_but_landscapes_is_collected() -> None:
    data = collected_data(None, keep_default_action=True)
    assert all(getattr(data, name) for name in FLAGS)
    assert [data.has_histogram("any", index) for index in (0, 4, 5)] == [True, True, False]
    assert data.landscape is None


def test_options_override_the_default() -> None:
    data = collected_data({"collect_graph": False}, keep_default_action=True)
    assert [name for name in FLAGS if not getattr(data, name)] == ["collect_graph"]


def test_without_the_default_only_given_options_are_collected() -> None:
    data = collected_data(
        {"collect_metric": True, "collect_graph": False}, keep_default_action=False
    )
    assert [name for name in FLAGS if getattr(data, name)] == ["collect_metric"]
    assert not data.has_histogram("any", 0)
    assert collected_data({"histogram_regular": None}, keep_default_action=False).has_histogram(
        "any", 4
    )


def test_the_regular_expression_matches_prefixes_of_names() -> None:
    data = collected_data({"histogram_regular": "conv(?!2)"}, keep_default_action=True)
    names = ["conv1.weight", "conv2.weight", "my.conv1"]
    assert [data.has_histogram(name, 99) for name in names] == [True, False, False]


def test_a_landscape_has_mindspores_defaults() -> None:
    options = collected_data({"collect_landscape": {}}, keep_default_action=False).landscape
    assert options is not None
    assert (options.landscape_size, options.unit, options.num_samples) == (40, "step", 2048)
    assert [(one[0], one[-1]) for one in options.intervals] == [(1, 9), (10, 19)]
    assert options.wants("train")


def test_landscape_options() -> None:
    requested = {
        "landscape_size": 3,
        "unit": "epoch",
        "create_landscape": {"train": False},
        "num_samples": 1,
        "intervals": [[3, 1, 2]],
    }
    options = collected_data({"collect_landscape": requested}, keep_default_action=True).landscape
    assert options is not None
    assert options.intervals == ((1, 2, 3),)
    assert not options.wants("train")
    assert options.wants("result")


@pytest.mark.parametrize(
    ("specified", "message"),
    [
        ([], "collect_specified_data is []"),
        ({"collect_metrics": True}, "'collect_metrics'. Known keys: collect_metric, "),
        ({"collect_metric": 1}, "collect_metric is 1: it must be True or False"),
        ({"histogram_regular": "("}, "histogram_regular '(' is not a regular expression"),
        ({"histogram_regular": 5}, "histogram_regular is 5"),
        ({"collect_landscape": True}, "collect_landscape is True"),
        (
            {"collect_landscape": {"size": 3}},
            "collect_landscape has unknown keys 'size'. Known keys: landscape_",
        ),
        ({"collect_landscape": {"landscape_size": 2}}, "landscape_size is 2: it must be from 3"),
        ({"collect_landscape": {"landscape_size": True}}, "landscape_size is True"),
        ({"collect_landscape": {"unit": "second"}}, "unit is 'second'"),
        ({"collect_landscape": {"num_samples": 0}}, "num_samples is 0"),
        ({"collect_landscape": {"create_landscape": {"all": True}}}, "create_landscape is {'all'"),
        ({"collect_landscape": {"intervals": 5}}, "intervals is 5"),
        (
            {"collect_landscape": {"intervals": [[1, 2]]}},
            "intervals is [1, 2]: it must be lists of",
        ),
        ({"collect_landscape": {"intervals": [[1, 2, "3"]]}}, "intervals is [1, 2, '3']"),
    ],
    ids=str,
)
def test_the_error_for_an_invalid_option_names_it(specified: Any, message: str) -> None:
    with pytest.raises(InvalidValue, match=re.escape(message)):
        collected_data(specified, keep_default_action=True)


def test_keep_default_action_must_be_a_bool() -> None:
    with pytest.raises(InvalidValue, match="keep_default_action is 'yes'"):
        collected_data(None, keep_default_action="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True, None])
def test_a_frequency_is_a_positive_integer(value: object) -> None:
    with pytest.raises(InvalidValue, match="collect_freq is "):
        positive("collect_freq", value)


def test_optional_frequencies_may_be_none() -> None:
    positive("collect_tensor_freq", None, optional=True)
    positive("collect_tensor_freq", 7, optional=True)
