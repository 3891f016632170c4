"""FreeText: a question in free text, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice

_LONGEST = 1_000
"""Characters that are read."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_MOST_COMPARED = 2_000
"""Names that are compared with a misspelled word."""
_SIMILAR = 0.7
_GAP = "\0"
"""In place of a run's name."""
_WORD = re.compile(r"[^\s,;?!\"'`()\0]+")
_NUMBER = re.compile(r"[0-9]+")
_STEP = re.compile(r"(?<![\w./\-])[0-9]+(?:[,_][0-9]+)*(?![\w/]|\.[0-9])")
_LAST_WORD = re.compile(r"(\0|[\w-]+)\s+\Z")
_NEXT_WORD = re.compile(r"\s+(\0|[\w-]+)")
_SEPARATORS = re.compile(r"[/_. -]+")
_RUN_NUMBER = re.compile(
    r"\b(?:run|job|trial|experiment|seed)\s+(?:number\s+|no\.?\s+|#\s*)?(\d+)\b"
)
_LAST_NUMBER = re.compile(r"(?:\A|[^0-9.])0*(\d+)\Z")
_NAMING = words_of("run runs job trial experiment compare between of")
"""Words before a run whose name is also a number or an ordinary word."""
_BEFORE_WORDS = _NAMING | {"with", "in", "for", "about"}
"""Before an ordinary word only: `with 3 layers`."""
JOINING = words_of("and or vs versus than with to")
"""Words between two runs."""
_AFTER_A = words_of(
    "and or vs versus than better worse with to at in on did do does is was has have still "
    "diverge diverged converge converged fail failed crash crashed explode exploded"
)
"""Words after a run named `a`."""
_SYNONYMS: Mapping[str, frozenset[str]] = {
    word: words_of(group)
    for group in (
        "accuracy accuracies acc top1",
        "loss losses",
        "validation val valid eval evaluation",
        "training train",
        "gradient gradients grad",
        "norm norms",
        "reward rewards",
        "perplexity ppl",
        "lr learning",
    )
    for word in group.split()
}
_SPLITS = _SYNONYMS["val"] | _SYNONYMS["train"] | {"test", "epoch", "step", "run", "best", "last"}
"""Parts of tags that name no metric."""
ORDINARY = words_of(
    "a about above after against all an and anomalies anomaly any archived are around as "
    "ascending at average axis bad be been before below best better between big bigger "
    "biggest broken by can change changed changes chart compare compared comparison config "
    "configs configuration configurations converge converged could course crash crashed curve "
    "damage damaged descending describe detail details did differ difference differences "
    "different diverge diverged do does done down each effect epoch equal equals error errors "
    "every evolve experiment experiments explode exploded fail failed failing failure far "
    "fastest final find finish finished first for from get give goes good graph greater "
    "greatest had happen happened happening happens has have health healthy help high higher "
    "highest how hyperparameter hyperparameters i if in info into is issue issues it "
    "iteration job jobs last latest least less like list long look low lower lowest main make "
    "many max maximum me mean median metric metrics min minimum mine more most much my name "
    "names nan near newest next no not now number of off oldest on one or order over overfit "
    "overfits overfitting parameter parameters params per perform performed performs plot "
    "problem problems progress rank recent reduce result results run running runs s same "
    "sample search see series set settings setup several should show slowest small smaller "
    "smallest sort sorted spike spikes stalled start started state status step steps still "
    "stop stopped summarize summary tag tags tell test than that the their them then there "
    "these they this time to top total trained training trainings trend two under up use used "
    "uses using value values versus vs was were what when where which while who why will with "
    "without work worse worst would wrong you your"
)
"""Words that no name is misspelled as."""


