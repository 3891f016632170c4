"""The view that a snapshot is of: runs and tags named by a link to the page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindviz.asking.page_link import link_arguments, selected_runs, with_shown
from mindviz.errors import InvalidQuery
from mindviz.expression import Expression

HOME = "#/"
USUAL = "#/scalar"
_SMOOTHING = re.compile(r"(ema|twema|mean|gaussian):[0-9.]+")
_LONGEST = 100_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class View:
    """A page and its arguments."""

    fragment: str
    page: str
    arguments: Mapping[str, str]

    @classmethod
    def of(cls, link: str) -> View:
        """The view of a link or a fragment; without one, the charts of the newest runs."""
        _, home, rest = link.partition(HOME)
        fragment = f"{HOME}{rest}" if home and rest else USUAL
        if len(fragment) > _LONGEST:
            raise InvalidQuery("The link is too long.")
        page, _, query = fragment.removeprefix(HOME).partition("?")
        return cls(fragment, page, link_arguments(query))

    @property
    def smoothing(self) -> str:
        """As the API's parameter; empty: none."""
        text = self.arguments.get("smooth", "")
        if _SMOOTHING.fullmatch(text):
            return text
        return f"ema:{text}" if re.fullmatch(r"0?\.[0-9]+", text) else ""

    def shows(self, tag: str) -> bool:
        """Whether the view's filter of tags matches."""
        pattern = self.arguments.get("tags", "")
        if not pattern or self.page not in ("scalar", "compare"):
            return True
        try:
            return Expression(f"(?i){pattern}").search(tag)
        except InvalidQuery:
            return pattern.lower() in tag.lower()

    @property
    def selects_newest(self) -> bool:
        """Whether the link names no runs."""
        return "runs" not in self.arguments

    def visible(self, runs: Sequence[str]) -> Sequence[str]:
        """Those of these runs that are not hidden, or shown nevertheless."""
        hidden = set(selected_runs(self.arguments.get("hide", ""), ()) or ())
        hidden.difference_update(with_shown(self.arguments, ()))
        return [run for run in runs if run not in hidden]

    @property
    def formulas(self) -> int:
        """Charts of formulas."""
        return sum(bool(text) for text in self.arguments.get("charts", "").split("~"))

    @property
    def step(self) -> int | None:
        """The step that images, histograms ... are shown at; None: the newest."""
        text = self.arguments.get("step", "")
        return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None
