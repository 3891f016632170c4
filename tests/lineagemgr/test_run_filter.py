"""The filter language, with the cases that the page's tests have, too."""

from __future__ import annotations

from typing import Any

import pytest

from mindviz.errors import InvalidFilter
from mindviz.lineagemgr.run_filter import (
    MAX_CHARACTERS,
    Comparison,
    Condition,
    Joined,
    Membership,
    NameMatch,
    Negated,
    condition_of,
    fields_of,
)
from mindviz.lineagemgr.text_lines import TextLines
from tests.run_cases import CASES, RUNS, value_of


def meets(run: dict[str, Any], condition: Condition) -> bool:
    match condition:
        case Joined(joint=joint, parts=parts):
            results = [meets(run, part) for part in parts]
            return all(results) if joint == "and" else any(results)
        case Negated(part=part):
            return not meets(run, part)
        case NameMatch():
            names = TextLines.of([run["name"], f"run {run['name']}.1"])
            return bool(condition.among(names).any())
        case Comparison(field=field) | Membership(field=field):
            return condition.test()(value_of(run.get(field)))


@pytest.mark.parametrize(("text", "names"), CASES["filters"])
def test_filters_find_the_runs_that_the_page_finds(text: str, names: str) -> None:
    condition = condition_of(text)
    assert names == "".join(
        run["name"][0] for run in RUNS if condition is None or meets(run, condition)
    )


@pytest.mark.parametrize(("text", "reason", "at"), CASES["errors"])
def test_errors_have_the_reason_and_the_position_of_the_page(
    text: str, reason: str, at: int
) -> None:
    with pytest.raises(InvalidFilter) as caught:
        condition_of(text)
    assert (caught.value.reason, caught.value.at) == (reason, at)


def test_fields_are_those_that_conditions_compare() -> None:
    condition = condition_of('a = 1 and not (b in (1, 2) or "c d" ~ x) and name')
    assert condition is not None
    assert list(fields_of(condition)) == ["a", "b", "c d"]


@pytest.mark.parametrize("text", ["(" * 10_000 + "a = 1", "not " * 200 + "a", "a" * 30_000])
def test_long_and_deep_filters_are_refused(text: str) -> None:
    with pytest.raises(InvalidFilter):
        condition_of(text)
    assert len(text) < 2 * MAX_CHARACTERS
