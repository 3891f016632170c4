"""KnownRuns: the runs of a store and their names, as questions refer to them."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from mindviz.asking.log_text import log_text, run_name
from mindviz.datavisual.analysis.parameter_names import usual_spellings
from mindviz.datavisual.health.log_health import HealthPage, LogHealth
from mindviz.datavisual.series.findings import HARMLESS, Finding
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import Store
from mindviz.errors import AnnotationsUnavailable, NotFound, TagNotFound, TrainJobNotFound
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.run_lists import RunList, RunLists
from mindviz.lineagemgr.run_query import RunQuery
from mindviz.lineagemgr.run_table import (
    EVENT_FIELDS,
    FLAG_FIELDS,
    NOTE_FIELDS,
    OWN_FIELDS,
    RunColumns,
)

SELECTED_BY_PAGE = 10
"""Runs that the page selects by itself."""
_SHOWN_PROBLEMS = 3
_MOST_KNOWN = 10_000
"""Runs whose names are compared with a wrong one."""
_PREFIX = re.compile(r"(?:user_defined|metric)/")
_UNDECIDED = ("\\", "\N{HORIZONTAL ELLIPSIS}")
"""In a name that `log_text` may have changed."""
PATIENCE = 0.1
"""Seconds that answers wait for the check of runs if it goes on in the background."""


@dataclass(frozen=True, slots=True)
class KnownRuns:
    """The runs of a store, with notes and health."""

    store: Store
    lists: RunLists
    annotations: Annotations | None
    health: LogHealth
    patience: float = PATIENCE
    """Seconds that answers wait for the check of runs."""

    def list(self) -> RunList:
        """All runs with their notes, now."""
        try:
            notes = {} if self.annotations is None else self.annotations.all()
        except AnnotationsUnavailable:  # as on the page, lists work without
            notes = {}
        return self.lists.at(notes, time.time())

    def train_id(self, name: str) -> str:
        """The id of a run, by its id, with or without `./`, or by its label.

        Raises TrainJobNotFound.
        """
        runs = self.list()
        if found := runs.find(RunQuery(train_ids=(name, f"./{name}"), order=())).page:
            return found[0]
        labeled = list(runs.labels(name)) if name else []
        if len(labeled) == 1:
            return labeled[0]
        ids = self.known(runs)
        if (known := _as_shown(name, ids, run_name)) is not None:
            return known
        raise TrainJobNotFound(name, [train_id.removeprefix("./") for train_id in ids])

    def known(self, runs: RunList) -> Sequence[str]:
        """The ids of the runs that were updated last, at most 10,000."""
        query = RunQuery(order=("-updated",), archived=True, limit=_MOST_KNOWN)
        return runs.find(query).page

    def tag(self, train_id: str, name: str) -> str:
        """The tag of a scalar series. Raises TrainJobNotFound, TagNotFound."""
        tags = self.store.list_tags(train_id).get(SCALAR_PLUGIN, ())
        if name in tags:
            return name
        if (known := _as_shown(name, tags, log_text)) is not None:
            return known
        raise TagNotFound(train_id, SCALAR_PLUGIN, name, tags)

    def newest(self, limit: int = SELECTED_BY_PAGE) -> Sequence[str]:
        """The ids of the runs that were updated last, without archived ones."""
        return self.list().find(RunQuery(order=("-updated",), limit=limit)).page

    def field(self, name: str) -> str:
        """The field of a filter or an order. Raises NotFound if no run has it."""
        names = self.list().names
        resolved = names.resolve(name)
        own = {*OWN_FIELDS, *EVENT_FIELDS, *NOTE_FIELDS, *FLAG_FIELDS}
        if resolved in own or names.has(resolved) or not self.store.status().train_jobs:
            return resolved
        known = [*own, *map(_bare, names.parameters.names), *names.scalar_tags]
        raise NotFound(f"No run has a field {log_text(name)!r}.", name=name, known=known)


def _as_shown(name: str, known: Collection[str], show: Callable[[str], str]) -> str | None:
    """The only name that answers show as this one."""
    if not any(mark in name for mark in _UNDECIDED):
        return None
    shown = [one for one in known if show(one) == name]
    return shown[0] if len(shown) == 1 else None


def _bare(name: str) -> str:
    return _PREFIX.sub("", name, count=1)


def shown_names(
    table: RunColumns, rows: Sequence[int] | slice = slice(None)
) -> Callable[[str], str]:
    """What most of the runs call a parameter or result."""

    def count(name: str) -> int:
        return int(np.count_nonzero(table.column(name).codes[0][rows] >= 0))

    spellings = usual_spellings(table.parameters, count)

    def shown(name: str) -> str:
        usual = _bare(spellings.get(name, name))
        return usual if table.resolve(usual) == name else _bare(name)

    return shown


def utc(seconds: float) -> str | None:
    """The time as `2026-07-01T09:30:00Z`; None if it is none."""
    if not math.isfinite(seconds):
        return None
    try:
        time_of = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return time_of.strftime("%Y-%m-%dT%H:%M:%SZ")


def problem_lines(problems: Collection[Finding], more: str) -> list[str]:
    """What is missing because of damage; `more`: the question that lists all of it."""
    lost = [finding for finding in problems if finding.kind not in HARMLESS]
    lines = [f"{finding.path}: {finding.detail}" for finding in lost[:_SHOWN_PROBLEMS]]
    if len(lost) > _SHOWN_PROBLEMS:
        lines.append(f"{len(lost) - _SHOWN_PROBLEMS:,} more problems: {more}")
    return lines


def unchecked_lines(page: HealthPage) -> list[str]:
    """Which runs the rules have not evaluated, or not to their end."""
    lines = []
    if page.looked_into < page.jobs:
        so_far = f"{page.looked_into:,} of {page.jobs:,} runs checked so far"
        lines.append(f"{so_far}: repeat the question for the others.")
    if page.outdated:
        lines.append(f"{page.outdated:,} checked runs have new points: repeat the question.")
    if page.unchecked:
        lines.append(f"{page.unchecked:,} older runs are not checked.")
    return lines
