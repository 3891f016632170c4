"""Routes that answer questions about runs, as `mindviz ask` does."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.asking.answer import DEFAULT_TOKENS, FORMS, MOST_TOKENS, Cut, Place
from mindviz.asking.answers import answer, question_of
from mindviz.asking.known_runs import KnownRuns
from mindviz.asking.page_link import HOME
from mindviz.backend.responses import JSON
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text
from mindviz.backend.services import Services

own = Routes()

_TEXT = "text/plain; charset=utf-8"


class AskQuery(StrictQuery):
    """A question and the part of its answer."""

    question = text(required=True, about="As for `mindviz ask`, or a link to the page.")
    cursor = IntegerField(minimum=0, load_default=0, about="Of the answer before.")
    max_tokens = IntegerField(minimum=1, maximum=MOST_TOKENS, load_default=DEFAULT_TOKENS)
    format = text(choices=FORMS, default="json")
    page = text(default="", empty=True, about="URL of the page, for links in the answer.")


class LinkQuery(StrictQuery):
    """A view of the page."""

    link = text(required=True, about="URL of the page, with its fragment.")


@own.post("/ask", AskQuery, long=True)
def ask_in_body(services: Services, body: dict[str, Any]) -> Response:
    """As GET, with the arguments as a JSON object."""
    return ask(services, body)


@own.get("/ask", AskQuery, long=True, statuses=(404,))
def ask(services: Services, query: dict[str, Any]) -> Response:
    """The answer to a question about the runs, within a budget of tokens."""
    place = Place(url=query["page"])
    cut = Cut(query["cursor"], query["max_tokens"], query["format"], place)
    body = answer(_known_runs(services), query["question"], cut)
    return services.responses.uncached(
        body.encode("utf-8", "backslashreplace"),
        content_type=JSON if query["format"] == "json" else _TEXT,
    )


@own.get("/ask/question", LinkQuery)
def read_question(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The question whose answer gives what a view of the page shows."""
    link = query["link"]
    question = question_of(_known_runs(services), link if HOME in link else HOME)
    return {"question": question.text}


def _known_runs(services: Services) -> KnownRuns:
    return KnownRuns(services.store, services.runs, services.annotations, services.health)
