"""Each parameter has one name, as in the page."""

from __future__ import annotations

from typing import Any

from mindviz.datavisual.analysis.parameter_names import (
    are_within,
    field_of,
    parameter_names,
    usual_spellings,
)


def names_of(columns: dict[str, list[Any]]) -> tuple[list[str], dict[str, str]]:
    found = parameter_names(
        list(columns), lambda some, others: are_within(columns[some], columns[others])
    )
    return list(found.names), dict(found.shown_as)


def test_a_logged_name_takes_the_place_of_its_field() -> None:
    columns: dict[str, list[Any]] = {
        "learning_rate": [0.1, 0.2],
        "loss": [1, 2],
        "user_defined/lr": ["0.1", 0.2],
    }
    assert names_of(columns) == (["user_defined/lr", "loss"], {"learning_rate": "user_defined/lr"})


def test_the_field_is_shown_if_no_logged_name_has_all_values() -> None:
    columns: dict[str, list[Any]] = {
        "learning_rate": [0.1, 0.2, 0.3],
        "user_defined/lr": [0.1, None, None],
        "user_defined/learningrate": [None, 0.2, None],
    }
    shown = {"user_defined/lr": "learning_rate", "user_defined/learningrate": "learning_rate"}
    assert names_of(columns) == (["learning_rate"], shown)


def test_a_logged_name_with_values_of_its_own_is_shown() -> None:
    columns: dict[str, list[Any]] = {"learning_rate": [0.1, 0.2], "user_defined/lr": [0.1, "auto"]}
    assert names_of(columns) == (["learning_rate", "user_defined/lr"], {})


def test_the_same_name_is_shown_once() -> None:
    columns: dict[str, list[Any]] = {"optimizer": ["a", "b"], "user_defined/optimizer": ["a", "b"]}
    assert names_of(columns) == (["optimizer"], {"user_defined/optimizer": "optimizer"})


def test_spellings_fill_a_field() -> None:
    assert [field_of(name) for name in ("user_defined/Learning Rate", "lr", "seed")] == [
        *("learning_rate", "learning_rate", "seed"),
    ]


def test_fields_have_the_spelling_of_most_runs() -> None:
    columns: dict[str, list[Any]] = {
        "learning_rate": [0.1, 0.2, 0.3, 0.4],
        "user_defined/lr": [0.1, None, None, 0.4],
        "user_defined/learningrate": [None, 0.2, None, None],
        "user_defined/seed": [1, 2, 3, 4],
    }
    found = parameter_names(
        list(columns), lambda some, others: are_within(columns[some], columns[others])
    )

    def count(name: str) -> int:
        return sum(value is not None for value in columns[name])

    assert usual_spellings(found, count) == {"learning_rate": "lr"}
    columns["user_defined/lr"][0] = None  # one of each: the field's own name, as MindSpore logs it
    assert usual_spellings(found, count) == {"learning_rate": "learning_rate"}
