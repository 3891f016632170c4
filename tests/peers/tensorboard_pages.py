"""Requests of TensorBoard's pages to its data routes, and the answers.

Each page is a generator of (question, answer) pairs: first the listing, then each series. Keys of
blobs are replaced by digests of the blobs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

from tests.peers.tensorboard_servers import TensorBoard

Asked = Iterator[tuple[str, Any]]
Page = Callable[[TensorBoard], Asked]

_PROTO_STATUSES = [f"STATUS_{name}" for name in ("UNKNOWN", "SUCCESS", "FAILURE", "RUNNING")]


def answers(server: TensorBoard) -> dict[str, Any]:
    """All of them, by question."""
    return {question: answer for page in PAGES for question, answer in page(server)}


def _question(route: str, **query: Any) -> str:
    return f"{route} {query}" if query else route


def _each(server: TensorBoard, plugin: str, route: str, tags: str = "tags") -> Asked:
    """Of a page whose tags are run -> tags: these, and the route for each."""
    listed = server.json(f"plugin/{plugin}/{tags}")
    yield f"{plugin}/{tags}", listed
    for run, tag in _series(listed):
        path = f"{plugin}/{route}"
        yield _question(path, run=run, tag=tag), server.json(f"plugin/{path}", run=run, tag=tag)


def _series(listed: Any) -> Iterator[tuple[str, str]]:
    if isinstance(listed, Mapping):
        for run in sorted(listed):
            for tag in sorted(listed[run]):
                yield run, tag


# Pages --------------------------------------------------------------------------------------------


def core(server: TensorBoard) -> Asked:
    """The runs, and the pages with data."""
    yield "runs", server.json("runs")
    listing = server.json("plugins_listing")
    # TensorBoard reports the projector only with its own --logdir.
    enabled = {name: plugin["enabled"] for name, plugin in listing.items() if name != "projector"}
    yield "plugins_listing", enabled


def scalars(server: TensorBoard) -> Asked:
    """Scalars."""
    yield from _each(server, "scalars", "scalars")


def time_series(server: TensorBoard) -> Asked:
    """Time series: one request for all cards of a kind, and the images by their ids."""
    tags = server.json("plugin/timeseries/tags")
    yield "timeseries/tags", tags
    of_runs = tags["scalars"]["runTagInfo"].values()
    requests = [{"plugin": "scalars", "tag": tag} for tag in sorted(set().union(*of_runs))]
    requests += [
        {"plugin": "histograms", "tag": tag, "run": run}
        for run, listed in sorted(tags["histograms"]["runTagInfo"].items())
        for tag in sorted(listed)
    ]
    requests += [
        {"plugin": "images", "tag": tag, "run": run, "sample": sample}
        for tag, runs in sorted(tags["images"]["tagRunSampledInfo"].items())
        for run, info in sorted(runs.items())
        for sample in range(info["maxSamplesPerStep"])
    ]
    for request in requests:
        answer = server.json("plugin/timeseries/timeSeries", requests=json.dumps([request]))
        for points in _series_of_card(answer):
            for point in points:
                if "imageId" in point:
                    image = server.bytes("plugin/timeseries/imageData", imageId=point["imageId"])
                    point["imageId"] = _digest(image)
        yield _question("timeseries/timeSeries", **request), answer


def _series_of_card(answer: Any) -> list[list[dict[str, Any]]]:
    """The points of each run; none if a damaged value made it a status instead."""
    cards = answer if isinstance(answer, list) else []
    return [points for card in cards for points in card.get("runToSeries", {}).values()]


def histograms(server: TensorBoard) -> Asked:
    """Histograms."""
    yield from _each(server, "histograms", "histograms")


def distributions(server: TensorBoard) -> Asked:
    """Distributions, by columns."""
    for question, answer in _each(server, "distributions", "distributions"):
        if question.endswith("tags") or not isinstance(answer, list):
            yield question, answer
        else:
            yield (
                question,
                [{"wall_time": time, "step": step, **_columns(of)} for time, step, of in answer],
            )


def _columns(points: list[list[float]]) -> dict[str, list[float]]:
    return {
        "basis_points": [point for point, _ in points],
        "values": [value for _, value in points],
    }


def images(server: TensorBoard) -> Asked:
    """Images, each sample of each step."""
    yield from _samples(server, "images", "individualImage")


def audio(server: TensorBoard) -> Asked:
    """Audio, as images."""
    yield from _samples(server, "audio", "individualAudio")


def _samples(server: TensorBoard, plugin: str, blob_route: str) -> Asked:
    listed = server.json(f"plugin/{plugin}/tags")
    yield f"{plugin}/tags", listed
    for run, tag in _series(listed):
        for sample in range(listed[run][tag]["samples"]):
            query = {"run": run, "tag": tag, "sample": sample}
            answer = server.json(f"plugin/{plugin}/{plugin}", **query)
            for value in answer if isinstance(answer, list) else ():
                arguments = parse_qs(value["query"])
                value["query"] = sorted(arguments)
                value["blob"] = _digest(server.bytes(f"plugin/{plugin}/{blob_route}", **arguments))
            yield _question(f"{plugin}/{plugin}", **query), answer


def text(server: TensorBoard) -> Asked:
    """Texts, as HTML."""
    yield from _each(server, "text", "text")


def pr_curves(server: TensorBoard) -> Asked:
    """PR curves."""
    yield from _each(server, "pr_curves", "pr_curves")


def mesh(server: TensorBoard) -> Asked:
    """Meshes: the listing, and the arrays."""
    listed = server.json("plugin/mesh/tags")
    yield "mesh/tags", listed
    for run, tag in _series(listed):
        for sample in range(listed[run][tag]["samples"]):
            query = {"run": run, "tag": tag, "sample": sample}
            steps = server.json("plugin/mesh/meshes", **query)
            if isinstance(steps, list):
                # Within a step, TensorBoard's own two readers have them in different orders.
                steps.sort(key=lambda item: (item["step"], item["content_type"]))
            yield _question("mesh/meshes", **query), steps
            for item in steps if isinstance(steps, list) else ():
                kind = ("UNDEFINED", "VERTEX", "FACE", "COLOR")[item["content_type"]]
                of_step = {**query, "step": item["step"], "content_type": kind}
                array = server.bytes("plugin/mesh/data", **of_step)
                yield _question("mesh/data", **of_step), _digest(array)


def graphs(server: TensorBoard) -> Asked:
    """Graphs and run metadata."""
    info = server.json("plugin/graphs/info")
    yield "graphs/info", info
    for run, listed in sorted(info.items()):
        queries: list[dict[str, Any]] = [{"run": run}] if listed["run_graph"] else []
        for tag, has in sorted(listed["tags"].items()):
            if has["op_graph"] or has["conceptual_graph"]:
                conceptual = {"conceptual": "true"} if has["conceptual_graph"] else {}
                queries.append({"run": run, "tag": tag, **conceptual})
            if has["profile"]:
                query = {"run": run, "tag": tag}
                answer = server.bytes("plugin/graphs/run_metadata", **query)
                yield _question("graphs/run_metadata", **query), _text(answer)
        for query in queries:
            answer = server.bytes("plugin/graphs/graph", **query)
            yield _question("graphs/graph", **query), _text(answer)


def hparams(server: TensorBoard) -> Asked:
    """The experiment, its session groups, the points of a session's metrics, and downloads."""
    store = server.json("plugin/hparams/experiment", request="{}")
    yield "hparams/experiment", store
    if not isinstance(store, dict) or not store.get("hparamInfos"):
        return
    columns = [{"hparam": info["name"]} for info in store["hparamInfos"]]
    metrics = [info["name"] for info in store.get("metricInfos", ())]
    request = {
        "colParams": [*columns, *({"metric": name} for name in metrics)],
        "allowedStatuses": _PROTO_STATUSES,
        "sliceSize": 1000,
    }
    groups = server.json("plugin/hparams/session_groups", request=json.dumps(request))
    yield "hparams/session_groups", groups
    for group in groups["sessionGroups"]:
        for session in group["sessions"]:
            for name in metrics:
                arguments = {"sessionName": session["name"], "metricName": name}
                answer = server.json("plugin/hparams/metric_evals", request=json.dumps(arguments))
                yield _question("hparams/metric_evals", **arguments), answer
    for form in ("json", "csv", "latex"):
        query = {
            "request": json.dumps(request),
            "format": form,
            "columnsVisibility": json.dumps([True] * (len(columns) + len(metrics))),
        }
        answer = server.bytes("plugin/hparams/download_data", **query)
        yield f"hparams/download_data {form}", _text(answer)


