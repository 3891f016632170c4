from __future__ import annotations

import inspect
import re

import pytest

from mindviz import errors
from mindviz.errors import (
    ExperimentNotFound,
    GraphNodeNotFound,
    MindvizError,
    PluginNotFound,
    StepNotFound,
    TagNotFound,
    TrainJobNotFound,
)


def test_the_error_tree_drawn_in_errors_is_the_one_there_is() -> None:
    assert errors.__doc__ is not None
    drawn = re.findall(r"^    ([|` -]*)(\w+)", errors.__doc__, re.MULTILINE)
    parents: list[str] = []
    tree = {}
    for rails, name in drawn:
        depth = len(rails) // 4
        tree[name] = parents[depth - 1] if depth else None
        parents[depth:] = [name]
    members = inspect.getmembers(errors, inspect.isclass)
    classes = [kind for _, kind in members if kind.__module__ == errors.__name__]
    there = {
        kind.__name__: next((p.__name__ for p in kind.__bases__ if p in classes), None)
        for kind in classes
    }
    assert tree == there


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (TrainJobNotFound("./a"), ["./a"]),
        (PluginNotFound("scalar"), ["scalar"]),
        (TagNotFound("./a", "image", "loss"), ["./a", "image", "loss"]),
        (StepNotFound("loss", 7), ["loss", "7"]),
    ],
    ids=lambda case: type(case).__name__,
)
def test_errors_say_in_a_sentence_what_is_not_there(error: MindvizError, named: list[str]) -> None:
    assert re.fullmatch(r"[A-Z].*\.", str(error))
    assert [part for part in named if part not in str(error)] == []


@pytest.mark.parametrize(
    "error",
    [
        ExperimentNotFound("los", ["loss"]),
        TrainJobNotFound("los", ["loss"]),
        PluginNotFound("los", ["loss"]),
        TagNotFound("./a", "scalar", "los", ["loss"]),
        GraphNodeNotFound("los", ["loss"]),
    ],
    ids=lambda case: type(case).__name__,
)
def test_errors_suggest_the_nearest_name(error: MindvizError) -> None:
    assert str(error).endswith(". Did you mean 'loss'?")


@pytest.mark.parametrize(
    ("error", "builtin"), [(errors.InvalidQuery, ValueError), (errors.NotFound, LookupError)]
)
def test_errors_are_also_what_a_python_programmer_would_catch(
    error: type[MindvizError], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
