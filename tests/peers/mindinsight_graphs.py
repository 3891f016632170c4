"""Asks all that can be asked of the graphs below a server, for two servers to be compared."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

Question = tuple[str, dict[str, str]]
"""Route below `datavisual/` and query."""

SEARCHES = ("op1", "conv", "cst", "Default/", "w", "[", "fc1", "/", "nothing like it")


def ask(server: str, question: Question) -> Any:
    """The JSON of the answer, errors included."""
    route, query = question
    url = f"{server}/datavisual/{route}?{urllib.parse.urlencode(query)}"
    try:
        with urllib.request.urlopen(url) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return {"status": error.code, "error_code": json.load(error)["error_code"]}


def questions(server: str, train_id: str) -> Iterator[Question]:
    """What to ask of the job's graphs; the scopes are those that this server knows."""
    for mode in ("normal", "optimize"):
        graph = {"train_id": train_id, "mode": mode}
        scopes = [""]
        while scopes:
            scope = scopes.pop()
            named = graph | {"name": scope}
            question = ("graphs/nodes", named)
            yield question
            children = ask(server, question).get("nodes", [])
            scopes += [child["name"] for child in children if child["subnode_count"]]
            yield "graphs/nodes/all", named
            for child in children[:2]:
                yield "graphs/single-node", graph | {"name": child["name"]}
        for text in SEARCHES:
            yield "graphs/nodes/names", graph | {"search": text}
            for page in range(3):
                paged = {"search": text, "offset": str(page), "limit": "2"}
                yield "graphs/nodes/names", graph | paged
    yield from wrong_questions(train_id)


def wrong_questions(train_id: str) -> Iterator[Question]:
    """Each is answered by an error."""
    job = {"train_id": train_id}
    for route in ("graphs/nodes", "graphs/nodes/names", "graphs/single-node", "graphs/nodes/all"):
        yield route, {}
        yield route, {"train_id": "./nothing", "name": "x"}
        yield route, job | {"tag": "nothing", "name": "x"}
        yield route, job | {"mode": "best", "name": "x"}
    for route in ("graphs/nodes", "graphs/single-node", "graphs/nodes/all"):
        yield route, job | {"name": "nothing"}
    for wrong in ({"limit": "0"}, {"limit": "1001"}, {"limit": "x"}, {"offset": "-1"}):
        yield "graphs/nodes/names", job | {"search": "a"} | wrong


def without_deliberate_differences(answer: Any) -> Any:
    """The answer as it would be if both named as few data types, and lost as many hits.

    MindInsight does not know the data types that MindSpore has since got, and what a search finds
    in a scope it forgets when it finds the scope, too.
    """
    text = json.dumps(answer)
    for name in ("DT_BFLOAT16", "DT_SLICE"):
        text = text.replace(f"dtype: {name}\\n", "").replace(name, "DT_UNDEFINED")
    return json.loads(text)


def without_hits_below(hits: list[dict[str, Any]], found: set[str]) -> list[dict[str, Any]]:
    """The tree of a search, cut off below each scope that was found itself."""
    return [
        hit | {"nodes": [] if hit["name"] in found else without_hits_below(hit["nodes"], found)}
        for hit in hits
    ]


def found_scopes(hits: list[dict[str, Any]], text: str) -> set[str]:
    """The scopes in the tree of a search whose own names hold the text."""
    found: set[str] = set()
    waiting = list(hits)
    while waiting:
        hit = waiting.pop()
        waiting += hit["nodes"]
        _, match, behind = hit["name"].lower().rpartition(text.lower())
        if match and "/" not in behind:
            found.add(hit["name"])
    return found
