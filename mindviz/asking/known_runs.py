"""KnownRuns: the runs of a store and their names, as questions refer to them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mindviz.asking.log_text import log_text, run_name
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.series.findings import HARMLESS, Finding
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import Store
from mindviz.errors import AnnotationsUnavailable, NotFound, TagNotFound, TrainJobNotFound
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.run_query import FoundRuns, RunQuery
from mindviz.lineagemgr.run_table import FLAG_FIELDS, NOTE_FIELDS, OWN_FIELDS
from mindviz.lineagemgr.run_view import RunTables, RunView

SELECTED_BY_PAGE = 10
"""Runs that the page selects by itself."""
_SHOWN_PROBLEMS = 3
_UNDECIDED = ("\\", "\N{HORIZONTAL ELLIPSIS}")
"""In a name that `log_text` may have changed."""


@dataclass(frozen=True, slots=True)
class KnownRuns:
    """The runs of a store, with notes and health."""

    store: Store
    tables: RunTables
    annotations: Annotations | None
    health: LogHealth

    def view(self) -> RunView:
        """All runs with their notes, now."""
        try:
            notes = {} if self.annotations is None else self.annotations.all()
        except AnnotationsUnavailable:  # as on the page, lists work without
            notes = {}
        return RunView(self.tables.table(), notes, time.time())

    def train_id(self, name: str) -> str:
        """The id of a run, by its id, with or without `./`, or by its label.

        Raises TrainJobNotFound.
        """
        table = self.tables.table()
        for candidate in (name, f"./{name}"):
            if candidate in table.rows:
                return candidate
        ids = table.listing.train_id
        labels = table.listing.display_name
        labeled = [ids[row] for row, label in enumerate(labels) if label and label == name]
        if len(labeled) == 1:
            return labeled[0]
        if (known := _as_shown(name, ids, run_name)) is not None:
            return known
        raise TrainJobNotFound(name, table.names)

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
        return FoundRuns(self.view(), RunQuery(order=("-updated",), limit=limit)).page

    def field(self, view: RunView, name: str) -> str:
        """The field of a filter or an order. Raises NotFound if no run has it."""
        table = view.table
        resolved = table.resolve(name)
        own = {*OWN_FIELDS, *NOTE_FIELDS, *FLAG_FIELDS}
        if resolved in own or not len(table):
            return resolved
        if any(value is not None for value in view.column(name).values):
            return resolved
        known = [*own, *map(_bare, table.parameters.names)]
        known += table.tag_counts.get(SCALAR_PLUGIN, {})
        raise NotFound(f"No run has a field {log_text(name)!r}.", name=name, known=known)


def _as_shown(name: str, known: Collection[str], show: Callable[[str], str]) -> str | None:
    """The only name that answers show as this one."""
    if not any(mark in name for mark in _UNDECIDED):
        return None
    shown = [one for one in known if show(one) == name]
    return shown[0] if len(shown) == 1 else None


def _bare(name: str) -> str:
    return name.removeprefix("user_defined/").removeprefix("metric/")


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