class FreeText:
    """The words of a question. Names of runs are removed when they are found."""

    def __init__(self, words: Sequence[str], *, begins_with_run: bool = False) -> None:
        self._text = " ".join(words)[:_LONGEST]
        self._begins_with_run = begins_with_run

    @property
    def text(self) -> str:
        """What is left, with a gap for each run."""
        return self._text

    @property
    def words(self) -> list[str]:
        """What is left, in lower case, without punctuation."""
        return [word.rstrip(".:").lower() for word in _WORD.findall(self._text)]

    @property
    def step(self) -> int | None:
        """The last whole number; separators of thousands are optional."""
        numbers = _STEP.findall(self._text)
        return int(re.sub("[,_]", "", numbers[-1])) if numbers else None

    def take_runs(self, names: Mapping[str, str], others: Collection[str]) -> list[str]:
        """Remove the runs that are named, by `names`: name -> id, newest first; returns their ids.

        `others`: words that are not misspelled names of runs.
        """
        found = dict(self._whole_names(names))
        runs = [found[place] for place in sorted(found)]
        for match in _RUN_NUMBER.finditer(self._text.lower()):
            ends = (run for name, run in names.items() if _last_number(name) == int(match[1]))
            if (run := next(ends, None)) is not None:
                runs.append(run)
                self._text = self._blanked(match.start(), match.end())
        for match in _WORD.finditer(self._text):
            word = match[0].rstrip(".:")
            known = word.lower() in ORDINARY or word.lower() in others or _NUMBER.fullmatch(word)
            if not known and (name := similar_name(word, names)) is not None:
                runs.append(names[name])
                self._text = self._blanked(match.start(), match.end())
        return list(dict.fromkeys(runs))

    def _whole_names(self, names: Mapping[str, str]) -> Iterator[tuple[int, str]]:
        """(place, id) of the names in the text: longer ones first, ordinary words last."""
        lower = self._text.lower()
        within = [name for name in names if name.lower() in lower]
        for name in sorted(within, key=lambda name: (_is_ordinary(name), -len(name))):
            folded = re.escape(name.lower())
            pattern = rf"(?<![\w./\-])(?:\./)?{folded}(?![\w/\-]|\.\w)"
            for match in re.finditer(pattern, self._text.lower()):
                if not _is_ordinary(name) or self._is_named(match):
                    yield match.start(), names[name]
                    self._text = self._blanked(match.start(), match.end())

    def _is_named(self, match: re.Match[str]) -> bool:
        """Whether an ordinary word or number is a name here."""
        if self._begins_with_run and not match.start():
            return True
        lower = self._text.lower()
        before = _LAST_WORD.search(lower[: match.start()])
        after = _NEXT_WORD.match(lower, match.end())
        if match[0] in ("a", "i"):
            return after is None or after[1] == _GAP or after[1] in _AFTER_A
        if before is None:
            return False
        second = _LAST_WORD.search(lower[: before.start()])
        joins = before[1] in JOINING and second is not None and second[1] == _GAP
        naming = _NAMING if match[0].isdigit() else _BEFORE_WORDS
        return before[1] in naming or before[1] == _GAP or joins

    def _blanked(self, start: int, end: int) -> str:
        """The text with a gap of the same length."""
        return self._text[:start] + _GAP.ljust(end - start) + self._text[end:]


def similar_name(word: str, names: Iterable[str]) -> str | None:
    """The name that a word misspells, as a whole or in its last part."""
    if len(word) < 3:
        return None
    matcher = SequenceMatcher(b=word.lower(), autojunk=False)
    best, likeness = None, _SIMILAR
    for name in islice(names, _MOST_COMPARED):
        for part in {name.lower(), name.lower().rpartition("/")[2]}:
            matcher.set_seq1(part)
            # Cheap upper bounds first.
            if matcher.real_quick_ratio() > likeness and matcher.quick_ratio() > likeness:
                ratio = matcher.ratio()
                if ratio > likeness:
                    best, likeness = name, ratio
    return best


def named_tag(text: FreeText, tags: Mapping[str, int], *, validation: bool) -> str | None:
    """The tag that a text names: whole, by its parts, or misspelled.

    `tags`: tag -> number of runs. `validation`: of equally likely tags, prefer that of validation.
    """
    lower = text.text.lower()
    whole = [tag for tag in tags if _is_in(tag.lower(), lower)]
    if whole:
        return max(whole, key=lambda tag: (not _is_ordinary(tag), len(tag)))
    words = text.words
    if "learning rate" in lower:
        words.append("lr")

    def fit(tag: str) -> tuple[int, int, bool, int]:
        parts = name_parts(tag)
        named = {word for word in words if not parts.isdisjoint(_SYNONYMS.get(word, {word}))}
        is_validation = not parts.isdisjoint(_SYNONYMS["val"])
        common = 0 if named <= _SPLITS else len(named)
        return common, -len(parts), is_validation is validation, tags[tag]

    best = max(tags, key=fit, default=None)
    if best is not None and fit(best)[0]:
        return best
    unknown = (word for word in words if word not in ORDINARY and not _NUMBER.fullmatch(word))
    return next((tag for word in unknown if (tag := similar_name(word, tags))), None)


def _is_in(name: str, text: str) -> bool:
    return name in text and bool(
        re.search(rf"(?<![\w./\-]){re.escape(name)}(?![\w/\-]|\.\w)", text)
    )


def name_parts(name: str) -> set[str]:
    """The words of a tag or parameter, in lower case."""
    return set(_SEPARATORS.split(name.lower()))


def _is_ordinary(name: str) -> bool:
    return name.lower() in ORDINARY or _NUMBER.fullmatch(name) is not None


def _last_number(name: str) -> int | None:
    match = _LAST_NUMBER.search(name[-20:])
    return None if match is None else int(match[1])
