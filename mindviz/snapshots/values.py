"""Values other than scalars: the requests that the pages make for the newest or the shown step."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.recorder import Recorder, get
from mindviz.snapshots.view import View

_FEWER_STEPS = 50
"""Steps of a series whose whole answer does not fit."""
_MOST_FILES = 16
"""Images or clips of a step."""
_MOST_SCOPES = 200
"""Scopes of each graph."""
_MEDIA = ("image", "audio", "text")
"""Plugins of the page `media`."""
_ALSO_SHOWN_AS = {"tensor": ("histogram",)}
"""Plugins that show the series of others."""
_VERTICES = "_VERTEX"
"""End of the tag of one of the tensors of a shape, which is shown under the name before it."""

Tags = Mapping[str, Sequence[str]]
"""Tags of a run by plugin."""


def add_values(recorder: Recorder, view: View, runs: Mapping[str, Tags]) -> None:
    """Add the values of these runs, the plugins of the view first, while they fit."""
    names = {name for tags in runs.values() for name in tags} - {"scalar"}
    first = _MEDIA if view.page == "media" else (view.page.removesuffix("s"),)
    others: list[PageRequest] = []
    for name in sorted(names, key=lambda name: (not any(one in name for one in first), name)):
        add = _OTHER_ROUTES.get(name, _add_series)
        for run, tags in runs.items():
            for tag in tags.get(name, ()):
                others += add(recorder, view, name, run, tag)
                for other in _ALSO_SHOWN_AS.get(name, ()):
                    _add_series(recorder, view, other, run, tag)
    for name in names:
        having = [run for run, tags in runs.items() if name in tags]
        if having:
            recorder.offer(get(f"{_route(name)}/overview", ("train_id", having)))
    # Files of other steps come last, from the newest on.
    for request in others:
        recorder.offer(request)


def _route(plugin: str) -> str:
    # Encoded once here, and again in the request's path, as by the page.
    return f"series/{quote(plugin, safe='') if set(plugin) & set('%/') else plugin}"


def _add_series(
    recorder: Recorder, view: View, plugin: str, run: str, tag: str
) -> list[PageRequest]:
    """Add a series and the files of the shown step. Returns requests for those of other steps."""
    if tag.endswith(_VERTICES):
        _add_series(recorder, view, plugin, run, tag.removesuffix(_VERTICES))
    place = (("train_id", run), ("tag", tag))
    answer = recorder.offer(
        get(_route(plugin), *place), get(_route(plugin), *place, ("sample", _FEWER_STEPS))
    )
    steps = answer.get("step", []) if isinstance(answer, dict) else []
    if not steps:
        return []
    shown = _row(steps, view.step)
    for request in _files(plugin, run, tag, answer, shown):
        recorder.offer(request)
    rest = (row for row in reversed(range(len(steps))) if row != shown)
    return [request for row in rest for request in _blobs(plugin, run, tag, answer, row)]


def _row(steps: Sequence[int], wanted: int | None) -> int:
    """The row of the shown step: the nearest one, by default the newest."""
    if wanted is None:
        return len(steps) - 1
    after = bisect_left(steps, wanted)
    near = [row for row in (after - 1, after) if 0 <= row < len(steps)]
    return min(near, key=lambda row: abs(steps[row] - wanted))


def _files(
    plugin: str, run: str, tag: str, answer: Mapping[str, Any], row: int
) -> Iterator[PageRequest]:
    yield from _blobs(plugin, run, tag, answer, row)
    step = answer["step"][row]
    place = (("train_id", run), ("tag", tag))
    dims = _cell(answer, "dims", row)
    if plugin == "image":
        yield get(
            "datavisual/image/single-image",
            *(("train_id", run), ("tag", f"{tag}/image"), ("step", -1)),
        )
    if plugin == "tensor" and isinstance(dims, list):
        # The page first shows the last two dimensions.
        whole = f"[{','.join('0' if i < len(dims) - 2 else ':' for i in range(len(dims)))}]"
        named = (("train_id", run), ("tag", f"{tag}/tensor"), ("step", step))
        yield get("datavisual/tensors", *named, ("detail", "data"), ("dims", whole))
    if "sprite_size" in answer:
        yield get("datavisual/embeddings/points", *place, ("step", step))
    if "faces" in answer:
        for part in ("VERTEX", "FACE", "COLOR"):
            named = (("train_id", run), ("tag", f"{tag}_{part}"), ("step", step))
            yield get(f"series/{plugin}/npy", *named, ("dims", "[0, :, :]"))


def _blobs(
    plugin: str, run: str, tag: str, answer: Mapping[str, Any], row: int
) -> Iterator[PageRequest]:
    count = _cell(answer, "samples", row) or _cell(answer, "clips", row)
    if answer.get("data_class") != "BLOB_SEQUENCE" or not isinstance(count, int):
        return
    for index in range(min(count, _MOST_FILES)):
        yield get(
            f"{_route(plugin)}/blob",
            *(("train_id", run), ("tag", tag)),
            *(("step", answer["step"][row]), ("index", index)),
        )


def _cell(answer: Mapping[str, Any], column: str, row: int) -> Any:
    cells = answer.get(column)
    return cells[row] if isinstance(cells, list) and row < len(cells) else None


def _add_graph(
    recorder: Recorder, _view: View, _plugin: str, run: str, _tag: str
) -> list[PageRequest]:
    """Add the scopes of a run's graphs, outer ones first."""
    listed = recorder.offer(get("graphs/tags", ("train_id", run)))
    for graph in (listed or {}).get("tags", []):
        place = (("train_id", run), ("tag", graph["tag"]))
        recorder.offer(get("graphs/summary", *place))
        scopes, added = [""], 0
        while scopes and added < _MOST_SCOPES:
            name = scopes.pop(0)
            named = (("name", name),) if name else ()
            part = recorder.offer(get("graphs/scope", *place, ("mode", "normal"), *named))
            added += 1
            scopes += [
                node["name"] for node in (part or {}).get("nodes", []) if node.get("subnode_count")
            ]
    return []


def _add_landscapes(
    recorder: Recorder, _view: View, _plugin: str, run: str, _tag: str
) -> list[PageRequest]:
    """Add a run's loss landscapes: of its intervals, and around its result."""
    listed = recorder.offer(get("datavisual/landscape/intervals", ("train_id", run)))
    kinds = [
        (("type", "interval"), ("interval_id", interval["id"]))
        for interval in (listed or {}).get("intervals", [])
    ]
    for kind in (*kinds, (("type", "final"),)):
        recorder.offer(get("datavisual/landscape/landscapes", ("train_id", run), *kind))
    return []


_Add = Callable[[Recorder, View, str, str, str], list[PageRequest]]
_OTHER_ROUTES: Mapping[str, _Add] = {"graph": _add_graph, "loss_landscape": _add_landscapes}
"""Plugins whose pages use routes of their own."""
