"""nearest_question: the right question that is nearest to a wrong one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from mindviz.asking.free_text import ORDINARY, FreeText, name_parts, named_tag, words_of
from mindviz.asking.known_runs import KnownRuns
from mindviz.asking.question import MOST_RUNS, NAMES, Kind, Question, WrongQuestion
from mindviz.datavisual.analysis.parameter_names import field_of
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.errors import NotFound
from mindviz.lineagemgr.run_table import STATES

_SIMILAR = 0.75
"""Of a misspelled first word, from 0 to 1."""
_STEP = words_of("step steps around near epoch iteration")
_CONFIG = words_of(
    "config configs configuration configurations hyperparameter hyperparameters parameter "
    "parameters params setup settings"
)
_DIFFERENCE = words_of("change changed changes difference differences differ different")
_COMPARE = words_of("compare compared comparison versus vs against between better")
_HEALTH = words_of(
    "health healthy problem problems issue issues anomaly anomalies nan wrong diverge "
    "diverged damage damaged fail failed failing failure error errors broken bad crash "
    "crashed explode exploded overfit overfits overfitting spike spikes happened why"
)
_BEST = words_of("best top better leaderboard rank good")
_WORST = words_of("worst worse")
_HIGH = words_of("highest largest biggest most max maximum greatest high descending")
_LOW = words_of("lowest smallest least min minimum low ascending")
_SORT = words_of("sort sorted order ordered by")
_RUNS = words_of("runs experiments jobs trainings all every which")
_DESCRIBE = words_of("describe summarize summary details about info results")
_NEWEST = words_of("newest latest last recent")
_FALLING = re.compile(r"loss|error|perplexity|ppl|mae|mse|rmse|wer|cer|time", re.IGNORECASE)
"""In tags whose lower values are better."""
_ORDERS = {
    "<": "<|below|under|(?:less|lower|smaller|fewer) than",
    ">": ">|above|over|beyond|(?:more|greater|larger|higher|bigger) than",
    "<=": "<=|at most|up to",
    ">=": ">=|at least",
    "!=": "!=|not",
    "=": "==?|equals?(?: to)?|of|is|was|were|with",
}
_VALUE = r"[-+]?[0-9][0-9_]*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"
_OPERATION = re.compile(
    r"\s*(?:(?:is|was|are|a|value)\s+)*(?:"
    + "|".join(f"(?P<o{at}>{words})" for at, words in enumerate(_ORDERS.values()))
    + rf")?\s*(?P<value>{_VALUE})(?![\w.])"
)
_WRITTEN = re.compile(r"(\S+?)\s*(<=|>=|!=|==?|<|>|!?~)\s*([^\s,;?]+)")
_VALUES = 50
"""Values per parameter that are compared with words."""


@dataclass(frozen=True)
class _Folder:
    """What questions about a folder can name."""

    runs: KnownRuns

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Name, last part of a path, or label of a run -> id, if only one run has it."""
        runs = self.runs.list()
        labels = runs.labels()
        names: dict[str, str] = {}
        ends: dict[str, str | None] = {}
        for train_id in self.runs.known(runs):
            name = train_id.removeprefix("./")
            for short in {name.rpartition("/")[2], labels.get(train_id, "")}:
                ends[short] = None if short in ends else train_id
            names[name] = train_id
        shorts = {name: run for name, run in ends.items() if run is not None}
        known = {**shorts, **names}
        known.pop("", None)
        return known

    @cached_property
    def newest(self) -> list[str]:
        """Ids of the newest runs."""
        return list(self.runs.newest(MOST_RUNS))

    @cached_property
    def tags(self) -> Mapping[str, int]:
        """Scalar tag -> number of runs."""
        return self.runs.list().names.scalar_tags

    def tags_of(self, train_id: str) -> dict[str, int]:
        """The scalar tags of a run."""
        return dict.fromkeys(self.runs.store.list_tags(train_id).get(SCALAR_PLUGIN, ()), 1)

    @cached_property
    def parameters(self) -> list[str]:
        """Names of config parameters."""
        names = self.runs.list().names.parameters.names
        return [name.removeprefix("user_defined/") for name in names if "metric/" not in name]

    def value_of(self, words: Collection[str]) -> tuple[str, str] | None:
        """The parameter and the text value that a word is, such as `adam`."""
        wanted = {word for word in words if word not in ORDINARY and not word.isdigit()}
        runs = self.runs.list()
        for name in self.parameters if wanted else ():
            for value in runs.frequent(name, _VALUES)[1]:
                if value.lower() in wanted:
                    return name, value
        return None

    def has_field(self, name: str) -> bool:
        """Whether filters know the name."""
        try:
            self.runs.field(name)
        except NotFound:
            return False
        return True

    def last_step(self, train_id: str, tag: str | None) -> int:
        """Of a scalar, by default the first one; 0 without any."""
        summaries = self.runs.store.scalar_summaries(train_id)
        index = summaries.index_of(tag) if tag else 0
        return int(summaries.stats.last_step[max(index, 0)]) if len(summaries.tags) else 0


