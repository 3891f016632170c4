"""Parses a lineage query from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindviz.errors import InvalidLineageQuery, InvalidQuery
from mindviz.expression import Expression
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, FLAGS
from mindviz.lineagemgr.conditions import (
    EVERYTHING,
    OPERATORS,
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Not,
)
from mindviz.lineagemgr.lineage_table import SCALAR_STATISTICS, is_statistic
from mindviz.lineagemgr.query import LINEAGE_TYPES, LineageQuery

DEFAULT_LIMIT = 10
MAX_OFFSET = 100_000
MAX_INTEGER = 2**63 - 1
MAX_DEPTH = 20
"""Of nested groups."""
MAX_COMPARISONS = 1000
MAX_COLUMNS = 1000

_TEXT = ("eq", "in", "not_in", "regex")
_TEXTS = {
    "summary_dir",
    "loss_function",
    "train_dataset_path",
    "test_dataset_path",
    "network",
    "optimizer",
    "dataset_mark",
    "session_status",
    "session_group",
    "remark",
    "notes",
    "colour",
    "group",
}
_COUNTS = {
    "train_dataset_count",
    "test_dataset_count",
    "epoch",
    "batch_size",
    "device_num",
    "model_size",
    "tag",
}
_NUMBERS = {"learning_rate", "loss", "create_time", "update_time"}
_PLAIN = _TEXTS | _COUNTS | _NUMBERS | FLAGS
_NOT_CONDITIONS = {"sorted_name", "sorted_type", "limit", "offset", "lineage_type", "columns"}

assert set(ANNOTATION_FIELDS) <= _PLAIN


def parse_query(body: Any) -> LineageQuery:
    """The query in a decoded JSON body; None selects everything. Raises InvalidLineageQuery."""
    if body is None:
        return LineageQuery()
    if not isinstance(body, dict):
        raise InvalidLineageQuery("A search condition must be a JSON object.")
    conditions = {name: value for name, value in body.items() if name not in _NOT_CONDITIONS}
    limit, offset = _page(body)
    sorted_name = body.get("sorted_name")
    if "sorted_name" in body:
        _check_field(sorted_name, "sorted_name must name a field")
    return LineageQuery(
        condition=_conditions(conditions, _Budget()),
        sorted_name=sorted_name,
        descending=_descending(body),
        limit=limit,
        offset=offset,
        lineage_types=_lineage_types(body.get("lineage_type", {})),
        columns=parse_columns(body.get("columns", [])),
    )


def parse_columns(columns: Any) -> tuple[str, ...]:
    """Columns of scalars, without duplicates. Raises InvalidLineageQuery."""
    if not isinstance(columns, list) or len(columns) > MAX_COLUMNS:
        raise InvalidLineageQuery(f"columns must be a list of at most {MAX_COLUMNS} names.")
    for name in columns:
        if not _is_scalar_column(name):
            raise InvalidLineageQuery(
                f"Invalid column {_quoted(name)}: use scalar/<tag>/{'|'.join(SCALAR_STATISTICS)} "
                "or scalar/<tag>/at_min:<tag> or at_max:<tag>."
            )
    return tuple(dict.fromkeys(columns))


def parse_fields(names: Any, argument: str) -> tuple[str, ...]:
    """Hyperparameters or results, without duplicates. Raises InvalidLineageQuery."""
    if not isinstance(names, list) or len(names) > MAX_COLUMNS:
        raise InvalidLineageQuery(f"{argument} must be a list of at most {MAX_COLUMNS} names.")
    for name in names:
        _check_field(name, f"{argument} must contain names of fields")
        if name in ANNOTATION_FIELDS or name in ("create_time", "update_time"):
            raise InvalidLineageQuery(f"{argument}: {name} is neither logged nor a result.")
    return tuple(dict.fromkeys(names))


def _page(body: Mapping[str, Any]) -> tuple[int | None, int]:
    if "limit" not in body and "offset" not in body:
        return None, 0
    limit, offset = body.get("limit", DEFAULT_LIMIT), body.get("offset", 0)
    for name, number in (("limit", limit), ("offset", offset)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise InvalidLineageQuery(f"{name} must be an integer.")
    if not 0 < limit <= MAX_INTEGER:
        raise InvalidLineageQuery("limit must be positive.")
    if not 0 <= offset <= MAX_OFFSET:
        raise InvalidLineageQuery(f"offset, the page number, must be from 0 to {MAX_OFFSET}.")
    return limit, offset


def _descending(body: Mapping[str, Any]) -> bool:
    order = body.get("sorted_type")
    if "sorted_type" in body and "sorted_name" not in body:
        raise InvalidLineageQuery("sorted_type needs a sorted_name.")
    if order not in (None, "ascending", "descending"):
        raise InvalidLineageQuery("sorted_type must be ascending or descending.")
    return bool(order == "descending")


def _lineage_types(condition: Any) -> frozenset[str]:
    if not isinstance(condition, dict) or not condition.keys() <= {"eq", "in", "not_in"}:
        raise InvalidLineageQuery("lineage_type must be an object with eq, in or not_in.")
    types = frozenset(LINEAGE_TYPES)
    for name, operand in condition.items():
        named = [operand] if name == "eq" else operand
        if not isinstance(named, list) or any(name not in LINEAGE_TYPES for name in named):
            raise InvalidLineageQuery("lineage_type must be dataset or model.")
        types = types - set(named) if name == "not_in" else types & set(named)
    return types


class _Budget:
    """Limits the number of comparisons, and so the work of a query."""

    def __init__(self) -> None:
        self._comparisons = 0

    def spend(self) -> None:
        self._comparisons += 1
        if self._comparisons > MAX_COMPARISONS:
            raise InvalidLineageQuery(f"A query may have at most {MAX_COMPARISONS} comparisons.")


def _conditions(conditions: Any, budget: _Budget, depth: int = 0) -> Condition:
    """Fields and groups that must all match."""
    if not isinstance(conditions, dict):
        raise InvalidLineageQuery("The members of a group must be JSON objects.")
    if depth > MAX_DEPTH:
        raise InvalidLineageQuery(f"Groups may be nested at most {MAX_DEPTH} deep.")
    parts: list[Condition] = []
    for name, operand in conditions.items():
        if name in ("or", "and"):
            if not isinstance(operand, list) or not operand:
                raise InvalidLineageQuery(f"{name} takes a list of conditions.")
            members = tuple(_conditions(member, budget, depth + 1) for member in operand)
            parts.append(AnyOf(members) if name == "or" else AllOf(members))
        elif name == "not":
            parts.append(Not(_conditions(operand, budget, depth + 1)))
        else:
            _check_field(name, "The search attribute is not supported")
            parts += _comparisons(name, operand, budget)
    return AllOf(tuple(parts)) if parts else EVERYTHING


def _comparisons(field: str, condition: Any, budget: _Budget) -> list[Comparison]:
    if not isinstance(condition, dict):
        raise InvalidLineageQuery(f"The condition on {field} must be a JSON object.")
    comparisons = []
    for name, operand in condition.items():
        budget.spend()
        _check_operation(field, name, operand)
        comparisons.append(Comparison(field, name, operand))
    return comparisons


def _check_operation(field: str, name: str, operand: Any) -> None:
    if name not in OPERATORS:
        raise InvalidLineageQuery(
            f"Unknown comparison {_quoted(name)}. Comparisons: {', '.join(OPERATORS)}."
        )
    if (field in _TEXTS and name not in _TEXT) or (field in FLAGS and name != "eq"):
        raise InvalidLineageQuery(f"{field} cannot be compared by {name}.")
    if name == "regex":
        _check_expression(field, operand)
    elif name in ("in", "not_in"):
        if not isinstance(operand, list):
            raise InvalidLineageQuery(f"{name} of {field} takes a list.")
    else:
        requirement = _unmet_requirement(field, operand)
        if requirement:
            raise InvalidLineageQuery(f"{field} must be compared with {requirement}.")


def _unmet_requirement(field: str, operand: Any) -> str:
    """The operands that a field requires, or an empty string if this one is valid."""
    if field in _TEXTS:
        return "" if isinstance(operand, str) else "strings"
    if field in _COUNTS:
        return "" if _is_count(operand) else "integers from 0 to 2^63 - 1"
    if field in FLAGS:
        return "" if isinstance(operand, bool) else "true or false"
    if field.startswith("user_defined/"):
        return ""
    return "" if _is_number(operand) else "numbers"


def _check_expression(field: str, text: Any) -> None:
    if not isinstance(text, str):
        raise InvalidLineageQuery(f"regex of {field} takes a string.")
    if field not in _TEXTS and not field.startswith(("user_defined/", "metric/")):
        raise InvalidLineageQuery(f"regex does not apply to {field}, which is not a string.")
    try:
        Expression(text)
    except InvalidQuery as error:
        raise InvalidLineageQuery(f"regex of {field}: {error}") from None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_INTEGER


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_field(name: Any, message: str) -> None:
    is_known = isinstance(name, str) and (
        name in _PLAIN or name.startswith(("user_defined/", "metric/")) or _is_scalar_column(name)
    )
    if not is_known:
        raise InvalidLineageQuery(f"{message}: {_quoted(name)}.")


def _is_scalar_column(name: Any) -> bool:
    if not isinstance(name, str) or not name.startswith("scalar/"):
        return False
    _, slash, statistic = name.removeprefix("scalar/").rpartition("/")
    return bool(slash) and is_statistic(statistic)


def _quoted(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 200 else f"{repr(value)[:200]}..."
