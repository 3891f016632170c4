"""The route that saves a view of the page as a snapshot."""

from __future__ import annotations

import json
import re
from typing import Any

from flask import Response, current_app, request

from mindviz.backend.own_answers import OwnAnswers
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.backend.webui import webui_dir
from mindviz.errors import InvalidQuery
from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.document import BuiltPage, bytes_for_data, title
from mindviz.snapshots.snapshot import BudgetTooSmall, snapshot

own = Routes()

HTML = "text/html; charset=utf-8"
DEFAULT_BUDGET = 20_000_000
MOST_BUDGET = 200_000_000
MOST_REQUESTS = 2_000
_READING = re.compile(r"(graphs|series|datavisual|datasets|lineagemgr|findings|parity)(/.*)?")
_POSTED = frozenset(
    {
        "findings",
        "lineagemgr/diff",
        "lineagemgr/lineages",
        "optimizer/targets/search",
    }
)
"""Routes that only read although they take a body."""
_NOT_SHOWN = re.compile(r"datavisual/(export|scalars|train-job.*)")
"""Answers that are no part of a view, or are in every snapshot in another form."""
_FORWARDED = ("Authorization", "Cookie", "Host")


class SnapshotQuery(StrictQuery):
    """A view of the page."""

    link = text(required=True, about="URL of the page, or its fragment.")
    budget = IntegerField(
        minimum=1, maximum=MOST_BUDGET, load_default=DEFAULT_BUDGET, about="Maximum bytes."
    )
    shown = texts(
        about="Requests whose answers the page shows, as JSON: `[path, body or null]`; "
        "paths are below `v1/mindviz/`."
    )


@own.post("/snapshot", SnapshotQuery, content_types=(HTML,), long=True)
def save_snapshot(services: Services, body: dict[str, Any]) -> Response:
    """The page and its data as one HTML file, as `mindviz snapshot` saves it."""
    page = BuiltPage.of(webui_dir())
    budget = body["budget"]
    headers = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
    answers = OwnAnswers(current_app.wsgi_app, services.config.url_path_prefix, headers)
    shown = [_shown(text) for text in body["shown"][:MOST_REQUESTS]]
    try:
        made = snapshot(
            answers,
            body["link"],
            bytes_for_data(budget, page),
            budget,
            [one for one in shown if one is not None],
        )
    except BudgetTooSmall as error:
        needed = page.size + error.bytes * 4 // 3
        raise InvalidQuery(f"'budget' must be at least {needed} for this view.") from None
    document = page.document(made.data, title(made.facts))
    response = Response(document.pieces(), content_type=HTML)
    response.headers["Content-Length"] = str(document.size)
    response.headers["Content-Disposition"] = 'attachment; filename="mindviz-snapshot.html"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _shown(text: str) -> PageRequest | None:
    """A request of the page; None for one that is not part of a view. Raises InvalidQuery."""
    try:
        path, body = json.loads(text)
    except ValueError:
        path, body = None, None
    if not isinstance(path, str) or not isinstance(body, dict | None):
        raise InvalidQuery("""'shown' must have texts such as '["status", null]'.""")
    # The key of an answer does not say that it is a part.
    shown = PageRequest.of(path, body).whole
    # The decoded route, as the server sees it.
    if body is None:
        allowed = _READING.fullmatch(shown.route) and not _NOT_SHOWN.fullmatch(shown.route)
    else:
        allowed = shown.route in _POSTED
    return shown if allowed and ".." not in shown.route else None
