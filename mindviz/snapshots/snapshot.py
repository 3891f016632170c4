"""Makes the data of a snapshot: what a view shows first, then as much of the rest as fits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import mindviz
from mindviz.asking.page_link import selected_runs, with_shown
from mindviz.deadline import ending_early, is_long_work
from mindviz.errors import InvalidQuery
from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.page_requests import PAGES, is_ranking, page_requests
from mindviz.snapshots.recorder import JSON, UNANSWERED, AnswerSource, Recorder, get, post
from mindviz.snapshots.scalar_parts import (
    ScalarCounts,
    Scalars,
    Series,
    SeriesFacts,
    is_reduced,
)
from mindviz.snapshots.values import add_values
from mindviz.snapshots.view import View

MOST_RUNS = 1_000
"""Rows of runs in a snapshot."""
MOST_EVENTS = 1_000
"""Anomalies and other issues."""
MOST_MARKED = 50
"""Runs whose charts have marks of events, as on the page."""
USUAL_RUNS = 10
"""Runs that the page selects if a link names none."""
_MOST_COLUMNS = 200
"""Columns of the table of runs, which is the API's limit."""
_PATIENCE, _POLL_INTERVAL = 60.0, 0.05
"""Seconds to wait until the rules have been evaluated on all series."""
_REQUEST_PATIENCE = 10.0
"""The same in a server, whose requests have a deadline."""
_WRITING_SECONDS = 15.0
"""Of a request's deadline, for what follows after the answers are collected."""
_SHARES = (0.7, 0.5)
"""Of the room that is left: for scalars of the view, and for other scalars."""
_ANNOTATIONS = {
    "or": [
        {"hidden": {"eq": True}},
        {"pinned": {"eq": True}},
        {"tag": {"ge": 1}},
        {"colour": {"regex": "."}},
        {"remark": {"regex": "."}},
        {"notes": {"regex": "."}},
        {"group": {"regex": "."}},
    ],
    "lineage_type": {"in": ["model"]},
}


class BudgetTooSmall(InvalidQuery):
    """Not even the list of runs fits; `bytes` of data would."""

    def __init__(self, size: int) -> None:
        super().__init__(f"The list of runs alone takes {size} bytes.")
        self.bytes = size


@dataclass(slots=True)
class Facts:
    """What a snapshot is of, and what it leaves out; shown on its page."""

    source: str
    view: str
    budget: int
    created: float = field(default_factory=lambda: float(int(time.time())))
    mindviz: str = mindviz.__version__
    runs: dict[str, int] = field(default_factory=dict)
    series: ScalarCounts = field(default_factory=ScalarCounts)
    left_out: int = 0
    unranked: bool = False
    """Whether the view ranks parameters by a result that no run logs as a metric."""
    out_of_time: bool = False
    """Whether something is missing because collecting it took too long."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The data, and facts about them."""

    data: Sequence[bytes]
    """In pieces, which are not copied."""
    facts: Facts
    reduced: Sequence[SeriesFacts]
    missing: Sequence[Series]

    @property
    def size(self) -> int:
        """Bytes of the data."""
        return sum(map(len, self.data))


def snapshot(
    source: AnswerSource, link: str, limit: int, budget: int, shown: Sequence[PageRequest] = ()
) -> Snapshot:
    """The data of a view, in at most `limit` bytes.

    `budget` is what the user set, for display. `shown` are requests of the page whose answers it
    shows; the others follow from the view. What a request has no time for is left out, and its
    claims are those of the data. Raises BudgetTooSmall.
    """
    with ending_early(_WRITING_SECONDS):
        return _snapshot(source, link, limit, budget, shown)


