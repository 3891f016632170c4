"""The optimized view: a draft without what training adds to a network, and without plumbing.

The rules are those of MindInsight.
"""

from __future__ import annotations

from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.node import joined_name, shown_name, split_name

AGGREGATED_FROM = 10
"""As in `assembly`, but for this view."""
PLUMBING = frozenset({"Load", "TupleGetItem", "MakeTuple", "UpdateState"})
"""Types that only hand things on: their consumers take from their sources directly."""
MAX_HANDED_ON = 500_000
"""Edges. A chain of plumbing hands on ever more; what lies beyond is left as it is."""


def optimize(draft: GraphDraft) -> None:
    """Turn a draft into its optimized view."""
    draft.mark_dynamic()
    _drop_training(draft)
    _bypass_plumbing(draft)
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


def _bypass_plumbing(draft: GraphDraft) -> None:
    consumers: dict[str, dict[str, None]] = {}
    for key, leaf in draft.operators.items():
        for source in leaf.inputs:
            consumers.setdefault(source, {})[key] = None
    budget = MAX_HANDED_ON
    for key, leaf in list(draft.operators.items()):
        if leaf.type not in PLUMBING:
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
    """Scopes of several operators of one type that they are called after."""
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
