"""Comparisons of filters in SQL."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Double,
    Text,
    all_,
    any_,
    bindparam,
    false,
    func,
    literal,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY

from mindviz.datavisual.series.value_order import number_of
from mindviz.datavisual.sql.tables import RUNS
from mindviz.lineagemgr.run_filter import Comparison, Membership

Condition = ColumnElement[bool]


def is_one_of(
    connection: Connection, run_ids: Sequence[int], *, negated: bool = False
) -> Condition:
    """Whether a run's key is in a list of any length."""
    if not run_ids:
        return true() if negated else false()
    if connection.dialect.name == "sqlite":
        text = orjson.dumps(list(run_ids)).decode()
        each = func.json_each(bindparam(None, text, type_=Text)).table_valued("value")
        found = RUNS.c.run_id.in_(select(each.c.value))
        return ~found if negated else found
    array = bindparam(None, list(run_ids), type_=ARRAY(BigInteger))
    return RUNS.c.run_id != all_(array) if negated else RUNS.c.run_id == any_(array)


def values_of(compared: Comparison | Membership) -> Sequence[str]:
    """The texts that a field is compared with."""
    return compared.values if isinstance(compared, Membership) else (compared.value,)


def is_equal_to_missing(compared: Comparison | Membership) -> bool:
    """Whether runs without a value pass."""
    is_equality = isinstance(compared, Membership) or compared.operator == "="
    return is_equality and any(value.lower() == "none" for value in values_of(compared))


def numeric(number: ColumnElement[Any], compared: Comparison | Membership) -> Condition | None:
    """Which numbers pass; None if it is no comparison of numbers."""
    if isinstance(compared, Membership) or compared.operator == "=":
        wanted = [number_of(value) for value in values_of(compared)]
        numbers = [value for value in wanted if not math.isnan(value)]
        return number.in_(numbers) if numbers else false()
    bound = compared.bound
    if bound is None:
        return None
    limit = literal(bound, Double)
    if math.isinf(bound):
        # The difference of equal infinities is not a number.
        return number < limit if "<" in compared.operator else number > limit
    comparisons = {
        "<": number < limit,
        "<=": number <= limit,
        ">": number > limit,
        ">=": number >= limit,
    }
    return comparisons[compared.operator]
