"""Renders Markdown from a log as safe HTML, in bounded time and memory.

As in TensorBoard, harmless HTML in Markdown is kept. The result can neither run scripts nor load
anything from other servers: images become links. A text that would take too long to render is
shown as plain text. The bounds depend on the text alone, so the same text always renders the same.
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
"""Maximum characters per text. Prose takes 0.3 us per character."""
MAX_MARKS = 10_000
"""Maximum Markdown characters per text; line ends count twice, table cells count, too.
The slowest take 15 us each."""
TEXTS = 10
"""Maximum number of texts of this size per answer."""
MAX_OUTPUT = 1_000_000
"""Maximum characters per text after references are replaced by their URLs."""
MAX_TAG_DEPTHS = 200_000
"""Maximum sum of the nesting depths of all tags: for tags closed out of order, an HTML parser may
create that many elements."""
_MAX_DEPTH = 1_000
_FEW_MARKS = 1_000
"""Texts below this size render within 20 ms."""

_MARKS = re.compile(r"[\[\]!*_~`|<&\\\n]")
_TABLE_HEAD = re.compile(r"^[ \t>:-]*[|:-][ \t>|:-]*$", re.MULTILINE)

_TAGS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li "
    "mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt "
    "u ul var"
)
"""HTML tags that are kept."""
_ATTRIBUTES = {"a": {"href", "title"}, "td": {"align"}, "th": {"align"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}

_MARKUP = re.compile(
    r"""<(?:(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*"""
    r"""(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?){0,10})\s*/?>|([!?][^<>]*>)|)"""
)
"""A tag, `<!...>`, `<?...>`, or a lone `<`. Each match ends before the next `<`."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr")
)  # fmt: skip
_RAW = frozenset(
    ("iframe", "math", "noembed", "noframes", "noscript", "plaintext", "script", "select", "style",
     "svg", "template", "textarea", "title", "xmp")
)  # fmt: skip
"""Elements whose content is not parsed as tags."""


@dataclass(slots=True)
class RenderingBudget:
    """What remains of the bounds; a text that exceeds it is shown as plain text."""

    characters: int
    marks: int
    whole: RenderingBudget | None = None
    """The remaining bounds of an answer."""

    @staticmethod
    def of_answer() -> RenderingBudget:
        """The bounds of a new answer."""
        return RenderingBudget(TEXTS * MAX_CHARACTERS, TEXTS * MAX_MARKS)

    def of_text(self) -> RenderingBudget:
        """The bounds of one more text in an answer."""
        return RenderingBudget(MAX_CHARACTERS, MAX_MARKS, self)

    def spend(self, characters: int, marks: int) -> bool:
        """Subtract a text; False if it exceeds the bounds."""
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
    # Each following line may become a row with as many cells as the head.
    heads = (line.count("|") + 1 for line in _TABLE_HEAD.findall(text) if "-" in line)
    return sum(1 for _ in _MARKS.finditer(text)) + lines + max(heads, default=0) * lines


def _output_size(tokens: Iterable[Any]) -> int:
    """Total characters of the tokens; each use of a reference repeats its URL."""
    size = 0
    for token in tokens:
        size += len(token.content) + sum(len(str(value)) for value in token.attrs.values())
        size += _output_size(token.children or ())
    return size


def _plain_markup(rendered: str) -> str | None:
    """HTML without comments, other markup or overlong attribute lists; None if nested too deeply.

    Any other `<` is escaped.
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
    """Sum of the depths of all tags; a value above the maximum if one is too deep.

    Only a tag that closes the last open one reduces the depth: HTML keeps others open, or reopens
    them.
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
    # Imported lazily: `mindviz start` should not wait for it.
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
