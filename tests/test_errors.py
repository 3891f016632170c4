from __future__ import annotations

import re

import pytest

from mindviz.errors import (
    ExperimentNotFound,
    GraphNodeNotFound,
    InvalidQuery,
    MindvizError,
    NotFound,
    PluginNotFound,
    StepNotFound,
    TagNotFound,
    TrainJobNotFound,
)


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
def test_messages_are_sentences_that_name_the_missing_object(
    error: MindvizError, named: list[str]
) -> None:
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
    ("error", "builtin"), [(InvalidQuery, ValueError), (NotFound, LookupError)]
)
def test_errors_are_subclasses_of_the_builtin_ones(
    error: type[MindvizError], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
