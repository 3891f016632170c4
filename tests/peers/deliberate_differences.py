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


def _server_error(one: Difference) -> bool:
    return str(one.theirs).startswith("500 ") and not str(one.ours).startswith("5")


def _arguments_first(one: Difference) -> bool:
    return one.theirs in NOT_THERE and one.ours in NOT_AN_ARGUMENT


def _beyond_64_bits(one: Difference) -> bool:
    values = {str(value) for value in one.question.query.values()}
    beyond = {"99999999999999999999", str(2**63)}
    return not beyond.isdisjoint(values) and one.ours == "400 50540002"


def _invalid_json(one: Difference) -> bool:
    is_json_object = isinstance(_body(one), dict)
    return not is_json_object and (one.theirs, one.ours) == ("400 50540003", "400 50540002")


def _tag_of_another_kind(one: Difference) -> bool:
    tag = str(one.question.query.get("tag", ""))
    kind = {
        "/datavisual/scalar/metadata": "/scalar",
        "/datavisual/scalars": "/scalar",
        "/datavisual/image/metadata": "/image",
        "/datavisual/image/single-image": "/image",
        "/datavisual/histograms": "/histogram",
    }.get(one.question.route)
    if kind is None or tag.endswith(kind):
        return False
    not_found = ("400 5054500D", "400 5054500E", "400 5054500F")
    return one.ours in not_found or (
        _is_answer(one.ours) and one.ours["content"] == {"scalars": []}
    )


def _both_tags_of_an_optimized_graph(one: Difference) -> bool:
    query = one.question.query
    return one.theirs == "400 5054500C" and _is_answer(one.ours) and "mode" in query


def _nested_jobs(one: Difference) -> bool:
    train_id = one.question.query.get("train_id")
    return isinstance(train_id, str) and train_id.count("/") > 1


def _errors_per_landscape(one: Difference) -> bool:
    is_landscape = one.question.route == "/datavisual/landscape/landscapes"
    return is_landscape and one.theirs == "400 50545005" and _is_answer(one.ours)


def _longer_queries(one: Difference) -> bool:
    return one.theirs == "400 without code" and len(str(one.question)) > 4000


# ----------------------------------------------------------------------------------------- jobs


def _no_reloading(one: Difference) -> bool:
    return (_key(one), one.theirs, one.ours) == ("load_status", "loading", "loaded")


def _every_job_is_loaded(one: Difference) -> bool:
    if not one.path:
        return str(one.theirs) == "400 50545005" and str(one.ours) != "400 50545005"
    if _key(one) == "cache_status":
        return one.theirs in {"NOT_IN_CACHE", "CACHING"} and one.ours == "CACHED"
    if _key(one) == "error_code":
        return (one.theirs, one.ours) == ("50545005", "50545017")
    if _key(one) == "scalars":
        # While MindInsight loads a job, any tag exists without points.
        return one.ours == [] and all(series["values"] == [] for series in one.theirs)
    return "plugins" in one.path and one.theirs == []


# --------------------------------------------------------------------------------------- values


def _no_sampling(one: Difference) -> bool:
    if one.theirs == "400 50545014":
        return True
    if not isinstance(one.theirs, list) or not isinstance(one.ours, list):
        return False
    if _key(one) not in ("values", "metadatas", "histograms"):
        return False
    ours = {point["step"]: point for point in one.ours}
    return all(
        point["step"] in ours and _without_buckets(point) == _without_buckets(ours[point["step"]])
        for point in one.theirs
    )


