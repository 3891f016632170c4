from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.nearest_names import SUGGESTIONS, did_you_mean, nearest_names

TAGS = ["loss", "train/loss", "val/accuracy", "learning_rate", "Weights", "损失"]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("los", ["loss", "train/loss"]),
        ("accuracy", ["val/accuracy"]),
        ("learningrate", ["learning_rate"]),
        ("weights", ["Weights"]),
        ("损", ["损失"]),
        ("nothing like it", []),
        ("", []),
    ],
)
def test_the_nearest_names_come_first(name: str, nearest: list[str]) -> None:
    assert nearest_names(name, TAGS) == nearest


def test_a_train_id_without_its_dot_is_found() -> None:
    assert nearest_names("run1", ["./other", "./run1", "./run2"])[0] == "./run1"


def test_a_misspelled_beginning_finds_longer_names() -> None:
    runs = ["./mindspore/lenet_adam_lr0.001", "./torch/resnet_sgd", "./torch/vgg"]
    assert nearest_names("lnet", runs) == runs[:1]
    assert nearest_names("rsnet", runs) == runs[1:2]
    assert nearest_names("vg", runs) == runs[2:]


def test_a_suggestion_continues_a_sentence() -> None:
    assert did_you_mean("los", ["loss"]) == " Did you mean 'loss'?"
    assert did_you_mean("run", ["run1", "run2"]) == " Did you mean 'run1' or 'run2'?"
    assert did_you_mean("x", ["loss"]) == ""


@given(st.text(), st.lists(st.text()))
def test_any_names_can_be_compared(name: str, known: list[str]) -> None:
    found = nearest_names(name, known)
    assert len(found) <= SUGGESTIONS
    assert set(found) <= set(known)
    if name in known and name:
        assert name in found or len(found) == SUGGESTIONS


class _Counted:
    """Endless names that count how many were read."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> str:
        self.taken += 1
        return f"layer{self.taken}/" + "weights/" * 1000


def test_a_million_long_names_are_not_all_compared() -> None:
    names = _Counted()
    assert nearest_names("layer77/weights", islice(names, 1_000_000))
    assert names.taken <= 100_001
