"""Question: one of eight questions about logs, and its text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from mindviz.asking.log_text import log_text, run_name
from mindviz.errors import InvalidQuery

Kind = Literal["list", "find", "run", "series", "around", "compare", "config", "health"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Syntax(NamedTuple):
    """How a question is written."""

    usage: str
    about: str


SYNTAX: dict[Kind, Syntax] = {
    "list": Syntax("list [sort FIELD [desc]]", "all runs, newest first"),
    "find": Syntax("find FILTER [sort FIELD [desc]]", "runs that match a filter"),
    "run": Syntax("run RUN", "config, results and data of a run"),
    "series": Syntax("series RUN TAG", "the shape of a scalar series"),
    "around": Syntax("around RUN STEP [of TAG]", "what the scalars of a run did around a step"),
    "compare": Syntax("compare RUN RUN ... [of TAG]", "scalars of runs, side by side"),
    "config": Syntax("config [RUN RUN ...]", "how the configs of runs differ"),
    "health": Syntax("health [RUN]", "damage and anomalies, worst first"),
}
MOST_RUNS = 20
"""In a comparison."""
TOOLS: dict[str, Kind] = {
    "list_runs": "list",
    "find_runs": "find",
    "describe_run": "run",
    "describe_series": "series",
    "around_step": "around",
    "compare_runs": "compare",
    "config_differences": "config",
    "health": "health",
}
"""The names of the tools of `mindviz mcp`."""
NAMES: dict[str, Kind] = {**TOOLS, **dict(zip(KINDS, KINDS, strict=True))}
"""What a question may begin with."""
_SORT = re.compile(r"(?:\A|\s+)sort\s+(\"[^\"]*\"|'[^']*'|\S+)(\s+desc)?\s*\Z")
_PHRASES: dict[str, Kind] = {
    "list runs": "list",
    "describe run": "run",
    "describe series": "series",
}
_PHRASE = re.compile(rf"\A({'|'.join(_PHRASES)})\b", re.IGNORECASE)
_STEP = re.compile(r"[+-]?[0-9][0-9,_]*")
_LINK = re.compile(r"(?:https?://|#/)", re.IGNORECASE)


_SURROGATE = re.compile("[\ud800-\udfff]")


class WrongQuestion(InvalidQuery):
    """A text is none of the questions, or lacks arguments."""

    def __init__(self, reason: str, words: Sequence[str], kind: Kind | None = None) -> None:
        """`kind`: of the question, if it is clear."""
        super().__init__(reason)
        self.words = tuple(words)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Question:
    """A question. Names of runs and tags are as the user wrote them."""

    kind: Kind
    runs: tuple[str, ...] = ()
    tag: str | None = None
    """For `series` a tag; otherwise a tag, or a pattern of tags."""
    step: int = 0
    """Of `around`."""
    filter: str = ""
    """Of `find`."""
    sort: str = ""
    """A field, `-` before it: descending. Empty: the usual order."""

    @property
    def text(self) -> str:
        """The question to show, quoted for a shell; odd names are escaped."""
        return self._joined(tuple(map(run_name, self.runs)), self.tag and log_text(self.tag))

    @property
    def exact_text(self) -> str:
        """The text that `parse_question` reads as this question."""
        return self._joined(self.runs, self.tag)

    def _joined(self, runs: Sequence[str], tag: str | None) -> str:
        words = [self.kind, *([self.filter] if self.kind == "find" else runs)]
        if self.kind == "around":
            words.append(str(self.step))
        if tag is not None:
            words += [] if self.kind == "series" else ["of"]
            words.append(tag)
        if self.sort:
            words += ["sort", self.sort.removeprefix("-")]
            words += ["desc"] if self.sort.startswith("-") else []
        # Otherwise a command takes the word for an option.
        before = ["--"] if any(word.startswith("-") for word in words) else []
        return shlex.join([*before, *words])


def is_link(text: str) -> bool:
    """Whether a question is a link to the page."""
    return _LINK.match(text.strip()) is not None


def joined_words(words: Sequence[str]) -> str:
    """The text of a question that a shell has split into words."""
    if len(words) == 1:
        return words[0]
    if words and _kind_of(words[0]) == "find":
        rest = list(words[1:])
        sort = next((at for at in range(len(rest) - 1) if rest[at] == "sort"), len(rest))
        return shlex.join(["find", " ".join(rest[:sort]), *rest[sort:]])
    return shlex.join(words)


def parse_question(text: str) -> Question:
    """The question of a text. Raises WrongQuestion."""
    text = _PHRASE.sub(lambda match: _PHRASES[match[1].lower()], text.strip().removeprefix("-- "))
    try:
        words = shlex.split(text)
    except ValueError:  # such as an apostrophe
        words = text.split()
    if not words:
        raise WrongQuestion("The question is empty.", words)
    kind = _kind_of(words[0])
    if kind is None:
        raise WrongQuestion(f"Unknown question {log_text(text)!r}.", words)
    if kind in ("list", "find"):
        return _search(kind, text, words)
    return _about_runs(kind, words)


def _kind_of(word: str) -> Kind | None:
    return NAMES.get(word.lower())


def _search(kind: Kind, text: str, words: Sequence[str]) -> Question:
    rest = text.split(None, 1)[1] if len(words) > 1 else ""
    sort = ""
    if (match := _SORT.search(rest)) and (_is_whole(rest[: match.start()]) or not _is_whole(rest)):
        sort = ("-" if match[2] else "") + match[1].strip("\"'")
        rest = rest[: match.start()]
    if kind == "list":
        if rest:
            raise WrongQuestion("`list` takes no filter.", words, "find")
        return Question(kind, sort=sort)
    if not rest.strip():
        raise WrongQuestion("`find` needs a filter.", words, kind)
    if _SURROGATE.search(text):  # in no name or value, and links cannot have it
        raise InvalidQuery("A filter cannot contain a lone surrogate.")
    return Question(kind, filter=_unquoted(rest), sort=sort)


def _is_whole(text: str) -> bool:
    """Whether no quotation is open at the end."""
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True


def _unquoted(text: str) -> str:
    """A filter that is quoted as a whole for a shell, without the quotes."""
    text = text.strip()
    try:
        words = shlex.split(text) if text[0] in "\"'" else []
    except ValueError:
        return text
    return words[0] if len(words) == 1 else text


def _about_runs(kind: Kind, words: Sequence[str]) -> Question:
    usage = SYNTAX[kind].usage
    names, tag = list(words[1:]), None
    if kind in ("around", "compare") and len(names) > 2 and names[-2].lower() == "of":
        tag = names.pop()
        names.pop()
    step = 0
    if kind == "series" and len(names) == 2:
        tag = names.pop()
    if kind == "around" and len(names) == 2 and _STEP.fullmatch(names[1]):
        step = int(re.sub("[,_]", "", names.pop()))
    elif kind == "around":
        raise WrongQuestion(f"`around` needs a run and a step: {usage}.", words, kind)
    least, most = {
        "run": (1, 1),
        "series": (1, 1),
        "around": (1, 1),
        "compare": (2, MOST_RUNS),
        "config": (0, MOST_RUNS),
        "health": (0, 1),
    }[kind]
    if not least <= len(names) <= most or (kind == "series" and tag is None):
        raise WrongQuestion(f"The question is written `{usage}`, with {_runs(most)}.", words, kind)
    if kind == "config" and len(names) == 1:
        raise WrongQuestion("`config` compares two or more runs, or all.", words, kind)
    return Question(kind, tuple(names), tag, step)


def _runs(most: int) -> str:
    return "one run" if most == 1 else f"at most {most} runs"
