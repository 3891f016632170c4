"""Every request below `/v1/mindinsight` about the jobs of a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.peers.contract_bodies import odd_bodies
from tests.peers.contract_servers import Question, Server, get, post

PLUGINS = (
    *("image", "scalar", "graph", "optimized_graph", "histogram", "tensor", "loss_landscape"),
)
WRONG_INTEGERS = ("x", "3.0", "", " ", "1e3", "0x10", "1_0", "-1", "99999999999999999999")
SEARCHES = ("op1", "conv", "cst", "Default/", "w", "[", "fc1", "/", "nothing like it")
GRAPH_ROUTES = tuple(
    f"/datavisual/graphs/{name}" for name in ("nodes", "nodes/names", "single-node", "nodes/all")
)
LINEAGES = "/lineagemgr/lineages"
NTH_INTERVAL = "the id of interval number "
"""Placeholder for the id that each server uses."""
IMPORTANCES = "/optimizer/targets/search"


def questions(server: Server) -> Iterator[Question]:
    """All requests; this server lists jobs, tags, steps and scopes."""
    jobs = server.train_jobs()
    yield from questions_about_the_list(jobs)
    for job in jobs:
        yield from questions_about_tags(job)
        yield from questions_about_scalars(job)
        yield from questions_about_images(server, job)
        yield from questions_about_histograms(job)
        yield from questions_about_tensors(server, job)
        yield from questions_about_graphs(server, job)
        yield from questions_about_landscapes(server, job)
    yield from questions_over_jobs(jobs)
    yield from questions_about_lineage(server, jobs)
    yield from questions_that_are_none(jobs)


# -------------------------------------------------------------------------- jobs and their tags


def questions_about_the_list(jobs: Sequence[dict[str, Any]]) -> Iterator[Question]:
    route = "/datavisual/train-jobs"
    yield get("/ui-config")
    yield get(route)
    yield get(route, limit="999")
    for offset in range(3):
        yield get(route, limit="2", offset=str(offset))
    for value in WRONG_INTEGERS:
        yield get(route, limit=value)
        yield get(route, offset=value)
    for limit in ("0", "1000", " 3 ", "+3"):
        yield get(route, limit=limit)
    yield get(route, nonsense="1")
    for train_id in ("./nothing", "", "nothing", "../x", "./a/b"):
        yield get(route, train_id=train_id)
    for train_ids in ([], ["./nothing"], [job["train_id"] for job in jobs[:3]], "./", [1], None):
        yield post("/datavisual/train-job-caches", {"train_ids": train_ids})
    bodies: tuple[Any, ...] = ({}, b"", b"{", b"null")
    for body in bodies:
        yield post("/datavisual/train-job-caches", body)


def questions_about_tags(job: dict[str, Any]) -> Iterator[Question]:
    train_id = job["train_id"]
    yield get("/datavisual/train-jobs", train_id=train_id)
    for plugin in PLUGINS:
        yield get("/datavisual/single-job", train_id=train_id, plugin_name=plugin)
    for update in ("false", "true", "TRUE", "x", ""):
        yield get("/datavisual/plugins", train_id=train_id, manual_update=update)


def tags(job: dict[str, Any], plugin: str) -> list[str]:
    found: list[str] = job["plugins"][plugin]
    return found


# ------------------------------------------------------------------------------ series of values


def questions_about_scalars(job: dict[str, Any]) -> Iterator[Question]:
    train_id, found = job["train_id"], tags(job, "scalar")
    for tag in found:
        yield get("/datavisual/scalar/metadata", train_id=train_id, tag=tag)
    yield get("/datavisual/scalars", train_id=train_id, tag=[*found[:30], "nothing/scalar", ""])


def questions_about_images(server: Server, job: dict[str, Any]) -> Iterator[Question]:
    train_id = job["train_id"]
    for tag in tags(job, "image"):
        series = {"train_id": train_id, "tag": tag}
        yield get("/datavisual/image/metadata", **series)
        images = server.content("/datavisual/image/metadata", **series)["metadatas"]
        for step in {-1, -2, 0, 10**9, *(image["step"] for image in images)}:
            yield get("/datavisual/image/single-image", **series, step=str(step))
        for value in WRONG_INTEGERS:
            yield get("/datavisual/image/single-image", **series, step=value)
        yield get("/datavisual/image/single-image", **series)


def questions_about_histograms(job: dict[str, Any]) -> Iterator[Question]:
    for tag in tags(job, "histogram"):
        yield get("/datavisual/histograms", train_id=job["train_id"], tag=tag)


def questions_about_tensors(server: Server, job: dict[str, Any]) -> Iterator[Question]:
    route = "/datavisual/tensors"
    for tag in tags(job, "tensor"):
        series = {"train_id": job["train_id"], "tag": tag}
        for detail in ("stats", "histogram", "", "x"):
            yield get(route, **series, detail=detail)
        yield get(route, **series)
        # Steps and dims matter for the data alone.
        for detail in ("stats", "histogram"):
            yield get(route, **series, detail=detail, step="[]", dims="x")
        twice = [job["train_id"]] * 2
        yield get(route, train_id=twice, tag=[tag, tag])
        (tensor,) = server.content(route, **series)["tensors"]
        for value in tensor["values"]:
            rank = len(value["value"]["dims"])
            for dims in slices(rank):
                yield get(route, **series, detail="data", step=str(value["step"]), dims=dims)
        step = str(tensor["values"][0]["step"])
        yield get(route, **series, detail="data", step="123456", dims="[:,:]")
        yield get(route, **series, detail="data", step=step)
        yield get(route, **series, detail="data", dims="[:,:]")
        for value in WRONG_INTEGERS:
            yield get(route, **series, detail="data", step=value, dims="[:,:]")


def slices(rank: int) -> Iterator[str]:
    """Parts of a tensor of this rank, right and wrong ones."""
    for shown in ((":", ":"), ("0", ":"), ("-1", "0:1"), ("::2", "1:"), ("0", "0"), ("9" * 9, "0")):
        yield f"[{','.join([*shown, *['0'] * rank][:rank])}]"
    yield from ("[]", "", ":", "[0", "[a]", f"[{','.join([':'] * 3)}]", f"[{','.join('0' * 9)}]")
    yield from ("[::0]", "[ 0 ,: ]", "[0,]", "[0.5,0]", "[1:2:3:4,0]", "(0,0)", "[:, :]", "[5:2,:]")


# ---------------------------------------------------------------------------------------- graphs


def questions_about_graphs(server: Server, job: dict[str, Any]) -> Iterator[Question]:
    train_id = job["train_id"]
    for plugin, mode in (("graph", "normal"), ("optimized_graph", "optimize")):
        for tag in tags(job, plugin):
            graph = {"train_id": train_id, "tag": tag, "mode": mode}
            yield from _questions_about_graph(server, graph)
            other = {"normal": "optimize", "optimize": "normal"}[mode]
            yield get(GRAPH_ROUTES[0], train_id=train_id, tag=tag, mode=other)
    for route in GRAPH_ROUTES:
        yield get(route, train_id=train_id)
        yield get(route, train_id=train_id, tag="")
        yield get(route, train_id=train_id, tag="nothing", name="x", search="x")
        yield get(route, train_id=train_id, mode="best", name="x", search="x")
        yield get(route, train_id=train_id, mode="", name="x", search="x")
        yield get(route, train_id=train_id, name="nothing", search="a")
    for wrong in (*WRONG_INTEGERS, "0", "1001"):
        yield get(GRAPH_ROUTES[1], train_id=train_id, search="a", limit=wrong)
        yield get(GRAPH_ROUTES[1], train_id=train_id, search="a", offset=wrong)


def _questions_about_graph(server: Server, graph: dict[str, str]) -> Iterator[Question]:
    nodes, names, path, leaves = GRAPH_ROUTES
    scopes = [""]
    while scopes:
        named = {**graph, "name": scopes.pop()}
        yield get(nodes, **named)
        yield get(leaves, **named)
        answer = server.ask(get(nodes, **named))
        if answer.status != 200:
            continue
        children = answer.content["nodes"]
        scopes += [child["name"] for child in children if child["subnode_count"]]
        for child in children[:2]:
            yield get(path, **graph, name=child["name"])
            yield get(nodes, **graph, name=child["name"])
    for text in SEARCHES:
        yield get(names, **graph, search=text)
        for page in (2**63 - 1, 2**63 - 2, 2**63):
            yield get(names, **graph, search=text, offset=str(page))
        for page in range(3):
            yield get(names, **graph, search=text, offset=str(page), limit="2")


# --------------------------------------------------------------------------------- loss landscapes


def questions_about_landscapes(server: Server, job: dict[str, Any]) -> Iterator[Question]:
    train_id, route = job["train_id"], "/datavisual/landscape/landscapes"
    yield get("/datavisual/landscape/intervals", train_id=train_id)
    yield get(route, train_id=train_id)
    for kind in ("final", "interval", "x", ""):
        yield get(route, train_id=[train_id, "./nothing", "nothing"], type=kind)
    yield get(route, train_id=train_id, type="interval", interval_id="nothing")
    if tags(job, "loss_landscape"):
        intervals = server.content("/datavisual/landscape/intervals", train_id=train_id)
        for number in range(len(intervals["intervals"])):
            yield get(route, train_id=train_id, interval_id=f"{NTH_INTERVAL}{number}")
    yield get(route)


# ---------------------------------------------------------------------------------- several jobs


def questions_over_jobs(jobs: Sequence[dict[str, Any]]) -> Iterator[Question]:
    train_ids = [job["train_id"] for job in jobs]
    for plugin, route in (("scalar", "/datavisual/scalars"), ("tensor", "/datavisual/tensors")):
        every = sorted({tag for job in jobs for tag in tags(job, plugin)})[:30]
        both = [job["train_id"] for job in jobs if {*every} <= {*tags(job, plugin)}]
        yield get(route, train_id=both, tag=every)
        yield get(route, train_id=train_ids, tag="nothing")
    yield get("/datavisual/scalars", train_id=["./nothing", *train_ids], tag="loss/auto/scalar")
    yield get("/datavisual/scalars")
    for job in jobs[:1]:
        twice = [job["train_id"]] * 2
        yield get("/datavisual/train-jobs", train_id=job["train_id"], offset="1")
        yield get("/datavisual/scalars", train_id=twice, tag=tags(job, "scalar")[:1] * 3)
        yield get("/datavisual/landscape/landscapes", train_id=twice, type="final")
        yield post("/datavisual/train-job-caches", {"train_ids": twice})
    for none in ([""], [None], [1], ["", "./nothing"], [None, "./nothing"]):
        yield post("/datavisual/train-job-caches", {"train_ids": none})
    yield get("/datavisual/scalars", train_id=train_ids)
    yield get("/datavisual/scalars", tag="loss/auto/scalar")


def questions_over_many_jobs() -> Iterator[Question]:
    """Where the number of jobs matters: lists, pages, orders and selections."""
    for page in ({}, {"limit": "999"}, {"limit": "100", "offset": "9"}, {"limit": "50"}):
        yield get("/datavisual/train-jobs", **page)
    names = ("summary_dir", "learning_rate", "loss", "optimizer", "metric/f1", "user_defined/team")
    conditions: tuple[dict[str, Any], ...] = (
        {},
        {"learning_rate": {"le": 0.1}, "optimizer": {"in": ["Adam"]}},
        {"user_defined/seed": {"gt": 1000}, "metric/acc": {"ge": 0.7}},
        {"batch_size": {"in": [16, 64]}, "loss": {"lt": 0.01}},
    )
    for condition in conditions:
        yield post(LINEAGES, condition)
        yield post(IMPORTANCES, condition)
        for name in names:
            order = {"sorted_name": name, "sorted_type": "descending"}
            yield post(LINEAGES, condition | order | {"limit": 100, "offset": 1})


def questions_that_are_none(jobs: Sequence[dict[str, Any]]) -> Iterator[Question]:
    """Missing and unknown arguments, URLs and methods."""
    train_id = jobs[0]["train_id"]
    yield get("/datavisual/single-job")
    yield get("/datavisual/single-job", train_id=train_id)
    yield get("/datavisual/single-job", plugin_name="scalar")
    yield get("/datavisual/single-job", train_id=train_id, plugin_name="audio")
    for plugin_name in ("scalar", "Scalar"):
        yield get("/datavisual/single-job", train_id="./nothing", plugin_name=plugin_name)
    yield get("/datavisual/plugins")
    yield get("/datavisual/plugins", train_id="./nothing")
    yield get("/datavisual/plugins", train_id="./nothing", manual_update="true")
    for kind, route in (
        ("scalar", "/datavisual/scalar/metadata"),
        ("scalar", "/datavisual/scalars"),
        ("image", "/datavisual/image/metadata"),
        ("image", "/datavisual/image/single-image"),
        ("histogram", "/datavisual/histograms"),
        ("tensor", "/datavisual/tensors"),
    ):
        yield get(route)
        yield get(route, train_id="", tag="")
        yield get(route, train_id=train_id)
        yield get(route, tag="nothing")
        yield get(route, train_id=train_id, tag="nothing", step="1")
        yield get(route, train_id=train_id, tag=f"nothing/{kind}", step="1")
        yield get(route, train_id="./nothing", tag=f"nothing/{kind}", step="1")
        # Tags of other kinds.
        for plugin in PLUGINS:
            for tag in tags(jobs[0], plugin)[:1]:
                if plugin != kind:
                    yield get(route, train_id=train_id, tag=tag, step="1")
    for route in GRAPH_ROUTES:
        yield get(route)
        yield get(route, train_id="./nothing", name="x", search="x")
    yield get("/datavisual/landscape/intervals")
    yield get("/datavisual/landscape/intervals", train_id="./nothing")
    for route in ("/nothing", "/datavisual", "/datavisual/scalar", "/datavisual/train-jobs/1"):
        yield get(route)
    for route in ("/datavisual/train-jobs", "/datavisual/scalars", "/ui-config"):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            yield post(route, {}, method)
            yield post(f"{route}/", {}, method)
            yield post(f"{route}/nothing", {}, method)
        yield get(f"{route}/")
        yield Question(route, method="HEAD")
    yield get("/datavisual/train-job-caches")
    yield get(LINEAGES)
    yield get(IMPORTANCES)


# --------------------------------------------------------------------------------------- lineage


def questions_about_lineage(server: Server, jobs: Sequence[dict[str, Any]]) -> Iterator[Question]:
    lineages = server.ask(post(LINEAGES, {})).content["object"]
    conditions = [*lineage_conditions(lineages), *wrong_lineage_conditions()]
    for body in (*conditions, *odd_bodies(), b"", b"{", b"[]", b"1", b'"x"', b"null"):
        yield post(LINEAGES, body)
        yield post(IMPORTANCES, body)
    for train_id in (*(job["train_id"] for job in jobs), "./nothing", "nothing", "./a/b", ""):
        yield get("/datasets/dataset_graph", train_id=train_id)
    yield get("/datasets/dataset_graph")
    yield from questions_that_note(lineages)


def lineage_conditions(lineages: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each field, compared by each operator with its values."""
    yield {}
    for name, values in lineage_fields(lineages).items():
        known = [value for value in values if value is not None]
        is_text = any(isinstance(value, str) for value in known)
        for order in ("ascending", "descending", None):
            yield {"sorted_name": name, "sorted_type": order}
        if not known:
            continue
        value = sorted(known, key=str)[len(known) // 2]
        yield {name: {"in": known[:2]}}
        yield {name: {"not_in": known[:2]}}
        yield {name: {"in": []}}
        for operator in ("eq",) if is_text else ("eq", "lt", "gt", "le", "ge"):
            yield {name: {operator: value}}
            yield {name: {operator: value}, "sorted_name": "loss", "sorted_type": "descending"}
        if not is_text:
            yield {name: {"gt": value, "le": value * 2}}
    for page in ({"limit": 2}, {"offset": 1}, {"limit": 2, "offset": 1}, {"limit": 1, "offset": 9}):
        yield page
        yield {**page, "sorted_name": "learning_rate", "sorted_type": "ascending"}
    yield {"sorted_name": "tag"}
    for kind in ("model", "dataset"):
        yield {"lineage_type": {"eq": kind}}
    yield {"lineage_type": {"in": ["model", "dataset"]}}
    yield {"metric/nothing": {"gt": 1}}
    yield {"user_defined/nothing": {"eq": "x"}}
    yield {"sorted_name": "metric/nothing"}


def lineage_fields(lineages: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Field -> values in the lineages."""
    fields: dict[str, list[Any]] = {"summary_dir": [one["summary_dir"] for one in lineages]}
    for one in lineages:
        for name, value in one["model_lineage"].items():
            named = value if isinstance(value, dict) else {"": value}
            for inner, found in named.items():
                field = f"{name}/{inner}" if inner else name
                fields.setdefault(field, []).append(found)
    return fields


def wrong_lineage_conditions() -> Iterator[dict[str, Any]]:
    for name in ("nothing", "metric/", "metric", "user_defined/", "Loss", "id"):
        yield {name: {"eq": 1}}
        yield {"sorted_name": name}
    operands: tuple[Any, ...] = ("x", 1, -1, 1.5, True, None, [], {})
    for operand in operands:
        for name in ("optimizer", "epoch", "loss", "metric/acc", "user_defined/x", "dataset_mark"):
            yield {name: {"eq": operand}}
            yield {name: {"in": operand}}
            yield {name: operand}
        for name in ("limit", "offset", "sorted_name", "sorted_type", "lineage_type"):
            yield {name: operand}
    yield {"optimizer": {"gt": "x"}}
    yield {"loss": {"is": 1}}
    yield {"epoch": {"eq": 2**63}}
    yield from ({"limit": 0}, {"limit": 101}, {"offset": 100_001}, {"offset": -1})
    yield {"sorted_type": "ascending"}
    yield {"sorted_name": "loss", "sorted_type": "up"}
    yield {"lineage_type": {"eq": "x"}}
    yield {"lineage_type": {"gt": "model"}}


def questions_that_note(lineages: Sequence[dict[str, Any]]) -> Iterator[Question]:
    """Tags and remarks, and the lineage that then has them."""
    train_id = lineages[0]["summary_dir"] if lineages else "./nothing"
    for note in (
        *({"tag": tag} for tag in (1, 10, 0, -1, 11, "1", 1.5, None)),
        *({"remark": remark} for remark in ("good", "", "x" * 128, "x" * 129, 1, None)),
        *({"tag": 3, "remark": "second"}, {}, {"nothing": 1}, [], "x", 1),
    ):
        yield post(LINEAGES, note, "PUT", train_id=train_id)
        yield post(LINEAGES, {"summary_dir": {"eq": train_id}})
    for other in ("./nothing", "nothing", "./a/b", ""):
        yield post(LINEAGES, {"tag": 1}, "PUT", train_id=other)
    yield post(LINEAGES, b"{", "PUT", train_id=train_id)
    yield post(LINEAGES, b'\xef\xbb\xbf{"tag": 2}', "PUT", train_id=train_id)
    for number in (b"NaN", b"Infinity"):
        yield post(LINEAGES, b'{"tag": %s}' % number, "PUT", train_id=train_id)
    yield post(LINEAGES, {"tag": 1}, "PUT")
    yield post(LINEAGES, {"sorted_name": "tag", "sorted_type": "descending"})