def _snapshot(
    source: AnswerSource, link: str, limit: int, budget: int, shown: Sequence[PageRequest]
) -> Snapshot:
    recorder = Recorder(source, limit)
    view = View.of(link)
    status = _without_origin(recorder)
    facts = Facts(str(status["summary_base_dir"]), view.fragment, budget)
    selected, rows = _add_lists(recorder, view, facts)
    if recorder.room < 0:
        # Answers contain times, whose sizes differ.
        raise BudgetTooSmall(recorder.file.size * 11 // 10)
    first = [(run, tag) for run, tag in _series(rows, selected) if view.shows(tag)]
    scalars = Scalars(recorder, view.smoothing)
    scalars.add(first, int(recorder.room * _SHARES[0]))
    requests = list(shown)
    with recorder.in_time():
        requests += _requests(recorder, view, selected, list(rows))
    facts.unranked = view.page == "sweep" and not any(map(is_ranking, requests))
    for request in requests:
        recorder.offer(request)
    others = [run for run in rows if run not in set(selected)]
    rest = [*_series(rows, selected), *_series(rows, others)]
    of_view = set(first)
    rest = [one for one in rest if one not in of_view]
    scalars.add(rest, int(recorder.room * _SHARES[1]))
    add_values(recorder, view, {run: rows[run] for run in [*selected, *others]})
    scalars.fill()
    facts.series = scalars.counts
    facts.left_out = recorder.left_out
    facts.out_of_time = recorder.out_of_time
    reduced = list(filter(is_reduced, scalars.facts))
    return Snapshot(recorder.file.pieces(asdict(facts)), facts, reduced, scalars.missing)


def _requests(
    recorder: Recorder, view: View, selected: Sequence[str], runs: Sequence[str]
) -> Sequence[PageRequest]:
    """What the view's own page shows."""
    if view.page not in PAGES:
        return []
    names = _decoded(recorder, get("datavisual/train-job-overview"))["parameters"]
    table = _decoded(recorder, post("lineagemgr/lineage-columns", {"train_id": runs}))
    columns = {name: _cells(table["columns"], name) for name in table["columns"]}
    fields = [name for name in names if name in columns]
    return list(page_requests(view, selected, table["train_id"], fields, columns))


def _without_origin(recorder: Recorder) -> Mapping[str, Any]:
    """Add the status and answers that are the same for all snapshots."""
    status: dict[str, Any] = _decoded(recorder, get("status"))
    recorder.keep_value(get("experiments"), {"experiments": []})
    recorder.keep_value(get("views"), {"views": []})
    recorder.keep(get("plugins"))
    return status


def _add_lists(
    recorder: Recorder, view: View, facts: Facts
) -> tuple[Sequence[str], Mapping[str, Mapping[str, Sequence[str]]]]:
    """Add the lists of runs. Returns the selected runs, and the tags of all runs by plugin."""
    newest = _ids(recorder, ("order", "-created"), ("limit", MOST_RUNS))
    selected = with_shown(view.arguments, _selected(recorder, view, newest))[:MOST_RUNS]
    kept = list(dict.fromkeys([*selected, *newest]))[:MOST_RUNS]
    columns = {"train_id": kept, "order": ["-updated"], "archived": True, "limit": MOST_RUNS}
    answer = _decoded(recorder, post("datavisual/train-job-columns", columns))
    count = len(_cells(answer["columns"], "train_id"))
    facts.runs = {"all": int(answer["total"]), "kept": count}
    # The page would ask for the others.
    answer |= {"total": count, "matching": count, "most_listed": max(count, 1)}
    recorder.keep_value(get("datavisual/train-job-columns"), answer)
    status = _decoded(recorder, get("status"))
    recorder.keep_value(
        get("status"), status | {"train_jobs": count, "load_status": "loaded", "webhook": None}
    )
    ids, plugins = _cells(answer["columns"], "train_id"), _cells(answer["columns"], "plugins")
    tags = dict(zip(ids, plugins, strict=True))
    scalars = dict.fromkeys(tag for one in plugins for tag in one.get("scalar", ()))
    _add_lineages(recorder, kept, facts.runs, scalars)
    with recorder.in_time():
        _add_findings(recorder, selected)
    return [run for run in selected if run in tags], {run: tags[run] for run in kept if run in tags}


def _add_lineages(
    recorder: Recorder, kept: Sequence[str], runs: Mapping[str, int], tags: Iterable[str]
) -> None:
    few = runs["all"] == runs["kept"]
    for question in (_ANNOTATIONS, {"lineage_type": {"in": ["model", "dataset"]}}):
        try:
            recorder.keep(post("lineagemgr/lineages", question))
        except UNANSWERED:
            continue
    route = "lineagemgr/lineage-columns"
    selection = {} if few else {"train_id": kept}
    columns = [f"scalar/{tag}/{name}" for tag in tags for name in ("last", "min", "max")]
    answer = _decoded(recorder, post(route, {**selection, "column": columns[:_MOST_COLUMNS]}))
    answer |= {"total": runs["kept"]}
    recorder.keep_value(get(route), answer)


def _add_findings(recorder: Recorder, selected: Sequence[str]) -> None:
    counts = get("findings", ("limit", 0), ("runs", "true"))
    with suppress(*UNANSWERED):
        _await_checks(recorder, counts)
        recorder.keep(counts)
    everything: dict[str, Any] = {"train_id": [], "without": [], "kind": [], "severity": []}
    question = post("findings", everything | {"limit": MOST_EVENTS})
    marked = everything | {"train_id": selected[:MOST_MARKED], "limit": 0, "marks": True}
    with suppress(*UNANSWERED):
        answer = _decoded(recorder, question)
        marks = _decoded(recorder, post("findings", marked))["marks"] if selected else {}
        recorder.keep_value(question, answer | {"marks": marks})


def _await_checks(recorder: Recorder, counts: PageRequest) -> None:
    """Wait until the rules have been evaluated, which begins with the first request."""
    deadline = time.monotonic() + (_REQUEST_PATIENCE if is_long_work() else _PATIENCE)
    while time.monotonic() < deadline:
        answer = _decoded(recorder, counts)
        if answer["looked_into"] >= answer["train_jobs"] and not answer["outdated"]:
            return
        time.sleep(_POLL_INTERVAL)


def _selected(recorder: Recorder, view: View, newest: Sequence[str]) -> Sequence[str]:
    text = view.arguments.get("runs")
    runs = selected_runs(text, newest[:USUAL_RUNS])
    if runs is not None:
        return runs
    wanted = (text or "").removeprefix("*").removeprefix(":")
    filters = [("filter", wanted)] if wanted else []
    try:
        return _ids(recorder, *filters, ("order", "-created"), ("limit", MOST_RUNS))
    except InvalidQuery:
        return newest[:USUAL_RUNS]


def _ids(recorder: Recorder, *pairs: tuple[str, object]) -> Sequence[str]:
    ids: Sequence[str] = _decoded(recorder, get("datavisual/train-job-ids", *pairs))["train_ids"]
    return ids


def _decoded(recorder: Recorder, request: PageRequest) -> Any:
    import json  # noqa: PLC0415

    content_type, body = recorder.ask(request)
    if not content_type.startswith(JSON):
        raise InvalidQuery(f"The answer to {request.route} is no JSON.")
    return json.loads(body)


def _cells(columns: Mapping[str, Any], name: str) -> Sequence[Any]:
    """A column that may be packed as distinct values and a code per row."""
    column = columns[name]
    if isinstance(column, list):
        return column
    return [column["values"][code] for code in column["codes"]]


def _series(
    rows: Mapping[str, Mapping[str, Sequence[str]]], runs: Sequence[str]
) -> Iterator[Series]:
    for run in runs:
        for tag in rows[run].get("scalar", ()):
            yield run, tag
