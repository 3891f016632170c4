"""Markdown from a log as HTML that is safe to show, within bounds of time and memory.

As in TensorBoard, HTML in Markdown counts, as far as it is harmless. The result can neither run
anything nor make a browser ask another server: images become links. A text that would take too
long to render is shown as it is. The bounds are estimates from the text alone, so the same text
always looks the same.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from mindviz.deadline import begin_long_work

MAX_CHARACTERS = 100_000
"""Of one text. Prose takes 0.3 us each."""
MAX_MARKS = 10_000
"""Of one text: characters that mean something in Markdown, line ends twice, and cells of tables.
The worst of them take 15 us each."""
TEXTS = 10
"""How many of the largest texts one answer may hold."""
MAX_OUTPUT = 1_000_000
"""Characters of one text once references are replaced by their URLs."""
MAX_TAG_DEPTHS = 200_000
"""The depth of every tag added up. An HTML parser may create as many elements for tags that are
not closed in order."""
_MAX_DEPTH = 1_000
_FEW_MARKS = 1_000
"""Rendered within 20 ms."""

_MARKS = re.compile(r"[\[\]!*_~`|<&\\\n]")
_TABLE_HEAD = re.compile(r"^[ \t>:-]*[|:-][ \t>|:-]*$", re.MULTILINE)

_TAGS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li "
    "mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt "
    "u ul var"
)
"""What is left of HTML."""
_ATTRIBUTES = {"a": {"href", "title"}, "td": {"align"}, "th": {"align"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}

_MARKUP = re.compile(
    r"""<(?:(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*"""
    r"""(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?){0,10})\s*/?>|([!?][^<>]*>)|)"""
)
"""A tag; `<!...>` or `<?...>`; or a `<` that begins neither. All end before the next `<`."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr")
)  # fmt: skip
_RAW = frozenset(
    ("iframe", "math", "noembed", "noframes", "noscript", "plaintext", "script", "select", "style",
     "svg", "template", "textarea", "title", "xmp")
)  # fmt: skip
"""Elements in which tags mean something else, or nothing."""


@dataclass(slots=True)
class RenderingBudget:
    """What may still be rendered; a text that exceeds it is shown as it is."""

    characters: int
    marks: int
    whole: RenderingBudget | None = None
    """Of the answer that a text is part of."""

    @staticmethod
    def of_answer() -> RenderingBudget:
        """Of a new answer."""
        return RenderingBudget(TEXTS * MAX_CHARACTERS, TEXTS * MAX_MARKS)

    def of_text(self) -> RenderingBudget:
        """Of one more text in an answer."""
        return RenderingBudget(MAX_CHARACTERS, MAX_MARKS, self)

    def spend(self, characters: int, marks: int) -> bool:
        """Whether this may be rendered; then it counts."""
        if characters > self.characters or marks > self.marks:
            return False
        if self.whole is not None and not self.whole.spend(characters, marks):
            return False
        self.characters -= characters
        self.marks -= marks
        return True


def render(text: str, budget: RenderingBudget) -> str:
    """Sanitized HTML of a Markdown text."""
    marks = _marks(text) if len(text) <= budget.characters else 0
    if len(text) <= budget.characters and budget.spend(len(text), marks):
        if marks > _FEW_MARKS:
            begin_long_work()
        parser = _markdown()
        references: dict[str, Any] = {}
        tokens = parser.parse(text, references)
        if _output_size(tokens) <= MAX_OUTPUT:
            raw = _plain_markup(parser.renderer.render(tokens, parser.options, references))
            if raw is not None:
                clean: str = _cleaner().clean(raw)
                return clean.rstrip()
    return f"<p><small>Shown as plain text: too complex to format</small></p>{_as_it_is(text)}"


def _as_it_is(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _marks(text: str) -> int:
    lines = text.count("\n")
    # Every line below may become a row of as many cells as the head has, however short it is.
    heads = (line.count("|") + 1 for line in _TABLE_HEAD.findall(text) if "-" in line)
    return sum(1 for _ in _MARKS.finditer(text)) + lines + max(heads, default=0) * lines


def _output_size(tokens: Iterable[Any]) -> int:
    """Characters of what the tokens hold: the URL of a reference is in each of its uses."""
    size = 0
    for token in tokens:
        size += len(token.content) + sum(len(str(value)) for value in token.attrs.values())
        size += _output_size(token.children or ())
    return size


def _plain_markup(rendered: str) -> str | None:
    """HTML whose only markup is tags, each with few attributes; None if it is nested too deeply.

    Comments are removed, any other `<` is escaped.
    """
    rendered = _without_comments(rendered)
    if _tag_depths(_MARKUP.findall(rendered)) > MAX_TAG_DEPTHS:
        return None
    return _MARKUP.sub(lambda found: found[0] if found[2] else "" if found[4] else "&lt;", rendered)


def _without_comments(rendered: str) -> str:
    kept, *rest = rendered.split("<!--")
    parts = [kept]
    for piece in rest:
        comment, end, behind = piece.partition("-->")
        parts.append(behind if end else f"&lt;!--{comment}")
    return "".join(parts)


def _tag_depths(tags: Sequence[tuple[str, str, str, str]]) -> int:
    """The depth of every tag, added up; too large a number if one of them is too deep.

    Only a tag that closes the last open one counts as closing: HTML leaves others open, or opens
    them again later.
    """
    names = [(closing, name.lower()) for closing, name, _, _ in tags if name]
    closes = _RAW.isdisjoint(name for _, name in names)
    opened: list[str] = []
    total = 0
    for closing, name in names:
        if closing and closes and opened and opened[-1] == name:
            opened.pop()
        elif not closing and name not in _VOID:
            opened.append(name)
        total += len(opened)
        if len(opened) > _MAX_DEPTH:
            return MAX_TAG_DEPTHS + 1
    return total


@cache
def _markdown() -> Any:
    # Imported when a text is looked at: `mindviz start` should not wait for it.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("image")


@cache
def _cleaner() -> Any:
    import nh3  # noqa: PLC0415

    return nh3.Cleaner(
        tags=set(_TAGS.split()),
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        url_relative="deny",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
