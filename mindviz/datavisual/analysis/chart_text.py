"""Reads the text of a chart: formulas between commas, with tags as people write them.

On top of the grammar of `tag_formula`, tags may contain slashes and dots without quotes
(`train/loss - val/loss`; write blanks around `/` to divide), be quoted by `"`, and `^` is `**`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mindviz.datavisual.analysis.tag_formula import FUNCTIONS, TagFormula
from mindviz.errors import FormulaError

MAX_CHARACTERS = 10_000

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | (?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)
    | "(?P<quoted>[^"]*)"
    | `(?P<backquoted>(?:[^`]|``)*)`
    | (?P<word>[^\W\d_][\w.]*(?:/[\w.]+)*)
    | (?P<sign>[-+*/%^(),])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One formula of a chart."""

    formula: str
    """In the grammar of `TagFormula`."""
    label: str
    """The formula as written, without quotes."""
    tags: tuple[str, ...]
    tag: str | None
    """The tag, if the formula is nothing else."""


@dataclass(frozen=True, slots=True)
class _Token:
    at: int
    """Where it begins in the text."""
    kind: str
    formula: str
    label: str


def chart_lines(text: str) -> list[ChartLine]:
    """The formulas of a chart, at least one. Raises FormulaError."""
    if len(text) > MAX_CHARACTERS:
        raise FormulaError(f"A chart has at most {MAX_CHARACTERS} characters")
    return [_line(tokens, end) for tokens, end in _split(list(_tokens(text)), len(text))]


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise FormulaError("Syntax error", character=at + 1)
        kind = token.lastgroup or ""
        raw, content = token[0], token[kind]
        if kind == "word" and content in FUNCTIONS and text[token.end() :].lstrip()[:1] == "(":
            kind = "function"
        if kind == "backquoted":
            yield _Token(at, "tag", raw, content.replace("``", "`"))
        elif kind in {"quoted", "word"}:
            yield _Token(at, "tag", "`{}`".format(content.replace("`", "``")), content)
        else:
            yield _Token(at, kind, "**" if raw == "^" else raw, raw)
        at = token.end()


def _split(tokens: list[_Token], end: int) -> Iterator[tuple[list[_Token], int]]:
    """The tokens between commas outside of parentheses, and where each part ends."""
    part: list[_Token] = []
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.formula, 0)
        if token.formula == "," and depth <= 0:
            yield part, token.at
            part = []
        else:
            part.append(token)
    yield part, end


def _line(tokens: list[_Token], end: int) -> ChartLine:
    written = [token for token in tokens if token.kind != "space"]
    if not written:
        raise FormulaError("A formula is missing", character=end + 1)
    formula = "".join(token.formula for token in tokens)
    try:
        tags = TagFormula.parse(formula).tags
    except FormulaError as error:
        if error.character is None:
            raise
        at = _place(tokens, error.character - 1, end)
        raise FormulaError(error.reason, character=at + 1, hint=error.hint) from None
    return ChartLine(
        formula.strip(),
        "".join(token.label for token in tokens).strip(),
        tags,
        written[0].label if len(written) == 1 and written[0].kind == "tag" else None,
    )


def _place(tokens: list[_Token], at: int, end: int) -> int:
    """Where in the text the token is that is at this place of the formula."""
    for token in tokens:
        if at < len(token.formula):
            return token.at
        at -= len(token.formula)
    return end
