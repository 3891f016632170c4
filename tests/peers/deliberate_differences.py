"""Deliberate differences from MindInsight, as predicates.

docs/mindinsight-compatibility.md gives the reason of each under its name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.peers.contract_differences import MISSING, Difference

Covers = Callable[[Difference], bool]

NOT_AN_ARGUMENT = ("400 50540001", "400 50540002", "400 50540003")
NOT_THERE = ("400 50545005", "400 5054500C", "400 5054500D", "400 50545014")
NEW_DATA_TYPES = ("DT_BFLOAT16", "DT_COMPLEX64", "DT_COMPLEX128", "DT_INT4", "DT_SLICE")
LINEAGE_REFUSED = "400 50542218"


def deliberate(difference: Difference) -> str | None:
    """The name of the deliberate difference that covers this one, or None."""
    return next((name for name, covers in DELIBERATE.items() if covers(difference)), None)


def _is_answer(outcome: Any) -> bool:
    return isinstance(outcome, dict)


def _body(difference: Difference) -> Any:
    try:
        return json.loads(difference.question.body or b"{}")
    except ValueError:
        return None


def _key(difference: Difference) -> str | int | None:
    return difference.path[-1] if difference.path else None


# ------------------------------------------------------------------------------------ outcomes


def _server_error(diff: Difference) -> bool:
    return str(diff.theirs).startswith("500 ") and not str(diff.ours).startswith("5")


def _arguments_first(diff: Difference) -> bool:
    return diff.theirs in NOT_THERE and diff.ours in NOT_AN_ARGUMENT


def _beyond_64_bits(diff: Difference) -> bool:
    values = {str(value) for value in diff.question.query.values()}
    beyond = {"99999999999999999999", str(2**63)}
    return not beyond.isdisjoint(values) and diff.ours == "400 50540002"


def _invalid_json(diff: Difference) -> bool:
    is_json_object = isinstance(_body(diff), dict)
    return not is_json_object and (diff.theirs, diff.ours) == ("400 50540003", "400 50540002")


def _tag_of_another_kind(diff: Difference) -> bool:
    tag = str(diff.question.query.get("tag", ""))
    kind = {
        "/datavisual/scalar/metadata": "/scalar",
        "/datavisual/scalars": "/scalar",
        "/datavisual/image/metadata": "/image",
        "/datavisual/image/single-image": "/image",
        "/datavisual/histograms": "/histogram",
    }.get(diff.question.route)
    if kind is None or tag.endswith(kind):
        return False
    not_found = ("400 5054500D", "400 5054500E", "400 5054500F")
    return diff.ours in not_found or (
        _is_answer(diff.ours) and diff.ours["content"] == {"scalars": []}
    )


def _both_tags_of_an_optimized_graph(diff: Difference) -> bool:
    query = diff.question.query
    return diff.theirs == "400 5054500C" and _is_answer(diff.ours) and "mode" in query


def _nested_jobs(diff: Difference) -> bool:
    train_id = diff.question.query.get("train_id")
    return isinstance(train_id, str) and train_id.count("/") > 1


def _errors_per_landscape(diff: Difference) -> bool:
    is_landscape = diff.question.route == "/datavisual/landscape/landscapes"
    return is_landscape and diff.theirs == "400 50545005" and _is_answer(diff.ours)


def _longer_queries(diff: Difference) -> bool:
    return diff.theirs == "400 without code" and len(str(diff.question)) > 4000


# ----------------------------------------------------------------------------------------- jobs


def _no_reloading(diff: Difference) -> bool:
    return (_key(diff), diff.theirs, diff.ours) == ("load_status", "loading", "loaded")


def _every_job_is_loaded(diff: Difference) -> bool:
    if not diff.path:
        return str(diff.theirs) == "400 50545005" and str(diff.ours) != "400 50545005"
    if _key(diff) == "cache_status":
        return diff.theirs in {"NOT_IN_CACHE", "CACHING"} and diff.ours == "CACHED"
    if _key(diff) == "error_code":
        return (diff.theirs, diff.ours) == ("50545005", "50545017")
    if _key(diff) == "scalars":
        # While MindInsight loads a job, any tag exists without points.
        return diff.ours == [] and all(series["values"] == [] for series in diff.theirs)
    return "plugins" in diff.path and diff.theirs == []


# --------------------------------------------------------------------------------------- values


def _no_sampling(diff: Difference) -> bool:
    if diff.theirs == "400 50545014":
        return True
    if not isinstance(diff.theirs, list) or not isinstance(diff.ours, list):
        return False
    if _key(diff) not in ("values", "metadatas", "histograms"):
        return False
    ours = {point["step"]: point for point in diff.ours}
    return all(
        point["step"] in ours and _without_buckets(point) == _without_buckets(ours[point["step"]])
        for point in diff.theirs
    )


def _without_buckets(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point without the values that depend on other points of its series."""
    kept = {name: value for name, value in point.items() if name != "buckets"}
    if isinstance(kept.get("value"), dict):
        kept["value"] = {k: v for k, v in kept["value"].items() if k != "histogram_buckets"}
    return kept


def _bucket_lists(diff: Difference) -> bool:
    return _key(diff) in ("buckets", "histogram_buckets") and bool(diff.theirs and diff.ours)


def _noise_is_not_rounded_up(diff: Difference) -> bool:
    return (
        _bucket_lists(diff)
        and [bucket[:2] for bucket in diff.theirs] == [bucket[:2] for bucket in diff.ours]
        and all(0 <= t[2] - o[2] <= 1 for t, o in zip(diff.theirs, diff.ours, strict=True))
    )