def nearest_question(runs: KnownRuns, wrong: WrongQuestion) -> Question:
    """A question with the runs, tags and steps of the wrong one; else with those there are."""
    return _Reading(_Folder(runs), wrong).question()


class _Reading:
    """A wrong question, and what it names."""

    def __init__(self, folder: _Folder, wrong: WrongQuestion) -> None:
        self._folder = folder
        words = list(wrong.words)
        self._kind = wrong.kind
        first = words[0].lower() if words else ""
        if self._kind is None and first not in ORDINARY - NAMES.keys():
            near = get_close_matches(first, NAMES, 1, _SIMILAR)
            self._kind = NAMES[near[0]] if near else None
        if self._kind is not None:
            words = words[1:]
        self._is_list = first == "list"
        begins_with_run = self._kind not in (None, "list", "find")
        self._text = FreeText(words, begins_with_run=begins_with_run)
        parts = {part for tag in (*folder.tags, *folder.parameters) for part in name_parts(tag)}
        self._runs = self._text.take_runs(folder.names, parts)
        words = re.sub(r"\bat (?:least|most)\b", " ", " ".join(self._text.words)).split()
        self._words = frozenset(words)

    def _has(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self._words)

    @cached_property
    def _tag(self) -> str | None:
        """The scalar that is named: of the first run, else of any."""
        ranks = self._has(_BEST | _WORST | _HIGH | _LOW)
        tags = self._folder.tags_of(self._runs[0]) if self._runs else self._folder.tags
        return named_tag(self._text, tags, validation=ranks or "loss" not in self._words)

    @cached_property
    def _parameter(self) -> str | None:
        """The parameter that is named."""
        text = self._text.text.lower().replace("_", " ").replace("learning rate", "lr")
        for name in self._folder.parameters:
            spellings = {name.lower().replace("_", " "), field_of(name).replace("_", " ")}
            spellings |= {"lr"} if field_of(name) == "learning_rate" else set()
            if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in spellings):
                return name
        return None

    def question(self) -> Question:
        """The nearest question."""
        kind = self._kind
        if kind == "find" and not self._is_list and not self._runs:
            return Question("find", filter=self._filter() or self._any_filter())
        if kind is None or kind in ("list", "find") or (kind == "run" and not self._runs):
            return self._free()
        return self._of_kind(kind)

    def _of_kind(self, kind: Kind) -> Question:
        """A question of this kind, with what is missing filled in."""
        runs, tag = self._runs, self._tag
        if kind == "health":
            return Question("health", tuple(runs[:1]))
        if kind == "config" and len(runs) != 1:
            return Question("config", tuple(runs[:MOST_RUNS]))
        several = list(dict.fromkeys([*runs, *self._folder.newest]))
        if not several:
            return Question("list")
        if kind == "compare" and len(several) > 1:
            return Question("compare", tuple(several[: min(max(2, len(runs)), MOST_RUNS)]), tag)
        about_one = {"around": self._around, "series": self._series}.get(kind, _described)
        return about_one(several[0])

    def _around(self, train_id: str) -> Question:
        step = self._text.step
        if step is None:
            step = self._folder.last_step(train_id, self._tag)
        return Question("around", (train_id,), self._tag, step)

    def _series(self, train_id: str) -> Question:
        tags = self._folder.tags_of(train_id)
        tag = self._tag or _main(tags)
        return Question("series", (train_id,), tag) if tag else Question("run", (train_id,))

    def _free(self) -> Question:
        """A question for words that are none."""
        if len(self._runs) > 1:
            wants_config = self._has(_CONFIG) or (self._has(_DIFFERENCE) and self._tag is None)
            return self._of_kind("config" if wants_config else "compare")
        if self._runs:
            return self._of_one_run()
        if self._text.step is not None and self._has(_STEP):
            with_tag = [run for run in self._folder.newest if self._folder.tags_of(run)]
            return self._around(with_tag[0]) if with_tag else Question("list")
        return self._of_all_runs()

    def _of_one_run(self) -> Question:
        if self._text.step is not None and self._has(_STEP):
            return self._of_kind("around")
        if self._has(_COMPARE) and not self._has(_CONFIG):
            return self._of_kind("compare")
        if self._tag is not None:
            return self._of_kind("series")
        if self._has(_HEALTH):
            return self._of_kind("health")
        return self._of_kind("run")

    def _of_all_runs(self) -> Question:
        condition = self._filter()
        sort = self._sort()
        if condition or sort:
            return Question("find" if condition else "list", filter=condition, sort=sort)
        kinds: list[tuple[Kind, frozenset[str]]] = [
            ("config", _CONFIG | _DIFFERENCE),
            ("health", _HEALTH),
            ("compare", _COMPARE),
        ]
        for kind, words in kinds:
            if self._has(words):
                return self._of_kind(kind)
        if self._tag is not None:
            return self._of_tag(self._tag)
        singular = self._has(frozenset({"run", "training"})) and not self._has(_RUNS)
        if self._folder.newest and (self._has(_DESCRIBE) or self._has(_NEWEST)) and singular:
            return Question("run", (self._folder.newest[0],))
        return Question("list")

    def _of_tag(self, tag: str) -> Question:
        """The newest run with the tag, or all runs by it."""
        runs = self._folder.newest
        newest = next((run for run in runs if tag in self._folder.tags_of(run)), None)
        if newest is None or self._has(_RUNS):
            return Question("list", sort=tag)
        return Question("series", (newest,), tag)

    def _sort(self) -> str:
        """The order that is wanted, if any."""
        best, high = self._has(_BEST), self._has(_HIGH)
        ranks = best or high or self._has(_WORST | _LOW)
        if not ranks and not self._has(_SORT):
            return ""
        field = self._tag or self._parameter or (_main(self._folder.tags) if ranks else None)
        if field is None:
            return ""
        descending = high
        if (best or self._has(_WORST)) and not high and not self._has(_LOW):
            descending = best is not bool(_FALLING.search(field))
        return f"-{field}" if descending else field

    def _filter(self) -> str:
        """The comparison in the text; empty if there is none."""
        text = self._text.text
        if match := _WRITTEN.search(text):
            field, operator, value = match.groups()
            known = self._folder.has_field(field)
            named = field if known else self._tag or self._parameter or field
            return f"{_quoted(named)} {operator} {_quoted(value)}"
        field = self._parameter or self._tag
        if field is not None and (match := _last_operation(text.lower())):
            at = next((at for at in range(len(_ORDERS)) if match[f"o{at}"]), -1)
            return f"{_quoted(field)} {[*_ORDERS][at]} {match['value'].replace('_', '')}"
        if (found := self._folder.value_of(self._words)) is not None:
            return f"{_quoted(found[0])} = {_quoted(found[1])}"
        if self._has(_RUNS) and (states := [one for one in STATES if one in self._words]):
            return f"state = {states[0]}"
        return self._part_of_names()

    def _part_of_names(self) -> str:
        """A word that is a part of several runs' names."""
        names = [name.lower() for name in self._folder.names]
        known = {part for tag in self._folder.tags for part in name_parts(tag)}
        for word in self._words:
            unknown = word not in ORDINARY and word not in known and len(word) > 2
            if unknown and sum(word in name for name in names) > 1:
                return word if re.fullmatch(r"[\w/-]+", word) else f'"{word}"'
        return ""

    def _any_filter(self) -> str:
        """A filter that can be changed."""
        tag = self._tag or _main(self._folder.tags)
        return f"{_quoted(tag)} < 1" if tag else "points > 0"


def _described(train_id: str) -> Question:
    return Question("run", (train_id,))


def _last_operation(text: str) -> re.Match[str] | None:
    """The last `is below 0.5` of a text, or `0.5` after a name."""
    last = None
    for match in _OPERATION.finditer(text):
        before = text[: match.start()].split()[-1:]
        if (
            match.lastgroup != "value"
            or any(match[f"o{at}"] for at in range(len(_ORDERS)))
            or (before and before[0] not in ORDINARY)
        ):
            last = match
    return last


def _quoted(name: str) -> str:
    """A name or value of a filter."""
    if re.fullmatch(r"[\w.+-]+", name):
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


def _main(tags: Mapping[str, int]) -> str | None:
    """The series that describes most trainings: a loss if there is one."""
    losses = [tag for tag in tags if "loss" in tag.lower()]
    return max(losses or tags, key=lambda tag: tags[tag], default=None)
