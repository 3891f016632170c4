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

from mindviz.datavisual.series.columns import Float64s, Int64s, shared_steps
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import FormulaError

MAX_CHARACTERS = 1000
MAX_DEPTH = 50
"""Maximum nesting."""

_QUOTED = re.compile(r"`((?:[^`]|``)*)`")

_FOREIGN = re.compile(r"""['"\\`#;\n\r\0]|[^\x00-\x7F]""")
"""Characters that only occur in quoted tags."""

_FIRST_WORD = 0x4E00
"""Identifiers of one character each begin here (CJK ideographs); a formula has at most 500 tags."""

_OPERATORS: Mapping[type[ast.operator], Callable[[Float64s, Float64s], Float64s]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}

_OF_ONE: Mapping[str, Callable[[Float64s], Float64s]] = {
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

FUNCTIONS = (*_OF_ONE, *_OF_SEVERAL)

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
        """Raises FormulaError."""
        if len(text) > MAX_CHARACTERS:
            raise FormulaError(f"A formula has at most {MAX_CHARACTERS} characters")
        reader = _Reader(text)
        evaluate = reader.read()
        if not reader.tags:
            raise FormulaError("A formula needs at least one tag")
        return TagFormula(text, tuple(reader.tags), evaluate)

    def of(self, series: Sequence[ScalarTimeSeries]) -> ScalarTimeSeries:
        """The series of the formula; its steps increase strictly."""
        if any(not len(line.step) for line in series):
            return _empty(series[0])
        step = series[0].step
        if any(not np.array_equal(line.step, step) for line in series[1:]):
            begin = max(int(line.step[0]) for line in series)
            end = min(int(line.step[-1]) for line in series)
            step = shared_steps([line.step for line in series])
            step = step[(step >= begin) & (step <= end)]
        held = [_held(line.step, step) for line in series]
        values = {
            tag: line.value[rows] for tag, line, rows in zip(self.tags, series, held, strict=True)
        }
        times = [line.wall_time[rows] for line, rows in zip(series, held, strict=True)]
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
    """Turns a text into a function of the values of its tags."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.tags: dict[str, None] = {}
        self._named: dict[str, str] = {}
        """Words that replace quoted tags."""
        self._plain = ""
        """The formula with these words, stripped."""
        self._lead = 0
        """Blanks before it."""

    def read(self) -> _Evaluate:
        """Raises FormulaError."""
        text = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), self._text)
        for sign in _FOREIGN.finditer(text):
            raise FormulaError(
                "Character not allowed",
                character=sign.start() + 1,
                hint="write tags that are not plain words between backquotes",
            )
        plain = _QUOTED.sub(self._word, self._text)
        self._plain = plain.strip()
        self._lead = len(plain) - len(plain.lstrip())
        try:
            tree = ast.parse(self._plain, mode="eval")
        except SyntaxError as error:
            # Python says 0 for the end.
            at = (error.offset or len(self._plain) + 1) + self._lead
            raise FormulaError("Syntax error", character=at) from None
        except (ValueError, RecursionError, MemoryError):
            raise FormulaError("Syntax error", character=self._lead + 1) from None
        return self._node(tree.body, 0)

    def _word(self, quoted: re.Match[str]) -> str:
        """A word that is as long as the quoted tag, so that errors are where they were written."""
        word = chr(_FIRST_WORD + len(self._named))
        self._named[word] = quoted[1].replace("``", "`")
        return word.ljust(len(quoted[0]))

    def _node(self, node: ast.expr, depth: int) -> _Evaluate:
        if depth > MAX_DEPTH:
            raise self._invalid(node, "Expressions are nested too deeply")
        if isinstance(node, ast.Name):
            return self._tag(node.id)
        if isinstance(node, ast.Constant):
            return self._number(node)
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
        raise self._invalid(node, "Unsupported expression")

    def _tag(self, name: str) -> _Evaluate:
        tag = self._named.get(name, name)
        self.tags[tag] = None
        return lambda values: values[tag]

    def _number(self, node: ast.Constant) -> _Evaluate:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._invalid(node, f"{value!r} is not a number")
        try:
            number = np.array([float(value)])
        except OverflowError:
            raise self._invalid(node, "Number too large") from None
        return lambda _: number

    def _call(self, node: ast.Call, depth: int) -> _Evaluate:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            raise self._invalid(node, "Unknown function", hint=f"known: {', '.join(FUNCTIONS)}")
        inner = [self._node(argument, depth + 1) for argument in node.args]
        if node.keywords or not inner or (name in _OF_ONE and len(inner) > 1):
            raise self._invalid(node, f"{name} takes another number of values")
        if name in _OF_ONE:
            function, of = _OF_ONE[name], inner[0]
            return lambda values: function(of(values))
        combine = _OF_SEVERAL[name]

        def several(values: Mapping[str, Float64s]) -> Float64s:
            result = inner[0](values)
            for argument in inner[1:]:
                result = combine(result, argument(values))
            return result

        return several

    def _invalid(self, node: ast.expr, reason: str, *, hint: str = "") -> FormulaError:
        # ast counts bytes.
        before = self._plain.encode()[: node.col_offset].decode(errors="replace")
        return FormulaError(reason, character=self._lead + len(before) + 1, hint=hint)