def _range_of_the_buckets(diff: Difference) -> bool:
    if not _bucket_lists(diff) or len(diff.theirs) != len(diff.ours):
        return False
    (low, _, _), (left, width, _) = diff.ours[0], diff.theirs[0]
    high, right = (side[-1][0] + side[-1][1] for side in (diff.ours, diff.theirs))
    noise = width * 1e-6
    # If all values of a step are equal, its bucket extends half a unit to either side.
    return all(-noise <= beyond <= 0.5 + noise for beyond in (left - low, high - right))


def _nothing_finite(diff: Difference) -> bool:
    return "statistics" in diff.path and (diff.theirs, diff.ours) == (0.0, None)


def _loss_of_a_landscape(diff: Difference) -> bool:
    return diff.path[-2:] == ("metadata", "loss") and (diff.theirs, diff.ours) == (MISSING, None)


def _stable_interval_ids(diff: Difference) -> bool:
    return _key(diff) == "id" and "intervals" in diff.path


# --------------------------------------------------------------------------------------- graphs


def _new_data_types(diff: Difference) -> bool:
    theirs, ours = str(diff.theirs), str(diff.ours)
    for name in NEW_DATA_TYPES:
        ours = ours.replace(f"dtype: {name}\n", "").replace(name, "DT_UNDEFINED")
    return bool(diff.path) and theirs == ours


def _hits_below_hits(diff: Difference) -> bool:
    if diff.path[-2:] != ("content", "nodes") or not diff.question.route.endswith("names"):
        return False
    text = str(diff.question.query["search"])
    return _cut_below_hits(diff.theirs, text) == _cut_below_hits(diff.ours, text)


def _cut_below_hits(hits: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """A tree of hits without the nodes below those whose own name contains the text."""
    cut = []
    for hit in hits:
        _, match, behind = hit["name"].lower().rpartition(text.lower())
        is_hit = bool(match) and "/" not in behind
        cut.append(hit | {"nodes": [] if is_hit else _cut_below_hits(hit["nodes"], text)})
    return cut


# -------------------------------------------------------------------------------------- lineage


def _more_conditions(diff: Difference) -> bool:
    """`not_in` of numbers, longer pages, empty names."""
    text = (diff.question.body or b"").decode("utf-8", "replace")
    new = ("not_in", '"limit": 101', '"user_defined/"', '"metric/"')
    return diff.theirs == LINEAGE_REFUSED and _is_answer(diff.ours) and any(n in text for n in new)


def _in_requires_a_list(diff: Difference) -> bool:
    body = _body(diff)
    operand = body.get("user_defined/x", {}).get("in") if isinstance(body, dict) else None
    return diff.ours == LINEAGE_REFUSED and not isinstance(operand, list)


def _customized_over_all_pages(diff: Difference) -> bool:
    return "customized" in diff.path and diff.theirs == MISSING


def _stable_marks(diff: Difference) -> bool:
    """Conditions on marks, and sorting by them; marks in answers are compared as groups."""
    return b'"dataset_mark"' in (diff.question.body or b"") and not str(diff.ours).startswith("500")


def _created(diff: Difference) -> bool:
    return _key(diff) == "create_time" and str(diff.ours) < str(diff.theirs)


def _last_update(diff: Difference) -> bool:
    return _key(diff) == "update_time"


def _methods(diff: Difference) -> bool:
    unknown_to_it = ("HEAD", "OPTIONS", "PATCH")
    return str(diff.theirs).startswith("405") and diff.question.method in unknown_to_it


def _sizes_and_weights(diff: Difference) -> bool:
    return "operations" in diff.path and _key(diff) in ("size", "weights")


def _importances_ignore_lineage_type(diff: Difference) -> bool:
    body = _body(diff)
    return diff.question.route == "/optimizer/targets/search" and "lineage_type" in (body or {})


def _rounding_of_importances(diff: Difference) -> bool:
    return _key(diff) == "hyper_parameters" and _in_order(diff.theirs) == _in_order(diff.ours)


def _in_order(parameters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rounded = [item | {"importance": round(item["importance"], 12)} for item in parameters]
    return sorted(rounded, key=lambda item: (-item["importance"], item["name"]))


DELIBERATE: Mapping[str, Covers] = {
    "no unexpected errors": _server_error,
    "methods": _methods,
    "created": _created,
    "last update": _last_update,
    "stable marks": _stable_marks,
    "nested jobs": _nested_jobs,
    "longer queries": _longer_queries,
    "errors per landscape": _errors_per_landscape,
    "arguments are checked first": _arguments_first,
    "64 bits": _beyond_64_bits,
    "invalid JSON": _invalid_json,
    "a tag has one kind": _tag_of_another_kind,
    "both tags of an optimized graph": _both_tags_of_an_optimized_graph,
    "no reloading": _no_reloading,
    "every job is loaded": _every_job_is_loaded,
    "no sampling": _no_sampling,
    "noise is not rounded up": _noise_is_not_rounded_up,
    "range of the buckets": _range_of_the_buckets,
    "no finite elements": _nothing_finite,
    "loss of a landscape": _loss_of_a_landscape,
    "stable interval ids": _stable_interval_ids,
    "new data types": _new_data_types,
    "hits below hits": _hits_below_hits,
    "more conditions": _more_conditions,
    "in requires a list": _in_requires_a_list,
    "customized over all pages": _customized_over_all_pages,
    "sizes and weights": _sizes_and_weights,
    "importances ignore lineage_type": _importances_ignore_lineage_type,
    "rounding of importances": _rounding_of_importances,
}
"""Name -> predicate; the first match counts."""
