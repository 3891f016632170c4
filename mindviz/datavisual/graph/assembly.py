"""Builds a Graph from a draft: copies parameters and constants, aggregates nodes, creates scopes.

The rules are MindInsight's, so that its clients see the same scopes. No step recurses or follows
edges, so cycles and dangling edges need no special treatment.
"""

from __future__ import annotations

from mindviz.datavisual.graph.draft import GraphDraft, Leaf, check_edges
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.node import (
    AGGREGATION_SCOPE,
    CONSTANT,
    NAME_SCOPE,
    PARAMETER,
    Node,
    joined_name,
    shown_name,
    split_name,
)
from mindviz.datavisual.graph.wiring import Wiring

AGGREGATED_FROM = 5
"""Number of nodes of one type in a scope from which they are aggregated."""


def assembled(draft: GraphDraft, *, aggregated_from: int = AGGREGATED_FROM) -> Graph:
    """The graph of a draft. Raises AnswerTooLarge, DeadlineExceeded."""
    check_edges(
        sum(
            len(leaf.inputs)
            for leaves in (draft.operators, draft.parameters, draft.constants)
            for leaf in leaves.values()
        )
    )
    draft.mark_dynamic()
    return _Assembly(draft, aggregated_from).graph()


class _Assembly:
    def __init__(self, draft: GraphDraft, aggregated_from: int) -> None:
        self._draft = draft
        self._aggregated_from = aggregated_from
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}
        """Last suffix used for each taken name."""
        self._homes: dict[Node, str] = {}
        """Scope name of each node."""
        self._root = Node("", NAME_SCOPE)
        self._scopes: dict[str, Node] = {"": self._root}

    def graph(self) -> Graph:
        """Run all steps."""
        operators = {key: self._operator(leaf) for key, leaf in self._draft.operators.items()}
        copies = self._copies(operators, self._draft.parameters)
        wiring = Wiring(self._draft, operators, copies, dict(self._homes))
        singles, groups = self._grouped([*operators.values(), *copies.values()])
        members = [member for group in groups for member in group.children]
        leaves = [*singles, *members]
        name_scopes = self._make_scopes(leaves)
        self._step_aside(leaves)
        keys = {node: key for key, node in operators.items()}
        in_order = {keys[leaf]: leaf for leaf in leaves if leaf in keys}
        constants = self._copies(in_order, self._draft.constants)
        for node in (*singles, *groups, *name_scopes, *constants.values()):
            self._scopes[self._homes[node]].children.append(node)
        for node in (*leaves, *constants.values()):
            node.path = self._scopes[self._homes[node]].path
        wiring.connect(in_order, constants, self._homes)
        wiring.add_proxies([group for group in groups if group.independent])
        gathered = [
            node
            for group in groups
            for node in (*(n for n in group.children if n.type != CONSTANT), group)
        ]
        return Graph(self._root, [*singles, *gathered, *name_scopes, *constants.values()])

    def _operator(self, leaf: Leaf) -> Node:
        name = shown_name(leaf.name)
        scope, rest = split_name(name)
        return self._placed(leaf, scope, name if scope else rest)

    def _placed(self, leaf: Leaf, scope: str, name: str) -> Node:
        node = Node(
            self._claimed(name),
            leaf.type,
            leaf.shapes,
            leaf.data_type,
            leaf.attributes,
            leaf.dynamic,
            leaf.output_index,
        )
        self._homes[node] = scope
        return node

    def _claimed(self, name: str) -> str:
        """The name, with a number appended if it is taken."""
        claimed = name
        while claimed in self._names or claimed in self._scopes:
            self._numbers[name] = number = self._numbers.get(name, 0) + 1
            claimed = f"{name}({number})"
        self._names.add(claimed)
        return claimed

    def _copies(
        self, consumers: dict[str, Node], originals: dict[str, Leaf]
    ) -> dict[tuple[str, str], Node]:
        """Copies by (scope, key), one per scope that uses the original, in order of use."""
        copies: dict[tuple[str, str], Node] = {}
        operators, draft = self._draft.operators, self._draft
        shared = {
            source: original
            for source, original in originals.items()
            if draft.source(source) is original
        }
        uses_none = shared.keys().isdisjoint
        for key, consumer in consumers.items() if shared else ():
            inputs = operators[key].inputs
            if uses_none(inputs):
                continue
            scope = self._homes[consumer]
            for source in inputs:
                original = shared.get(source)
                if original is not None and (scope, source) not in copies:
                    # Directly in this scope, even if its name contains slashes.
                    name = joined_name(scope, shown_name(original.name))
                    copies[scope, source] = self._placed(original, scope, name)
        return copies

    def _grouped(self, leaves: list[Node]) -> tuple[list[Node], list[Node]]:
        """Nodes that stay in place, and aggregation scopes for the others."""
        alike: dict[tuple[str, str], list[Node]] = {}
        for leaf in leaves:
            if leaf.type != CONSTANT:
                alike.setdefault((self._homes[leaf], leaf.type), []).append(leaf)
        groups: list[Node] = []
        gathered: set[Node] = set()
        for (home, kind), members in alike.items():
            if len(members) < self._aggregated_from:
                continue
            kind_of_name = f"{shown_name(kind)}[{len(members)}]_{len(groups)}".replace("/", "_")
            name = self._claimed(joined_name(home, kind_of_name))
            group = Node(name, AGGREGATION_SCOPE, independent=kind == PARAMETER)
            self._homes[group] = home
            self._scopes[name] = group
            for member in members:
                rest = member.name.removeprefix(home).removeprefix("/")
                member.name = self._claimed(f"{name}/{rest}")
                member.independent = group.independent
                self._homes[member] = name
            group.children = members
            groups.append(group)
            gathered.update(members)
        return [leaf for leaf in leaves if leaf not in gathered], groups

    def _make_scopes(self, leaves: list[Node]) -> list[Node]:
        """Scopes for all home paths, outer scopes first."""
        created: list[Node] = []
        for home in dict.fromkeys(self._homes[leaf] for leaf in leaves):
            scope = self._scopes.get(home)
            if scope is None:
                self._make_scope(home, created)
            elif scope.type == AGGREGATION_SCOPE and not scope.path:
                scope.path = (*self._make_scope(self._homes[scope], created).path, scope)
        return created

    def _make_scope(self, name: str, created: list[Node]) -> Node:
        """The scope of this name; a new one and its parents are added to `made`."""
        missing = []
        while name not in self._scopes:
            missing.append(name)
            name = name.rpartition("/")[0]
        scope = self._scopes[name]
        for inner in reversed(missing):
            outer, scope = scope, Node(inner, NAME_SCOPE)
            scope.path = (*outer.path, scope)
            self._scopes[inner] = scope
            self._homes[scope] = outer.name
            created.append(scope)
        return scope

    def _step_aside(self, leaves: list[Node]) -> None:
        """Put node names that equal a scope's name in brackets."""
        for leaf in leaves:
            if leaf.name in self._scopes:
                home = self._homes[leaf]
                rest = f"({leaf.name.removeprefix(home).removeprefix('/')})"
                while (name := joined_name(home, rest)) in self._names or name in self._scopes:
                    rest = f"({rest})"
                self._names.add(name)
                leaf.name = name
