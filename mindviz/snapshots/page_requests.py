"""Requests that a view's own page makes, beyond those for values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.recorder import get, post
from mindviz.snapshots.view import View

PAGES = frozenset({"compare", "sweep"})
"""Pages that have such requests."""
MOST_COMPARED = 100
"""Runs that the page compares."""
_MOST_TAGS = 1_000
_MOST_PARAMETERS = 200
_MOST_TARGETS = 8
"""Results whose parameters are ranked. Each takes up to seconds."""
_RANKING = "optimizer/targets/search"
_ASIDE = frozenset({"session_status", "session_group", "dataset_mark"})
"""Fields that are neither config nor results."""
_RESULTS = frozenset({"loss", "model_size"})

Columns = Mapping[str, Sequence[Any]]
"""Config and results by field, a value per run."""


def page_requests(
    view: View, selected: Sequence[str], runs: Sequence[str], fields: Sequence[str], facts: Columns
) -> Iterator[PageRequest]:
    """Comparisons of the selected runs, or the importance of parameters.

    `runs` are the rows of `facts`; `fields` are the names of parameters that the page shows.
    """
    if view.page == "compare":
        yield from _comparisons(view, view.visible(selected)[:MOST_COMPARED])
    elif view.page == "sweep":
        chosen = runs if view.selects_newest else selected
        yield from _importances(view, set(view.visible(chosen)), runs, fields, facts)


def is_ranking(request: PageRequest) -> bool:
    """Whether it asks for the importance of parameters."""
    return request.route == _RANKING


def _comparisons(view: View, runs: Sequence[str]) -> Iterator[PageRequest]:
    if len(runs) < 2:
        return
    yield post("lineagemgr/diff", {"train_ids": runs})
    if view.arguments.get("view") == "parity":
        named = view.arguments
        a, b = named.get("a", ""), named.get("b", "")
        first = a if a in runs else next(run for run in runs if run != b)
        second = b if b in runs and b != first else next(run for run in runs if run != first)
        lines = (line.strip() for line in named.get("rules", "").split("\n"))
        yield get(
            "parity",
            ("a", first),
            ("b", second),
            ("rtol", named.get("rtol", "0")),
            ("atol", named.get("atol", "0")),
            ("map", [line for line in lines if line and not line.startswith("#")]),
            ("limit", _MOST_TAGS),
        )


def _importances(
    view: View, wanted: set[str], runs: Sequence[str], fields: Sequence[str], facts: Columns
) -> Iterator[PageRequest]:
    rows = [row for row, run in enumerate(runs) if run in wanted]
    known = [
        name
        for name in fields
        if not name.startswith("scalar/") and any(facts[name][row] is not None for row in rows)
    ]
    results = [name for name in known if name.startswith("metric/") or name in _RESULTS]
    parameters = [name for name in known if name not in {*results, *_ASIDE}]
    if (target := view.arguments.get("target", "")) in facts:
        results = list(dict.fromkeys([target, *results]))
    having = [runs[row] for row in rows if any(facts[name][row] is not None for name in known)]
    # One request per target, as by the page: of several, only some are ranked by a forest.
    for result in results[:_MOST_TARGETS] if having else ():
        question = {"summary_dir": {"in": having}, "parameters": parameters[:_MOST_PARAMETERS]}
        yield post(_RANKING, question | {"targets": [result]})
