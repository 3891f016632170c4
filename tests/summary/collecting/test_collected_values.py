from __future__ import annotations

import json

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.collecting.collected_values import custom_lineage, images_in, mean_of, plain


@pytest.mark.parametrize(
    ("value", "mean"),
    [(3, 3.0), (True, 1.0), (np.float16(0.5), 0.5), (np.array([[1, 2], [3, 6]]), 3.0)],
    ids=str,
)
def test_a_loss_is_a_number_or_the_mean_of_a_tensor(value: object, mean: float) -> None:
    assert mean_of(value, "loss") == mean


@pytest.mark.parametrize("value", ["low", np.zeros((2, 0)), None, {}], ids=str)
def test_the_error_for_an_invalid_loss_names_it(value: object) -> None:
    with pytest.raises(InvalidValue, match="scalar 'loss'"):
        mean_of(value, "loss")


def test_metrics_become_json_values() -> None:
    metrics = [np.float32(0.5), np.array([1, 2]), "best", None, 3]
    assert json.loads(json.dumps([plain(one) for one in metrics])) == [0.5, [1, 2], "best", None, 3]


def test_images_are_found_in_nested_inputs() -> None:
    images, tokens = np.zeros((2, 3, 8, 8)), np.zeros((2, 9))
    assert images_in(images) is images
    assert images_in([tokens, images]) is images
    assert images_in({"tokens": tokens, "more": (1, images)}) is images


@pytest.mark.parametrize("inputs", [np.zeros((2, 9)), [], {"ids": 1}, "text"], ids=str)
def test_inputs_without_images_are_an_error(inputs: object) -> None:
    with pytest.raises(InvalidValue, match="not a batch of images"):
        images_in(inputs)


def test_custom_lineage_overrides_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MINDINSIGHT_HYPER_CONFIG", '{"custom_lineage_data": {"a": 1, "b": 2}}')
    assert custom_lineage({"b": "mine"}) == {"a": 1, "b": "mine"}
    assert custom_lineage(None) == {"a": 1, "b": 2}
    monkeypatch.setenv("MINDINSIGHT_HYPER_CONFIG", '{"custom_lineage_data": 5}')
    assert custom_lineage(None) == {}
