"""Routes about graphs: their scopes, nodes by name, and a plain form of our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Response

from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, LenientQuery, StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.graph.graph import Graph, Hit
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.graph.node import Edge, Node
from mindviz.datavisual.graph.node_costs import graph_costs
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.graph.scope_order import Stack
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge

MODES = ("normal", "optimize")
MAX_HITS = 1000
MAX_NODES_BYTES = 128 * 1024 * 1024
"""Of the JSON of nodes in one answer, about. A node repeats the names at the ends of its edges."""


class GraphQuery(LenientQuery):
    """One graph of a train job."""

    train_id = text(required=True)
    tag = text(empty=True, about="As listed; the first graph by default.")
    mode = text(choices=MODES, default="normal")


class ScopeQuery(GraphQuery):
    """One scope of a graph."""

    name = text(empty=True, about="The whole path; the root by default.")


class NodeQuery(GraphQuery):
    """One node of a graph."""

    name = text(required=True, about="The whole path.")


class NodeNamesQuery(GraphQuery):
    """Nodes by what their names hold."""

    search = text(empty=True, default="", about="Part of the name.")
    offset = IntegerField(
        minimum=0, load_default=0, metadata={"description": "Number of the page."}
    )
    limit = IntegerField(
        minimum=1, maximum=MAX_HITS, load_default=100, metadata={"description": "Nodes per page."}
    )


class OwnGraphQuery(StrictQuery):
    """One graph of a train job."""

    train_id = text(required=True)
    tag = text(empty=True, about="As listed; the first graph by default.")
    mode = text(choices=MODES, default="normal")


class ScopePartQuery(OwnGraphQuery):
    """Some of what stands in a scope of a graph."""

    name = text(empty=True, about="The scope's whole path; the root by default.")
    first = IntegerField(
        minimum=1, load_default=1, metadata={"description": "Place of the first node, from 1."}
    )
    last = IntegerField(
        minimum=1, load_default=None, metadata={"description": "Of the last; all by default."}
    )
    find = text(empty=True, about="A node below the scope: its place is answered, too.")


class GraphTagsQuery(StrictQuery):
    """The graphs of a train job."""

    train_id = text(required=True)


def add_routes(routes: Routes, services: Services) -> None:
    """Add the contract's routes of this module."""
    responses, graphs = services.responses, services.graphs

    @routes.get("/datavisual/graphs/nodes", ScopeQuery)
    def read_graph_nodes(query: dict[str, Any]) -> Response:
        """The nodes that stand in a scope."""
        version = responses.versions([query["train_id"]])

        def make() -> bytes:
            children = _graph(graphs, query).children(query["name"] or "")
            return to_json({"nodes": node_items(children)})

        return responses.cached(version, make)

    @routes.get("/datavisual/graphs/nodes/names", NodeNamesQuery)
    def search_graph_nodes(query: dict[str, Any]) -> Response:
        """Nodes whose name holds a text, as a tree of the scopes that lead to them."""
        version = responses.versions([query["train_id"]])

        def make() -> bytes:
            hits = _even_empty_graph(graphs, query).search(
                query["search"], offset=query["offset"], limit=query["limit"]
            )
            return to_json({"nodes": hit_items(hits)})

        return responses.cached(version, make)

    @routes.get("/datavisual/graphs/single-node", NodeQuery)
    def read_graph_path(query: dict[str, Any]) -> Response:
        """All that stands in each of the scopes around a node, the outermost first."""
        version = responses.versions([query["train_id"]])

        def make() -> bytes:
            layers: dict[str, Any] = {}
            graph = _graph(graphs, query)
            for scope in reversed(graph.scopes_around(query["name"])):
                layers = {
                    "nodes": node_items(graph.children(scope.name)),
                    "scope_name": scope.name,
                    "children": layers,
                }
            return to_json(layers)

        return responses.cached(version, make)

    @routes.get("/datavisual/graphs/nodes/all", ScopeQuery)
    def read_all_graph_nodes(query: dict[str, Any]) -> Response:
        """All nodes in and below a scope that hold no others."""
        version = responses.versions([query["train_id"]])

        def make() -> bytes:
            leaves = _graph(graphs, query).leaves(query["name"] or "")
            return to_json({"all_nodes_detail": node_items(leaves)})

        return responses.cached(version, make)


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add our own routes of this module."""
    responses, graphs = services.responses, services.graphs

    @routes.get("/graphs/tags", GraphTagsQuery)
    def read_graph_tags(query: dict[str, Any]) -> Response:
        """The graphs of a train job, and of what kind each is."""
        found = graphs.tags(query["train_id"])
        items = [{"tag": one.tag, "kind": one.kind} for one in found]
        return responses.uncached(to_json({"train_id": query["train_id"], "tags": items}))

    @routes.get("/graphs/scope", ScopePartQuery)
    def read_graph_scope(query: dict[str, Any]) -> Response:
        """What stands in a scope: its nodes or, where they are many, stacks of them."""
        services.store.train_job(query["train_id"])
        version = responses.versions([query["train_id"]])
        return responses.cached(
            version, lambda: to_json(scope_items(_even_empty_graph(graphs, query), query))
        )

    @routes.get("/graphs/costs", OwnGraphQuery)
    def read_graph_costs(query: dict[str, Any]) -> Response:
        """Where nodes ran and how long, of all that the log says it of, as columns."""
        services.store.train_job(query["train_id"])
        version = responses.versions([query["train_id"]])
        return responses.cached(
            version, lambda: to_json(graph_costs(_even_empty_graph(graphs, query)))
        )

    @routes.get("/graphs/plain", OwnGraphQuery)
    def read_plain_graph(query: dict[str, Any]) -> Response:
        """A whole graph as nodes with their scopes, and edges between their indices."""
        services.store.train_job(query["train_id"])
        version = responses.versions([query["train_id"]])
        return responses.cached(version, lambda: to_json(plain_graph(_graph(graphs, query))))


def _graph(graphs: LoggedGraphs, query: Mapping[str, Any]) -> Graph:
    return graphs.graph(query["train_id"], query["tag"], optimized=query["mode"] == "optimize")


def _even_empty_graph(graphs: LoggedGraphs, query: Mapping[str, Any]) -> Graph:
    """For our own routes, and for a search; to the contract's others one without nodes is none."""
    optimized = query["mode"] == "optimize"
    return graphs.graph(query["train_id"], query["tag"], optimized=optimized, empty_too=True)


