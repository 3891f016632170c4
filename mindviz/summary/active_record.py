"""The active record: what the summary operators record into."""

from __future__ import annotations

import weakref
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindviz.summary.record import SummaryRecord


def current() -> SummaryRecord | None:
    """The open record that was made or entered last."""
    opened = _opened()
    while opened:
        record = opened[-1]()
        if record is not None:
            return record
        opened.pop()
    return None


def push(record: SummaryRecord) -> None:
    """Make a record the active one."""
    remove(record)
    _opened().append(weakref.ref(record))


def remove(record: SummaryRecord) -> None:
    """Let the one before it be active again."""
    opened = _opened()
    opened[:] = [one for one in opened if one() is not record]


@cache
def _opened() -> list[weakref.ref[SummaryRecord]]:
    return []
