"""nearest_question: the right question that is nearest to a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from mindviz.asking.known_runs import KnownRuns
from mindviz.asking.question import KINDS, MOST_RUNS, NAMES, Kind, Question, WrongQuestion
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.nearest_names import nearest_names

_WORDS: dict[Kind, str] = {
    "list": "list show all runs recent latest newest jobs experiments",
    "find": "find filter where which best worst lowest highest search with < > =",
    "run": "describe about run summary summarize details info",
    "series": "series curve trend tag metric scalar plot chart converge",
    "around": "around near step happened when moment",
    "compare": "compare comparison versus vs better against between",
    "config": (
        "config configs configuration difference differences differ diff hyperparameter"
        " hyperparameters parameter parameters params settings"
    ),
    "health": (
        "health healthy problem problems issue issues anomaly anomalies nan wrong diverge diverged"
        " damage damaged fail failed error errors broken"
    ),
}
_TOKEN = re.compile(r"[^\s,;?!\"'`]+")
_STEP = re.compile(r"[0-9][0-9,_]*")
_LIKE_A_NAME = re.compile(r"[0-9_/.-]")
_OPERATORS = frozenset({"<", ">", "=", "<=", ">=", "!=", "~"})
_LONGEST = 50
"""Words that are looked at."""
_ALIKE = 0.75
"""Similarity of a misspelled word, from 0 to 1."""


class _Names(NamedTuple):
    """What a text names."""

    runs: list[str]
    others: list[str]
    """The newest runs, in place of those that are not named."""
    tags: Sequence[str]
    """Scalars of the first run."""
    tag: str | None
    step: int | None


def nearest_question(runs: KnownRuns, wrong: WrongQuestion) -> Question:
    """A question with the runs, tags and steps of the wrong one; else with those there are."""
    words = [match[0] for word in wrong.words[:_LONGEST] for match in _TOKEN.finditer(word)]
    names = _names(runs, words)
    kind = wrong.kind or _kind(words, names)
    if kind == "health":
        return Question("health", tuple(names.runs[:1]))
    if kind == "find":
        return Question("find", filter=_filter(words, names))
    if kind == "config":
        return Question("config", tuple(names.runs) if len(names.runs) > 1 else ())
    several = tuple(dict.fromkeys([*names.runs, *names.others]))
    if kind == "list" or not several:
        return Question("list")
    return _about_runs(kind, names, several)


def _about_runs(kind: Kind, names: _Names, several: tuple[str, ...]) -> Question:
    alone = several[:1]
    if kind == "compare" and len(several) > 1:
        return Question("compare", several[: max(2, len(names.runs))], names.tag)
    if kind == "around":
        return Question("around", alone, names.tag, names.step or 0)
    if kind == "series" and names.tags:
        return Question("series", alone, names.tag or _main(names.tags))
    return Question("run", alone)


def _names(runs: KnownRuns, words: Sequence[str]) -> _Names:
    ids = runs.tables.table().listing.train_id
    named = list(dict.fromkeys(_named_runs(words, ids)))[:MOST_RUNS]
    others = list(ids[:2])
    first = [*named, *others][:1]
    tags = runs.store.list_tags(first[0]).get(SCALAR_PLUGIN, ()) if first else ()
    steps = [int(re.sub("[,_]", "", word)) for word in words if _STEP.fullmatch(word)]
    tag = next(iter(_similar(words, tags)), None)
    return _Names(named, others, tags, tag, steps[-1] if steps else None)


def _kind(words: Sequence[str], names: _Names) -> Kind:
    """By a misspelled first word, else by the words and names of the text."""
    if words and (near := get_close_matches(words[0].lower(), NAMES, 1, _ALIKE)):
        return NAMES[near[0]]
    lower = {word.lower() for word in words}
    scores = {kind: len(lower.intersection(known.split())) for kind, known in _WORDS.items()}
    scores["around"] += names.step is not None and "step" in lower
    scores["compare"] += 2 * (len(names.runs) > 1)
    scores["series"] += 2 * (names.tag is not None and len(names.runs) < 2)
    scores["run"] += len(names.runs) == 1
    best = max(KINDS, key=lambda kind: scores[kind])
    return best if scores[best] else "list"


def _named_runs(words: Iterable[str], train_ids: Sequence[str]) -> Iterator[str]:
    """The runs that words name: by the whole name, the end of a path, or nearly."""
    known = {train_id.removeprefix("./"): train_id for train_id in train_ids}
    ends: dict[str, list[str]] = {}
    for name, train_id in known.items():
        ends.setdefault(name.rpartition("/")[2], []).append(train_id)
    for word in words:
        name = word.removeprefix("./").rstrip(".:")
        if name in known:
            yield known[name]
        elif len(ends.get(name, ())) == 1:
            yield ends[name][0]
        elif _LIKE_A_NAME.search(name) and not _STEP.fullmatch(name):
            yield from (known[near] for near in nearest_names(name, known)[:1])


def _similar(words: Sequence[str], tags: Sequence[str]) -> Iterator[str]:
    """The tags that words name: exactly, else by a part of the name."""
    yield from (word for word in words if word in tags)
    for word in words:
        lower = word.lower()
        if len(word) > 1 and not _STEP.fullmatch(word):
            yield from (tag for tag in tags if lower in re.split(r"[/_. -]", tag.lower()))
    for word in words:
        if len(word) > 3:
            near = nearest_names(word, tags)[:1]
            yield from (tag for tag in near if word.lower() not in KINDS)


def _filter(words: Sequence[str], names: _Names) -> str:
    """The comparison in the text, else one that can be changed."""
    at = next((at for at, word in enumerate(words) if word in _OPERATORS), 0)
    if 0 < at < len(words) - 1:
        return f"{words[at - 1]} {words[at]} {words[at + 1]}"
    return f'"{names.tag or _main(names.tags)}" < 1' if names.tags else "points > 0"


def _main(tags: Sequence[str]) -> str:
    """The series that describes a training best."""
    return next((tag for tag in tags if "loss" in tag.lower()), tags[0])
