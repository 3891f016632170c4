"""Where two answers differ, value for value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.peers.contract_questions import NTH_INTERVAL
from tests.peers.contract_servers import Answer, Pair, Question, Server

MISSING = "(missing)"
Path = tuple[str | int, ...]
"""Where in an answer: keys and indices."""

_WHOLE: Mapping[str, tuple[str, ...]] = {
    "/datavisual/histograms": ("buckets",),
    "/datavisual/tensors": ("histogram_buckets",),
    "/datavisual/graphs/nodes/names": ("nodes",),
    "/optimizer/targets/search": ("hyper_parameters",),
}
"""Route -> keys whose values are compared as a whole."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not the same."""

    question: Question
    path: Path
    """Empty where the outcomes differ: `400 50540002`, or an answer."""
    theirs: Any
    ours: Any

    def __str__(self) -> str:
        where = "".join(f"[{step!r}]" for step in self.path) or "the answer"
        sides = f"    MindInsight {_short(self.theirs)}\n    mindviz     {_short(self.ours)}"
        return f"{self.question}\n    at {where}\n{sides}"


def compare(pair: Pair, questions: Iterable[Question]) -> Iterator[Difference]:
    """Every value that differs between answers.

    Marks of datasets are compared by which jobs share one. Where the two disagree about which job
    was updated last, the order of jobs is not compared, nor are single pages.
    """
    orders = [
        [job["train_id"] for job in server.train_jobs()] for server in (pair.theirs, pair.ours)
    ]
    ordered = orders[0] == orders[1]
    for question in questions:
        if not ordered and _is_page(question):
            continue
        theirs, ours = (
            normalized(outcome(ask(server, question)), ordered=ordered)
            for server in (pair.theirs, pair.ours)
        )
        whole = _WHOLE.get(question.route, ())
        for path, their_value, our_value in differences(theirs, ours, whole):
            yield Difference(question, path, their_value, our_value)


def ask(server: Server, question: Question) -> Answer:
    """The server's answer; ids of intervals are its own."""
    interval_id = str(question.query.get("interval_id", ""))
    if interval_id.startswith(NTH_INTERVAL):
        job = {"train_id": question.query["train_id"]}
        listed = server.content("/datavisual/landscape/intervals", **job)["intervals"]
        own = listed[int(interval_id.removeprefix(NTH_INTERVAL))]["id"]
        question = replace(question, query={**question.query, "interval_id": own})
    return server.ask(question)


def _is_page(question: Question) -> bool:
    """Whether the answer is part of a list in the order of the last updates."""
    if question.route == "/datavisual/train-jobs":
        return "train_id" not in question.query and question.query.get("limit") != "999"
    try:
        body = json.loads(question.body or b"null")
    except ValueError:
        return False
    return isinstance(body, dict) and not body.keys().isdisjoint({"limit", "offset"})


def normalized(outcome: Any, *, ordered: bool) -> Any:
    """The outcome with marks of datasets that mean the same in every answer.

    Unless `ordered`, jobs are sorted by their ids.
    """
    content = outcome.get("content") if isinstance(outcome, dict) else None
    if not isinstance(content, dict):
        return outcome
    if not ordered:
        _sort_jobs(content)
    rows = content.get("object", [])
    marks: dict[str, int] = {}
    for row in sorted(rows, key=lambda row: str(row.get("summary_dir"))):
        facts = row.get("model_lineage", {})
        if "dataset_mark" in facts:
            mark = facts["dataset_mark"]
            facts["dataset_mark"] = f"group {marks.setdefault(mark, len(marks))}"
    return outcome


def _sort_jobs(content: dict[str, Any]) -> None:
    """Put the jobs of a list, of lineages or of importances into the order of their ids."""
    for key, name in (("train_jobs", "train_id"), ("object", "summary_dir")):
        if key in content:
            content[key].sort(key=lambda item: str(item.get(name)))
    if "targets" not in content:
        return
    metadata = content["metadata"]
    ids = metadata["train_ids"]
    order = sorted(range(len(ids)), key=ids.__getitem__)
    metadata["train_ids"] = [ids[i] for i in order]
    for item in (*metadata["possible_hyper_parameters"], *content["targets"]):
        item["data"] = [item["data"][i] for i in order]
    for listed in (metadata["possible_hyper_parameters"], metadata["unrecognized_params"]):
        listed.sort(key=lambda item: str(item["name"]))


def outcome(answer: Answer) -> Any:
    """What clients may rely on: of an error its status and code, not its words."""
    if answer.status == 200:
        return {"type": answer.content_type, "content": answer.content}
    code = answer.content.get("error_code") if isinstance(answer.content, dict) else "without code"
    return f"{answer.status} {code}"


def differences(
    theirs: Any, ours: Any, whole: tuple[str, ...] = (), path: Path = ()
) -> Iterator[tuple[Path, Any, Any]]:
    """The innermost values that differ; values of the keys `whole` are not looked into."""
    inside = not path or path[-1] not in whole
    if inside and isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*theirs, *ours)):
            their_part, our_part = theirs.get(key, MISSING), ours.get(key, MISSING)
            yield from differences(their_part, our_part, whole, (*path, key))
    elif (
        inside and isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours)
    ):
        for index, (their_part, our_part) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(their_part, our_part, whole, (*path, index))
    elif not _is_same(theirs, ours):
        yield path, theirs, ours


def _is_same(theirs: Any, ours: Any) -> bool:
    """Equal and of one JSON type; NaN is NaN."""
    if isinstance(theirs, bool) != isinstance(ours, bool):
        return False
    both_nan = [isinstance(value, float) and math.isnan(value) for value in (theirs, ours)]
    return bool(theirs == ours) or all(both_nan)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 300 else f"{text[:300]}... ({len(text)} characters)"
