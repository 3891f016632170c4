"""Links between answers and the page: an answer's page, and the question of a page's URL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from mindviz.asking.question import MOST_RUNS, Question, WrongQuestion

_EXACT = re.compile(r"\^(.*)\$", re.DOTALL)
_ESCAPED = re.compile(r"\\([.*+?^${}()|\[\]\\])")
_SPECIAL = re.compile(r"[.*+?^${}()|\[\]]")
_ALL = "*"
HOME = "#/"
"""The begin of every fragment."""


# Links of answers ---------------------------------------------------------------------------------


def runs_link(*, filter: str = "", sort: str = "") -> str:  # noqa: A002 -- the argument's name
    """The table of runs."""
    return _link("runs", {"filter": filter, "order": _names([sort]) if sort else ""})


def run_link(train_id: str) -> str:
    """A run in the drawer."""
    return _link("runs", {"job": train_id})


def series_link(
    train_id: str,
    tag: str | None = None,
    step: int | None = None,
    steps: tuple[int, int] | None = None,
) -> str:
    """The charts of a run: of one tag, at a step, within a range of steps."""
    return _link(
        "scalar",
        {
            "runs": _runs([train_id]),
            "tags": "" if tag is None else exact_pattern(tag),
            "step": "" if step is None else str(step),
            "zoom": "" if steps is None else f"{steps[0]}..{max(steps[1], steps[0] + 1)}",
        },
    )


def comparison_link(train_ids: Sequence[str], view: str = "scalar", tags: str = "") -> str:
    """Runs side by side; `view` is a mode of the page of comparisons, `tags` a pattern."""
    return _link("compare", {"runs": _runs(train_ids), "view": view, "tags": tags})


def sweep_link() -> str:
    """Parameters and results of all runs."""
    return _link("sweep", {"runs": _ALL})


def health_link(train_id: str | None = None) -> str:
    """The problems of all runs, or of one."""
    if train_id is None:
        return _link("health", {})
    return _link("health", {"runs": _runs([train_id]), "of": "selected"})


def exact_pattern(tag: str) -> str:
    """The pattern that matches only this tag."""
    return "^" + re.sub(r"[.*+?^${}()|\[\]\\]", r"\\\g<0>", tag) + "$"


def _link(page: str, arguments: Mapping[str, str]) -> str:
    query = "&".join(
        f"{name}={quote(text, safe='/~*:.')}" for name, text in arguments.items() if text
    )
    return f"{HOME}{page}{'?' if query else ''}{query}"


def _names(names: Sequence[str]) -> str:
    return "~".join(name.replace("%", "%25").replace("~", "%7E") for name in names)


def _runs(train_ids: Sequence[str]) -> str:
    return "~".join(map(_escaped, train_ids))


def _escaped(train_id: str) -> str:
    short = train_id[2:] if train_id.startswith("./") and train_id != "./" else f"/{train_id}"
    short = short.replace("%", "%25").replace("~", "%7E")
    return f"%2A{short[1:]}" if short.startswith("*") else short


# Questions of links -------------------------------------------------------------------------------


def linked_question(link: str, newest: Sequence[str]) -> Question:
    """The question that gives what a link shows.

    `newest`: the runs that the page selects by itself. Raises WrongQuestion.
    """
    _, _, fragment = link.strip().partition(HOME)
    page, _, query = fragment.partition("?")
    arguments = link_arguments(query)
    runs = selected_runs(arguments.get("runs"), newest)
    if runs is not None:
        runs = with_shown(arguments, runs)
    if page in ("", "runs"):
        return _of_table(arguments)
    if page == "health":
        if run := arguments.get("run"):
            return Question("health", (run,))
        alone = arguments.get("of") == "selected" and runs is not None and len(runs) == 1
        return Question("health", tuple(runs or ()) if alone else ())
    parameters = page in ("sweep", "data_lineage") or arguments.get("view") == "parameters"
    if parameters:
        return Question("config", tuple(runs) if runs and 1 < len(runs) <= MOST_RUNS else ())
    if runs is None:
        return _of_table(arguments)
    return _of_series(arguments, runs)


def _of_table(arguments: Mapping[str, str]) -> Question:
    if job := arguments.get("job"):
        return Question("run", (job,))
    order = [_unescaped_name(name) for name in arguments.get("order", "").split("~") if name]
    sort = order[0] if order and order[0] != "-created" else ""
    wanted = arguments.get("filter", "").strip()
    return Question("find" if wanted else "list", filter=wanted, sort=sort)


def _of_series(arguments: Mapping[str, str], runs: Sequence[str]) -> Question:
    pattern = arguments.get("tags", "").strip() or None
    tag = pattern and (exact_tag(pattern) or pattern)
    if not runs:
        return Question("list")
    if len(runs) > 1:
        return Question("compare", tuple(runs[:MOST_RUNS]), tag)
    step = arguments.get("step", "")
    if re.fullmatch(r"-?[0-9]{1,18}", step):
        return Question("around", tuple(runs), tag, int(step))
    if pattern and (exact := exact_tag(pattern)) is not None:
        return Question("series", tuple(runs), exact)
    return Question("run", tuple(runs))


def exact_tag(pattern: str) -> str | None:
    """The only tag that a pattern matches, if it is written for one tag."""
    match = _EXACT.fullmatch(pattern)
    if match is None:
        return None
    tag = _ESCAPED.sub("", match[1])
    if _SPECIAL.search(tag) or "\\" in tag:
        return None
    return _ESCAPED.sub(r"\1", match[1])


def link_arguments(query: str) -> dict[str, str]:
    """The decoded arguments behind a fragment's question mark."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    # The page writes spaces as `+`.
    return {
        name: unquote(text.replace("+", " "), errors="surrogateescape") for name, _, text in pairs
    }


def selected_runs(text: str | None, newest: Sequence[str]) -> Sequence[str] | None:
    """The runs of a link; None for all that match a filter. Raises WrongQuestion."""
    if text is None:
        return newest
    if text.startswith(_ALL):
        return None
    if len(text) > 1_000_000:
        raise WrongQuestion("The link is too long.", [])
    return [_unescaped(part) for part in text.split("~") if part]


def with_shown(arguments: Mapping[str, str], selected: Sequence[str]) -> Sequence[str]:
    """The selected runs, after those that the link shows, selected or not. Raises WrongQuestion."""
    shown = selected_runs(arguments.get("show", ""), ()) or ()
    return list(dict.fromkeys([*shown, *selected]))


def _unescaped(text: str) -> str:
    short = re.sub("^%2A", "*", text).replace("%7E", "~").replace("%25", "%")
    return short[1:] if short.startswith("/") else f"./{short}"


def _unescaped_name(name: str) -> str:
    return name.replace("%7E", "~").replace("%25", "%")
