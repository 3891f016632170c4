"""The filter language of runs, as in the page.

    lenet and optimizer = adam and (lr < 0.01 or not "val/loss" >= 0.5) and not "try 2"

Fields are compared (`= != < <= > >=`), matched with a regular expression (`~ !~`) or searched in a
list (`in (adam, sgd)`). Texts are compared case-insensitively. A missing value differs from every
value and has no order. Other words match names of runs as regular expressions, quoted ones
literally.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.value_order import Value, is_number, number_of, value_text
from mindviz.errors import InvalidFilter, InvalidQuery
from mindviz.expression import Expression
from mindviz.lineagemgr.text_lines import TextLines

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "~", "!~"]
Test = Callable[[Value], bool]
MAX_CHARACTERS = 20_000
MAX_DEPTH = 100
"""Of nested groups."""

_OPERATORS = ("<=", ">=", "!=", "!~", "==", "=", "<", ">", "~")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_/-]+")
"""A regular expression that only matches itself, which is found faster."""
_KEYWORD = re.compile(r"(?:and|or|not|in)\Z", re.IGNORECASE)
_WORD = re.compile(r"""[^\s()<>=!~"',]+|.""", re.DOTALL)
_COMPARED = re.compile(
    r"""\s*(?:\(\s*)*(?:not\s+(?:\(\s*)*)*"""
    r"""("[^"]*"|'[^']*'|[^\s()<>=!~"',|\\^$*+?\[\]{}]+)\s*(<|>|=|!=|!~|~|\s+in\s*\()""",
    re.IGNORECASE,
)
_JOINED = re.compile(r"""\s(?:and|or)(?:[\s(]|\Z)|\A[\s(]*(?:not[\s(]|["'])""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Joined:
    """All of the parts, or any."""

    joint: Literal["and", "or"]
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Not the part."""

    part: Condition


@dataclass(frozen=True, slots=True)
class NameMatch:
    """One of a run's names matches."""

    text: str
    literal: bool

    def among(self, texts: TextLines) -> NDArray[np.bool_]:
        """Which of these texts match."""
        is_plain = texts.is_ascii and _PLAIN_WORD.fullmatch(self.text)
        expression = None if self.literal or is_plain else self._expression()
        return texts.containing(self.text) if expression is None else texts.matching(expression)

    def _expression(self) -> Expression | None:
        try:
            return Expression(f"(?i){self.text}")
        except InvalidQuery:  # such as `loss(`
            return None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field compared with a value."""

    field: str
    operator: Operator
    value: str

    def test(self) -> Test:
        """The condition on the field's value."""
        return _test_of(self.operator, self.value)

    @property
    def bound(self) -> float | None:
        """The number that only numbers are compared with, less or greater; else None."""
        number = number_of(self.value) if self.operator in _SIGNS else math.nan
        return None if math.isnan(number) else number

    @property
    def equal(self) -> tuple[str, ...] | None:
        """The values of which one is equal; None if it is another comparison."""
        return (self.value,) if self.operator == "=" else None


@dataclass(frozen=True, slots=True)
class Membership:
    """A field equal to one of the values."""

    field: str
    values: tuple[str, ...]

    def test(self) -> Test:
        """The condition on the field's value."""
        tests = [_equal_to(value) for value in self.values]
        return lambda value: any(test(value) for test in tests)

    @property
    def equal(self) -> tuple[str, ...]:
        """As of `Comparison`."""
        return self.values


Condition = Joined | Negated | NameMatch | Comparison | Membership


_Kind = Literal["word", "text", "operator", "open", "close", "comma"]
_MARKS: dict[str, _Kind] = {"(": "open", ")": "close", ",": "comma"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: _Kind
    text: str
    start: int


def condition_of(text: str) -> Condition | None:
    """The condition of a filter: none, a query, or a regular expression. Raises InvalidFilter."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidFilter("end", MAX_CHARACTERS)
    if is_query(text):
        return parse_filter(text)
    return NameMatch(text.strip(), literal=False) if text.strip() else None


def is_query(text: str) -> bool:
    """Whether the text is a query, not a regular expression over names."""
    return _COMPARED.match(text) is not None or _JOINED.search(text) is not None


def parse_filter(text: str) -> Condition:
    """The condition of a query. Raises InvalidFilter."""
    return _Parser(text).condition()


def fields_of(condition: Condition) -> Iterator[str]:
    """The fields of a condition, in order, with duplicates."""
    match condition:
        case Joined(parts=parts):
            for part in parts:
                yield from fields_of(part)
        case Negated(part=part):
            yield from fields_of(part)
        case Comparison(field=field) | Membership(field=field):
            yield field


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._read_tokens())
        self._next = 0
        self._depth = 0

    def condition(self) -> Condition:
        """The whole text."""
        condition = self._any()
        if self._next < len(self._tokens):
            self._fail("end")
        return condition

    def _read_tokens(self) -> Iterator[_Token]:
        text, at = self._text, 0
        before: _Token | None = None
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            before, at = self._token_at(at, before)
            yield before

    def _token_at(self, at: int, before: _Token | None) -> tuple[_Token, int]:
        text, char = self._text, self._text[at]
        if before and before.kind == "operator" and before.text[-1] == "~" and char not in "\"'":
            end = _end_of_expression(text, at)
            return _Token("text", text[at:end], at), end
        if char in _MARKS:
            return _Token(_MARKS[char], char, at), at + 1
        if char in "\"'":
            end = text.find(char, at + 1)
            if end < 0:
                self._fail_at("quote", at)
            return _Token("text", text[at + 1 : end], at), end + 1
        operator = next((sign for sign in _OPERATORS if text.startswith(sign, at)), None)
        if operator:
            return _Token("operator", operator, at), at + len(operator)
        word = _WORD.match(text, at)
        assert word is not None  # any character matches
        return _Token("word", word[0], at), word.end()

    def _any(self) -> Condition:
        return self._joined("or", self._all)

    def _all(self) -> Condition:
        return self._joined("and", self._single)

    def _joined(self, joint: Literal["and", "or"], part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while self._is_word(joint):
            self._next += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else Joined(joint, tuple(parts))

    def _single(self) -> Condition:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail("close")
        try:
            if self._is_word("not"):
                self._next += 1
                return Negated(self._single())
            token = self._peek()
            if token is None or token.kind != "open":
                return self._comparison()
            self._next += 1
            inner = self._any()
            self._take(("close",), "close")
            return inner
        finally:
            self._depth -= 1

    def _comparison(self) -> Condition:
        token = self._take(("word", "text"), "field")
        following = self._peek()
        is_list = self._is_word("in")
        if not is_list and (following is None or following.kind != "operator"):
            if token.kind == "word" and _KEYWORD.match(token.text):
                self._next -= 1
                self._fail("field")
            return NameMatch(token.text, literal=token.kind == "text")
        if is_list:
            self._next += 1
            self._take(("open",), "value")
            values = [self._take(("word", "text"), "value").text]
            while (comma := self._peek()) is not None and comma.kind == "comma":
                self._next += 1
                values.append(self._take(("word", "text"), "value").text)
            self._take(("close",), "close")
            return Membership(token.text, tuple(values))
        sign = self._take(("operator",), "operator").text
        operator: Operator = "=" if sign == "==" else sign  # type: ignore[assignment]
        value = self._take(("word", "text"), "value").text
        if operator in ("~", "!~"):
            try:
                Expression(f"(?i){value}")
            except InvalidQuery:
                self._next -= 1
                self._fail("regex")
        return Comparison(token.text, operator, value)

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _is_word(self, word: str) -> bool:
        token = self._peek()
        return token is not None and token.kind == "word" and token.text.lower() == word

    def _take(self, kinds: tuple[str, ...], reason: str) -> _Token:
        token = self._peek()
        if token is None or token.kind not in kinds:
            self._fail(reason)
        self._next += 1
        return token

    def _fail(self, reason: str) -> NoReturn:
        token = self._peek()
        self._fail_at(reason, len(self._text) if token is None else token.start)

    def _fail_at(self, reason: str, at: int) -> NoReturn:
        # JavaScript counts UTF-16 units.
        raise InvalidFilter(reason, len(self._text[:at].encode("utf-16-le", "surrogatepass")) // 2)


def _end_of_expression(text: str, start: int) -> int:
    """An unquoted regular expression ends at a blank or an unopened bracket."""
    depth, at = 0, start
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "(":
            depth += 1
        elif char.isspace():
            break
        elif char == ")":
            depth -= 1
            if depth < 0:
                break
        at += 1
    return min(at, len(text))


_SIGNS: dict[str, Callable[[float], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


def _test_of(operator: Operator, wanted: str) -> Test:
    if operator in _SIGNS:
        return _ordered(wanted, _SIGNS[operator])
    if operator in ("~", "!~"):
        search, found = Expression(f"(?i){wanted}").search, operator == "~"
        return lambda value: (value is not None and search(value_text(value))) is found
    equal = _equal_to(wanted)
    return equal if operator == "=" else lambda value: not equal(value)


def _equal_to(wanted: str) -> Test:
    lower, number = wanted.lower(), number_of(wanted)

    def test(value: Value) -> bool:
        if value is None:
            return lower == "none"
        if is_number(value):
            return float(value) == number
        return value_text(value).lower() == lower

    return test


def _ordered(wanted: str, holds: Callable[[float], bool]) -> Test:
    number = number_of(wanted)
    is_text = number != number  # noqa: PLR0124 -- NaN

    def test(value: Value) -> bool:
        if is_number(value):
            difference = float(value) - number  # type: ignore[arg-type]
            return difference == difference and holds(difference)  # noqa: PLR0124 -- NaN
        if isinstance(value, str) and is_text:
            return holds((value > wanted) - (value < wanted))
        return False

    return test