def _without_buckets(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point without the values that depend on other points of its series."""
    kept = {name: value for name, value in point.items() if name != "buckets"}
    if isinstance(kept.get("value"), dict):
        kept["value"] = {k: v for k, v in kept["value"].items() if k != "histogram_buckets"}
    return kept


def _bucket_lists(one: Difference) -> bool:
    return _key(one) in ("buckets", "histogram_buckets") and bool(one.theirs and one.ours)


def _noise_is_not_rounded_up(one: Difference) -> bool:
    return (
        _bucket_lists(one)
        and [bucket[:2] for bucket in one.theirs] == [bucket[:2] for bucket in one.ours]
        and all(0 <= t[2] - o[2] <= 1 for t, o in zip(one.theirs, one.ours, strict=True))
    )


def _range_of_the_buckets(one: Difference) -> bool:
    if not _bucket_lists(one) or len(one.theirs) != len(one.ours):
        return False
    (low, _, _), (left, width, _) = one.ours[0], one.theirs[0]
    high, right = (side[-1][0] + side[-1][1] for side in (one.ours, one.theirs))
    noise = width * 1e-6
    # If all values of a step are equal, its bucket extends half a unit to either side.
    return all(-noise <= beyond <= 0.5 + noise for beyond in (left - low, high - right))


def _nothing_finite(one: Difference) -> bool:
    return "statistics" in one.path and (one.theirs, one.ours) == (0.0, None)


def _loss_of_a_landscape(one: Difference) -> bool:
    return one.path[-2:] == ("metadata", "loss") and (one.theirs, one.ours) == (MISSING, None)


def _stable_interval_ids(one: Difference) -> bool:
    return _key(one) == "id" and "intervals" in one.path


# --------------------------------------------------------------------------------------- graphs


def _new_data_types(one: Difference) -> bool:
    theirs, ours = str(one.theirs), str(one.ours)
    for name in NEW_DATA_TYPES:
        ours = ours.replace(f"dtype: {name}\n", "").replace(name, "DT_UNDEFINED")
    return bool(one.path) and theirs == ours


def _hits_below_hits(one: Difference) -> bool:
    if one.path[-2:] != ("content", "nodes") or not one.question.route.endswith("names"):
        return False
    text = str(one.question.query["search"])
    return _cut_below_hits(one.theirs, text) == _cut_below_hits(one.ours, text)


def _cut_below_hits(hits: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """A tree of hits without the nodes below those whose own name contains the text."""
    cut = []
    for hit in hits:
        _, match, behind = hit["name"].lower().rpartition(text.lower())
        is_hit = bool(match) and "/" not in behind
        cut.append(hit | {"nodes": [] if is_hit else _cut_below_hits(hit["nodes"], text)})
    return cut


# -------------------------------------------------------------------------------------- lineage


def _more_conditions(one: Difference) -> bool:
    """`not_in` of numbers, longer pages, empty names."""
    text = (one.question.body or b"").decode("utf-8", "replace")
    new = ("not_in", '"limit": 101', '"user_defined/"', '"metric/"')
    return one.theirs == LINEAGE_REFUSED and _is_answer(one.ours) and any(n in text for n in new)


def _in_requires_a_list(one: Difference) -> bool:
    body = _body(one)
    operand = body.get("user_defined/x", {}).get("in") if isinstance(body, dict) else None
    return one.ours == LINEAGE_REFUSED and not isinstance(operand, list)


def _customized_over_all_pages(one: Difference) -> bool:
    return "customized" in one.path and one.theirs == MISSING


def _stable_marks(one: Difference) -> bool:
    """Conditions on marks, and sorting by them; marks in answers are compared as groups."""
    return b'"dataset_mark"' in (one.question.body or b"") and not str(one.ours).startswith("500")


def _last_update(one: Difference) -> bool:
    return _key(one) == "update_time"


def _methods(one: Difference) -> bool:
    unknown_to_it = ("HEAD", "OPTIONS", "PATCH")
    return str(one.theirs).startswith("405") and one.question.method in unknown_to_it


def _sizes_and_weights(one: Difference) -> bool:
    return "operations" in one.path and _key(one) in ("size", "weights")


def _importances_ignore_lineage_type(one: Difference) -> bool:
    body = _body(one)
    return one.question.route == "/optimizer/targets/search" and "lineage_type" in (body or {})


def _rounding_of_importances(one: Difference) -> bool:
    return _key(one) == "hyper_parameters" and _in_order(one.theirs) == _in_order(one.ours)


def _in_order(parameters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rounded = [one | {"importance": round(one["importance"], 12)} for one in parameters]
    return sorted(rounded, key=lambda one: (-one["importance"], one["name"]))


DELIBERATE: Mapping[str, Covers] = {
    "no unexpected errors": _server_error,
    "methods": _methods,
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
