"""Routes for graphs: scopes, search, and our own simplified form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes, job_version
from mindviz.backend.schemas import IntegerField, LenientQuery, StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.graph.graph import Graph, Hit
from mindviz.datavisual.graph.node import Edge, Node
from mindviz.datavisual.graph.node_costs import graph_costs
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.graph.scope_order import Stack
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge

contract = Routes()
own = Routes()

MAX_HITS = 1000
MAX_NODES_BYTES = 128 * 1024 * 1024
"""Approximate JSON size of the nodes in one response; nodes repeat the names of their neighbors."""


class _GraphArguments:
    """A mixin for queries: one graph of a train job."""

    train_id = text(required=True)
    tag = text(empty=True, about="As listed; default the first graph.")
    mode = text(choices=("normal", "optimize"), default="normal")


class GraphQuery(_GraphArguments, LenientQuery):
    """One graph of a train job, in the contract's routes."""


class ScopeQuery(GraphQuery):
    """One scope of a graph."""

    name = text(empty=True, about="The full path; default the root.")


class NodeQuery(GraphQuery):
    """One node of a graph."""

    name = text(required=True, about="The full path.")


class NodeNamesQuery(GraphQuery):
    """Nodes by a part of their names."""

    search = text(empty=True, default="", about="Part of the name.")
    offset = IntegerField(minimum=0, load_default=0, about="Number of the page.")
    limit = IntegerField(minimum=1, maximum=MAX_HITS, load_default=100, about="Nodes per page.")


class OwnGraphQuery(_GraphArguments, StrictQuery):
    """One graph of a train job."""


class ScopePartQuery(OwnGraphQuery):
    """A part of a scope."""

    name = text(empty=True, about="The full path of the scope; default the root.")
    first = IntegerField(minimum=1, load_default=1, about="Position of the first node, from 1.")
    last = IntegerField(minimum=1, load_default=None, about="Position of the last node.")
    find = text(empty=True, about="A node below the scope whose position is reported, too.")


class GraphTagsQuery(StrictQuery):
    """The graphs of a train job."""

    train_id = text(required=True)


