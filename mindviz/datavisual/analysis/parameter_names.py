"""One name per parameter, as in the page: as logged, unless runs need a common name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mindviz.datavisual.analysis.lineage import SPELLINGS
from mindviz.datavisual.series.value_order import Value, is_number, number_of

LOGGED = "user_defined/"
_FIELDS = {spelling: field for field, spellings in SPELLINGS.items() for spelling in spellings}


def field_of(name: str) -> str:
    """The named field that a parameter fills, else its own name."""
    bare = name.removeprefix(LOGGED)
    return _FIELDS.get(re.sub(r"[\s\-]+", "_", bare.strip().lower()), bare)


_IsWithin = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class ParameterNames:
    """The names of parameters."""

    names: tuple[str, ...]
    """Each parameter once, in the given order."""
    shown_as: Mapping[str, str]
    """Names that are not shown, and those shown instead."""


def parameter_names(names: Sequence[str], is_within: _IsWithin) -> ParameterNames:
    """One name per parameter. `is_within(a, b)`: whether each value of a is one of b, too.

    The server repeats `lr` as its field `learning_rate`. The field is shown only if no single
    logged name has all of its values. A logged name with different values is shown, too.
    """
    known = set(names)
    logged: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(LOGGED) and (field := field_of(name)) in known:
            logged.setdefault(field, []).append(name)
    shown_as: dict[str, str] = {}
    for field, spellings in logged.items():
        shown, repeating = _shown(field, spellings, is_within)
        for name in (field, *repeating):
            if name != shown:
                shown_as[name] = shown
    placed = {shown for name, shown in shown_as.items() if name in known}
    shown_names = []
    for name in names:
        is_logged = name.startswith(LOGGED)
        if name in shown_as:
            # The logged name takes the place of its field.
            shown_names += [] if is_logged else [shown_as[name]]
        elif not (is_logged and name in placed):
            shown_names.append(name)
    return ParameterNames(tuple(shown_names), shown_as)


def usual_spellings(names: ParameterNames, count: Callable[[str], int]) -> dict[str, str]:
    """The spelling that most runs logged, of fields that are shown for several spellings.

    `count`: the number of runs with a name.
    """
    spelled: dict[str, dict[str, int]] = {}
    for name, field in names.shown_as.items():
        if field.startswith(LOGGED):
            continue
        # Runs of MindSpore log the field itself.
        runs = spelled.setdefault(field, {field: count(field)})
        spelling = name.removeprefix(LOGGED)
        runs[field] -= count(name)
        runs[spelling] = runs.get(spelling, 0) + count(name)
    return {field: max(runs, key=runs.__getitem__) for field, runs in spelled.items()}


def _shown(field: str, spellings: Sequence[str], is_within: _IsWithin) -> tuple[str, list[str]]:
    """The name to show for a field, and the spellings that only repeat it."""
    repeating = [name for name in spellings if is_within(name, field)]
    complete = next((name for name in spellings if is_within(field, name)), None)
    if complete is None or (complete.removeprefix(LOGGED) == field and complete in repeating):
        return field, repeating
    return complete, repeating


def are_within(some: Sequence[Value], others: Sequence[Value]) -> bool:
    """Whether every value that exists is in the other column, too."""
    pairs = zip(some, others, strict=True)
    return all(value is None or is_same(value, other) for value, other in pairs)


def is_same(a: Value, b: Value) -> bool:
    """Whether two spellings of a parameter have the same value."""
    if a is b or (type(a) is type(b) and a == b):
        return True
    # Hyperparameters may be logged as texts: `0.1`.
    left, right = _as_number(a), _as_number(b)
    return left is not None and left == right


def _as_number(value: Value) -> float | None:
    if is_number(value):
        return float(value)  # type: ignore[arg-type]
    return number_of(value) if isinstance(value, str) and value.strip() else None