def custom_scalars(server: TensorBoard) -> Asked:
    """The layout, and the data of its charts."""
    layout = server.json("plugin/custom_scalars/layout")
    yield "custom_scalars/layout", layout
    text = json.dumps(layout)
    # Charts name expressions for tags; those of margin charts name three each.
    tags = sorted(set(re.findall(r'"(?:value|lower|upper)": ("(?:[^"\\]|\\.)*")', text)))
    tags += sorted(
        {
            json.dumps(tag)
            for category in (layout.get("category", ()) if isinstance(layout, dict) else ())
            for chart in category["chart"]
            for tag in chart.get("multiline", {}).get("tag", ())
        }
    )
    for run in server.json("runs"):
        for tag in map(json.loads, tags):
            query = {"run": run, "tag": tag}
            answer = server.json("plugin/custom_scalars/scalars", **query)
            yield _question("custom_scalars/scalars", **query), answer


PAGES: tuple[Page, ...] = (
    *(core, scalars, time_series, histograms, distributions, images, audio, text, pr_curves),
    *(mesh, graphs, hparams, custom_scalars),
)


def _digest(blob: Any) -> str:
    return sha256(blob).hexdigest() if isinstance(blob, bytes) else str(blob)


def _text(body: Any) -> list[str] | str:
    return body.decode("utf-8", "replace").splitlines() if isinstance(body, bytes) else str(body)
