"""The optimized view: a draft without training-only nodes and pass-through nodes.

The rules are MindInsight's.
"""

from __future__ import annotations

from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.node import joined_name, shown_name, split_name

AGGREGATED_FROM = 10
"""As in `assembly`, for this view."""
PASS_THROUGH = frozenset({"Load", "TupleGetItem", "MakeTuple", "UpdateState"})
"""Pass-through types: their consumers are connected to their sources."""
MAX_BYPASSED_EDGES = 500_000
"""Maximum number of edges. Chains of pass-through nodes multiply them; the rest stays as is."""


def optimize(draft: GraphDraft) -> None:
    """Convert a draft to its optimized view."""
    draft.mark_dynamic()
    _drop_training(draft)
    _bypass_pass_through(draft)
    _drop_isolated(draft)
    _dissolve_scopes(draft)


def _drop_training(draft: GraphDraft) -> None:
    for key, leaf in list(draft.operators.items()):
        if (
            leaf.name.startswith("Gradients")
            or "optimizer" in leaf.name
            or "opt" in leaf.instance_name
        ):
            del draft.operators[key]


def _bypass_pass_through(draft: GraphDraft) -> None:
    consumers: dict[str, dict[str, None]] = {}
    for key, leaf in draft.operators.items():
        for source in leaf.inputs:
            consumers.setdefault(source, {})[key] = None
    budget = MAX_BYPASSED_EDGES
    for key, leaf in list(draft.operators.items()):
        if leaf.type not in PASS_THROUGH:
            continue
        fed = consumers.get(key, {})
        budget -= len(fed) * len(leaf.inputs)
        if budget < 0:
            return
        del draft.operators[key]
        for consumer_key in fed:
            consumer = draft.operators.get(consumer_key)
            if consumer is None:
                continue
            consumer.inputs.pop(key, None)
            for source, control in leaf.inputs.items():
                if source != key:
                    consumer.inputs[source] = control
                    consumers.setdefault(source, {})[consumer_key] = None


def _drop_isolated(draft: GraphDraft) -> None:
    fed = {source for leaf in draft.operators.values() for source in leaf.inputs}
    for key, leaf in list(draft.operators.items()):
        if key not in fed and not any(draft.source(source) for source in leaf.inputs):
            del draft.operators[key]


def _dissolve_scopes(draft: GraphDraft) -> None:
    """Name scopes after the one type of operator that they contain several times."""
    inside: dict[str, list[str]] = {}
    around: set[str] = set()
    for key, leaf in draft.operators.items():
        scope = split_name(shown_name(leaf.name))[0]
        if scope not in inside:
            outer = scope
            while (outer := outer.rpartition("/")[0]) and outer not in around:
                around.add(outer)
        inside.setdefault(scope, []).append(key)
    dissolved: dict[str, None] = {}
    for scope, keys in inside.items():
        types = {draft.operators[key].type for key in keys}
        alike = len(types) == 1 and next(iter(types)) in scope
        if len(keys) > 1 and alike and "/" in scope and scope not in around:
            dissolved.update(dict.fromkeys(keys))
    for key in [key for key in draft.operators if key in dissolved]:
        leaf = draft.operators.pop(key)
        scope, rest = split_name(shown_name(leaf.name))
        leaf.name = joined_name(scope.rpartition("/")[0], rest)
        draft.operators[key] = leaf
