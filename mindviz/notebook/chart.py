"""ScalarChart: the page's chart of scalars as a widget that gets its data from the kernel."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from html import escape
from pathlib import Path
from threading import RLock
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from IPython.display import display

import mindviz
from mindviz.client.log_source import LogSource
from mindviz.errors import MindvizError, StartError
from mindviz.notebook.idle_kernel import IdleKernel
from mindviz.notebook.live_charts import LiveCharts
from mindviz.notebook.scalar_answers import Part, Query, ScalarAnswers
from mindviz.notebook.still_chart import ChartTraits, still_chart

MOST_UNHEARD = 20
"""Reads, a minute's. Visible views send a message every 15 seconds."""
MODULE = Path(mindviz.__file__).parent / "webui" / "notebook" / "chart.js"


@dataclass(slots=True)
class _Request:
    """What one part of a view shows."""

    number: int
    queries: Sequence[Query]
    cursors: list[str]
    problem: str = ""
    """Of the last answer."""


@dataclass(slots=True)
class _View:
    """A chart in one cell of one browser."""

    visible: bool = False
    unheard: int = 0
    """Reads of new points since its last message, at which the kernel could have received one."""
    requests: dict[Part, _Request] = field(default_factory=dict)


class ScalarChart(anywidget.AnyWidget):
    """A live chart of runs x tags, or groups of runs x tags, as the page draws it.

    Zooming asks the kernel for every point of the range.

    `smoothing` is as in the REST API, e.g. `ema:0.6`.
    """

    train_ids = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tags = traitlets.List(traitlets.Unicode()).tag(sync=True)
    groups = traitlets.Dict().tag(sync=True)
    """Name of each group -> its train_ids; empty: each run is a line."""
    smoothing = traitlets.Unicode().tag(sync=True)
    x = traitlets.Unicode("step").tag(sync=True)
    log_x = traitlets.Bool(False).tag(sync=True)
    log_y = traitlets.Bool(False).tag(sync=True)
    all_runs = traitlets.Int().tag(sync=True)
    """The number of runs that have the tags; `train_ids` may be fewer."""
    still = traitlets.Unicode().tag(sync=True)
    """Class of the pictures of this chart."""

    def __init__(self, source: LogSource, **traits: Any) -> None:
        """Raises StartError if the chart's code was not built."""
        self._source = source  # kept: `LiveCharts` holds it weakly
        self._answers = ScalarAnswers.of(source)
        self._live = LiveCharts.of(source)
        self._views: dict[str, _View] = {}
        self._lock = RLock()
        self._idle = IdleKernel()
        super().__init__(_esm=_module(), still=f"mindviz-still-{uuid4().hex}", **traits)
        self.on_msg(self._receive)

    def __repr__(self) -> str:
        counts = [_counted(len(self.train_ids), "run")]
        if self.groups:
            counts.append(_counted(len(self.groups), "group"))
        return f"<chart of {', '.join(self.tags)}, {' in '.join(counts)}>"

    def _ipython_display_(self) -> None:
        """Show a picture, which stays in saved notebooks, and the chart, which hides it."""
        bundle = self._repr_mimebundle_()
        if bundle is not None:
            display({"text/html": self._still_picture()}, raw=True)  # type: ignore[no-untyped-call]
            display(bundle[0], raw=True)  # type: ignore[no-untyped-call]

    def _still_picture(self) -> str:
        traits = {field.name: getattr(self, field.name) for field in fields(ChartTraits)}
        try:
            picture = still_chart(self._source.provider, ChartTraits(**traits))
        except MindvizError:
            return ""  # the chart itself states the problem
        # An image, because notebooks that are not trusted show no other SVG.
        content = b64encode(picture.encode()).decode()
        return (
            f'<img class="{self.still}" alt="{escape(repr(self))}" '
            f'src="data:image/svg+xml;base64,{content}">'
        )

    def close(self) -> None:
        """Remove the chart from all cells."""
        self._live.forget(self)
        super().close()

    def send_new_points(self) -> None:
        """Send visible views what was logged since their last answer."""
        is_idle = self._idle.was_idle()
        with self._lock:
            for view in self._views.values():
                view.unheard += is_idle
                # Its tab was closed, or its computer sleeps: then a message comes later.
                view.visible &= view.unheard <= MOST_UNHEARD
            is_visible = any(view.visible for view in self._views.values())
            for name, view in self._views.items():
                if view.visible:
                    for part, request in view.requests.items():
                        self._answer(name, part, request)
        if not is_visible:
            self._live.forget(self)

    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        with self._lock:
            name = str(content["view"])
            view = self._views.setdefault(name, _View())
            view.unheard = 0
            match content["kind"]:
                case "request":
                    part, queries = content["part"], content["queries"]
                    request = _Request(content["number"], queries, [""] * len(queries))
                    view.requests[part] = request
                    self._answer(name, part, request)
                case "follow":
                    view.visible = bool(content["visible"])
                case "leave":
                    del self._views[name]
            is_visible = any(each.visible for each in self._views.values())
        (self._live.follow if is_visible else self._live.forget)(self)

    def _answer(self, view: str, part: Part, request: _Request) -> None:
        answer: dict[str, Any] = {"view": view, "part": part, "number": request.number}
        new: list[bytes] = []
        problem = ""
        try:
            for index, query in enumerate(request.queries):
                before = request.cursors[index]
                content, request.cursors[index] = self._answers.ask(part, query, before)
                if request.cursors[index] != before:
                    new.append(content)
        except MindvizError as error:
            problem = str(error)
        # Also before a problem: the cursors are behind these points.
        if new:
            self.send(answer, new)
        if problem != request.problem:
            request.problem = problem
            self.send(answer | {"problem": problem})


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


@cache
def _module() -> str:
    try:
        return MODULE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StartError(
            "This installation has no chart for notebooks. In a checkout, `make ui` builds it."
        ) from None