def scope_items(graph: Graph, query: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a scope."""
    name = query["name"] or ""
    wanted = graph.node(query["find"]) if query["find"] else None
    part = graph.order(name).part(query["first"], query["last"], wanted)
    return {
        "name": name,
        "total": part.total,
        "nodes": node_items(part.nodes),
        "stacks": [stack_item(stack) for stack in part.stacks],
        "places": part.places,
    }


def stack_item(stack: Stack) -> dict[str, Any]:
    """A stack, with what enters it."""
    return {
        "first": stack.first,
        "last": stack.last,
        "independent_layout": stack.independent,
        "source": [[place, _edge_type(control=one)] for place, one in stack.sources.items()],
        "input": _proxy_items(stack.inputs),
    }


def node_items(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    """Nodes as the contract has them. Raises AnswerTooLarge, DeadlineExceeded."""
    edges: _EdgeItems = {}
    items: list[dict[str, Any]] = []
    size = 0
    for node in nodes:
        check()
        size += _edges_size(node.inputs, edges) + _edges_size(node.outputs, edges)
        if size > MAX_NODES_BYTES:
            raise AnswerTooLarge(
                f"The edges of these nodes take more than {MAX_NODES_BYTES >> 20} MiB."
            )
        items.append(_node_item(node, edges))
    return items


_EdgeItems = dict[int, tuple[dict[str, Any], int]]
"""Items and their bytes as JSON, by identity of the edge: edges that are alike are one."""


def _edges_size(ends: Mapping[str, Edge], known: _EdgeItems) -> int:
    """Bytes of the JSON, about."""
    return sum(len(name) + _edge_item(edge, known)[1] for name, edge in ends.items())


def _edge_item(edge: Edge, known: _EdgeItems) -> tuple[dict[str, Any], int]:
    found = known.get(id(edge))
    if found is None:
        item = {
            "shape": edge.shapes,
            "edge_type": _edge_type(control=edge.control),
            "independent_layout": edge.independent,
            "data_type": edge.data_type,
        }
        known[id(edge)] = found = item, len(to_json(item))
    return found


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
        # Logs don't say where in a program a node comes from.
        "stack_info": [],
    }


def _proxy_items(proxies: Mapping[str, bool]) -> dict[str, Any]:
    return {name: {"edge_type": _edge_type(control=control)} for name, control in proxies.items()}


def _edge_type(*, control: bool) -> str:
    return "control" if control else "data"


def hit_items(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """A tree of hits as the contract has it; as deep as scopes may be."""
    return [
        {
            "name": hit.node.name,
            "type": hit.node.type,
            "is_dynamic_shape_node": hit.dynamic,
            "nodes": hit_items(hit.below),
        }
        for hit in hits
    ]
