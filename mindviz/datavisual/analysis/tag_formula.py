"""Tag formulas: series computed from other series, such as `valid - train` or `log(loss)`.

A tag is written bare if it is an identifier, else in backquotes (a backquote in it is doubled):
"`loss/train` - `loss/valid`". Numbers, + - * / // % **, parentheses and the functions below are
allowed. Python's parser parses the formula, but Python never evaluates it.

The steps of a formula are the union of its tags' steps, from the last start to the first end of
its series. A tag without a point at a step has the value of its previous point.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.shared_steps import shared_steps
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import InvalidQuery

MAX_CHARACTERS = 1000
MAX_DEPTH = 50
"""Maximum nesting."""

_QUOTED = re.compile(r"`((?:[^`]|``)*)`")

_SIGNS = frozenset("'\"\\`#;\n\r\0")
"""Characters of Python that a formula must not contain."""

_OPERATORS: Mapping[type[ast.operator], Callable[[Float64s, Float64s], Float64s]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}

_FUNCTIONS: Mapping[str, Callable[[Float64s], Float64s]] = {
    **{name: getattr(np, name) for name in ("abs", "sign", "sqrt", "exp", "floor", "ceil")},
    **{name: getattr(np, name) for name in ("log", "log2", "log10", "cumsum")},
    "cummin": np.fmin.accumulate,
    "cummax": np.fmax.accumulate,
    "diff": lambda values: np.diff(values, prepend=values[:1]),
}
"""Functions of one series; `diff` is 0 at its first point."""

_OF_SEVERAL: Mapping[str, Callable[[Float64s, Float64s], Float64s]] = {
    "min": np.minimum,
    "max": np.maximum,
}

_Evaluate = Callable[[Mapping[str, Float64s]], Float64s]
"""tag -> values of shape (n,) -> result of shape (n,)."""


@dataclass(frozen=True, slots=True)
class TagFormula:
    """A parsed formula."""

    text: str
    tags: tuple[str, ...]
    """Tags in order of first use, at least one."""
    _evaluate: _Evaluate

    @staticmethod
    def parse(text: str) -> TagFormula:
        """Raises InvalidQuery."""
        if len(text) > MAX_CHARACTERS:
            raise InvalidQuery(f"A formula has at most {MAX_CHARACTERS} characters.")
        reader = _Reader(text)
        evaluate = reader.read()
        if not reader.tags:
            raise InvalidQuery(f"The formula {text!r} names no tag.")
        return TagFormula(text, tuple(reader.tags), evaluate)

    def of(self, series: Sequence[ScalarTimeSeries]) -> ScalarTimeSeries:
        """The series of the formula; its steps increase strictly."""
        if any(not len(one.step) for one in series):
            return _empty(series[0])
        step = series[0].step
        if any(not np.array_equal(one.step, step) for one in series[1:]):
            begin = max(int(one.step[0]) for one in series)
            end = min(int(one.step[-1]) for one in series)
            step = shared_steps([one.step for one in series])
            step = step[(step >= begin) & (step <= end)]
        held = [_held(one.step, step) for one in series]
        values = {
            tag: one.value[rows] for tag, one, rows in zip(self.tags, series, held, strict=True)
        }
        times = [one.wall_time[rows] for one, rows in zip(series, held, strict=True)]
        with np.errstate(all="ignore"):
            value = np.broadcast_to(self._evaluate(values), step.shape).astype(np.float64)
        return replace(
            _empty(series[0]),
            step=step,
            # The time at which the last of the values was known.
            wall_time=np.maximum.reduce(times),
            value=value,
            superseded=np.zeros(len(step), np.bool_),
            total=len(step),
        )


def _held(step: Int64s, grid: Int64s) -> Int64s | slice:
    """For each step of the grid, the row of the last point at or before it."""
    if np.array_equal(step, grid):
        return slice(None)
    rows: Int64s = np.searchsorted(step, grid, side="right") - 1
    return rows


def _empty(like: ScalarTimeSeries) -> ScalarTimeSeries:
    return replace(
        like,
        step=like.step[:0],
        wall_time=like.wall_time[:0],
        value=like.value[:0],
        superseded=like.superseded[:0],
        total=0,
        superseded_count=0,
        epoch="",
        writers=(),
    )


class _Reader:
    """Compiles a formula to a function of its tags' values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.tags: dict[str, None] = {}
        self._named: dict[str, str] = {}
        """Identifiers that replace quoted tags."""

    def read(self) -> _Evaluate:
        """Raises InvalidQuery."""
        word = "tag"
        while word in self._text:
            word += "_"

        def named(quoted: re.Match[str]) -> str:
            name = f"{word}{len(self._named)}"
            self._named[name] = quoted[1].replace("``", "`")
            return f" {name} "

        plain = _QUOTED.sub(named, self._text)
        if not _SIGNS.isdisjoint(plain):
            raise self._invalid("tags that are no plain words stand between backquotes")
        try:
            tree = ast.parse(plain.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._invalid("it cannot be read") from None
        return self._node(tree.body, 0)

    def _node(self, node: ast.expr, depth: int) -> _Evaluate:
        if depth > MAX_DEPTH:
            raise self._invalid("it is nested too deeply")
        if isinstance(node, ast.Name):
            return self._tag(node.id)
        if isinstance(node, ast.Constant):
            return self._number(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self._node(node.operand, depth + 1)
            if isinstance(node.op, ast.UAdd):
                return inner
            return lambda values: np.negative(inner(values))
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            combine = _OPERATORS[type(node.op)]
            left, right = self._node(node.left, depth + 1), self._node(node.right, depth + 1)
            return lambda values: combine(left(values), right(values))
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise self._invalid("it has more than tags, numbers, operators and functions")

    def _tag(self, name: str) -> _Evaluate:
        if name not in self._named and not name.isascii():
            raise self._invalid(f"write `{name}` between backquotes")
        tag = self._named.get(name, name)
        self.tags[tag] = None
        return lambda values: values[tag]

    def _number(self, value: object) -> _Evaluate:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._invalid(f"{value!r} is no number")
        try:
            number = np.array([float(value)])
        except OverflowError:
            raise self._invalid("a number is too large") from None
        return lambda _: number

    def _call(self, node: ast.Call, depth: int) -> _Evaluate:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        inner = [self._node(one, depth + 1) for one in node.args]
        if name in _FUNCTIONS and len(inner) == 1 and not node.keywords:
            function, of = _FUNCTIONS[name], inner[0]
            return lambda values: function(of(values))
        if name in _OF_SEVERAL and len(inner) > 1 and not node.keywords:
            combine = _OF_SEVERAL[name]

            def several(values: Mapping[str, Float64s]) -> Float64s:
                result = inner[0](values)
                for one in inner[1:]:
                    result = combine(result, one(values))
                return result

            return several
        known = ", ".join([*_FUNCTIONS, *_OF_SEVERAL])
        raise self._invalid(f"of functions it may have {known}; the last two take several values")

    def _invalid(self, why: str) -> InvalidQuery:
        return InvalidQuery(f"The formula {self._text[:200]!r} makes no sense: {why}.")