@contract.get("/datavisual/graphs/nodes", ScopeQuery, version=job_version)
def read_graph_nodes(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The nodes of a scope."""
    return {"nodes": node_items(_graph(services, query).children(query["name"] or ""))}


@contract.get("/datavisual/graphs/nodes/names", NodeNamesQuery, version=job_version)
def search_graph_nodes(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Nodes whose names contain a text, as a tree of their scopes."""
    graph = _graph(services, query, allow_empty=True)
    hits = graph.search(query["search"], offset=query["offset"], limit=query["limit"])
    return {"nodes": hit_items(hits)}


@contract.get("/datavisual/graphs/single-node", NodeQuery, version=job_version)
def read_graph_path(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The nodes of each scope that contains a node, outermost first."""
    layers: dict[str, Any] = {}
    graph = _graph(services, query)
    for scope in reversed(graph.scopes_around(query["name"])):
        layers = {
            "nodes": node_items(graph.children(scope.name)),
            "scope_name": scope.name,
            "children": layers,
        }
    return layers


@contract.get("/datavisual/graphs/nodes/all", ScopeQuery, version=job_version)
def read_all_graph_nodes(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """All leaf nodes in and below a scope."""
    return {"all_nodes_detail": node_items(_graph(services, query).leaves(query["name"] or ""))}


@own.get("/graphs/tags", GraphTagsQuery)
def read_graph_tags(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The graphs of a train job, with their kinds."""
    graphs = services.graphs.tags(query["train_id"])
    items = [{"tag": graph.tag, "kind": graph.kind} for graph in graphs]
    return {"train_id": query["train_id"], "tags": items}


@own.get("/graphs/summary", OwnGraphQuery, version=job_version)
def read_graph_summary(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """How many nodes a graph has, and whether its optimized view differs."""
    graph = _own_graph(services, query)
    optimized = _own_graph(services, {**query, "mode": "optimize"})
    names, others = ({node.name for node in one.nodes} for one in (graph, optimized))
    return {"nodes": len(graph.nodes), "optimizable": names != others}


@own.get("/graphs/scope", ScopePartQuery, version=job_version)
def read_graph_scope(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The nodes of a scope, or stacks of nodes if there are many."""
    graph, name = _own_graph(services, query), query["name"] or ""
    node = graph.node(query["find"]) if query["find"] else None
    part = graph.order(name).part(query["first"], query["last"], node)
    return {
        "name": name,
        "total": part.total,
        "nodes": node_items(part.nodes),
        "stacks": [stack_item(stack) for stack in part.stacks],
        "places": part.places,
        "structures": {
            node.name: graph.structures[node] for node in part.nodes if node in graph.structures
        },
    }


@own.get("/graphs/costs", OwnGraphQuery, version=job_version)
def read_graph_costs(services: Services, query: dict[str, Any]) -> Mapping[str, object]:
    """Device and run time of nodes as far as logged, as columns."""
    return graph_costs(_own_graph(services, query))


@own.get("/graphs/plain", OwnGraphQuery, version=job_version)
def read_plain_graph(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """A whole graph: nodes with their scopes, and edges between node indices."""
    return plain_graph(_own_graph(services, query, allow_empty=False))


def _graph(services: Services, query: Mapping[str, Any], *, allow_empty: bool = False) -> Graph:
    """The graph. In most of the contract's routes, a graph without nodes does not exist."""
    optimized = query["mode"] == "optimize"
    return services.graphs.graph(
        query["train_id"], query["tag"], optimized=optimized, allow_empty=allow_empty
    )


def _own_graph(services: Services, query: Mapping[str, Any], *, allow_empty: bool = True) -> Graph:
    services.store.train_job(query["train_id"])  # report a missing job before a missing tag
    return _graph(services, query, allow_empty=allow_empty)


def stack_item(stack: Stack) -> dict[str, Any]:
    """A stack with its inputs."""
    return {
        "first": stack.first,
        "last": stack.last,
        "series": stack.series,
        "independent_layout": stack.independent,
        "source": [[place, _edge_type(control=flag)] for place, flag in stack.sources.items()],
        "input": _proxy_items(stack.inputs),
    }


def node_items(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    """Nodes in the contract's form. Raises AnswerTooLarge, DeadlineExceeded."""
    edges: _EdgeItems = {}
    items: list[dict[str, Any]] = []
    size = 0
    for node in nodes:
        check()
        size += _edges_size(node.inputs, edges) + _edges_size(node.outputs, edges)
        if size > MAX_NODES_BYTES:
            raise AnswerTooLarge(f"The edges of these nodes exceed {MAX_NODES_BYTES >> 20} MiB.")
        items.append(_node_item(node, edges))
    return items


_EdgeItems = dict[int, tuple[dict[str, Any], int]]
"""id of an edge -> (item, size of its JSON); equal edges are the same object."""


def _edges_size(ends: Mapping[str, Edge], known: _EdgeItems) -> int:
    return sum(len(name) + _edge_item(edge, known)[1] for name, edge in ends.items())


def _edge_item(edge: Edge, known: _EdgeItems) -> tuple[dict[str, Any], int]:
    entry = known.get(id(edge))
    if entry is None:
        item = {
            "shape": edge.shapes,
            "edge_type": _edge_type(control=edge.control),
            "independent_layout": edge.independent,
            "data_type": edge.data_type,
        }
        known[id(edge)] = entry = item, len(to_json(item))
    return entry


def _node_item(node: Node, edges: _EdgeItems) -> dict[str, Any]:
    return {
        "name": node.name,
        "type": node.type,
        "is_dynamic_shape_node": node.dynamic,
        "attr": node.attributes(),
        "input": {name: _edge_item(edge, edges)[0] for name, edge in node.inputs.items()},
        "output": {name: _edge_item(edge, edges)[0] for name, edge in node.outputs.items()},
        "output_i": node.output_index,
        "proxy_input": _proxy_items(node.proxy_inputs),
        "proxy_output": _proxy_items(node.proxy_outputs),
        "subnode_count": len(node.children),
        "independent_layout": node.independent,
        "stack_info": [],  # not in logs
    }


def _proxy_items(proxies: Mapping[str, bool]) -> dict[str, Any]:
    return {name: {"edge_type": _edge_type(control=control)} for name, control in proxies.items()}


def _edge_type(*, control: bool) -> str:
    return "control" if control else "data"


def hit_items(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """Hits as a tree, in the contract's form."""
    return [
        {
            "name": hit.node.name,
            "type": hit.node.type,
            "is_dynamic_shape_node": hit.dynamic,
            "nodes": hit_items(hit.below),
        }
        for hit in hits
    ]
