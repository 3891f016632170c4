"""Runs by a part of their names, in SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    and_,
    bindparam,
    func,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY

from mindviz.datavisual.sql.tables import LOWER_NAME, NAME_TRIGRAMS, RUNS
from mindviz.deadline import begin_long_work
from mindviz.lineagemgr.run_filter import NameMatch
from mindviz.stored_lists.sql_columns import STREAMED
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_ascii, is_one_of
from mindviz.stored_lists.sql_totals import Kept, Totals

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_/-]+")
"""A regular expression that only matches itself."""
_WORDS = re.compile(r"\^?((?:[A-Za-z0-9_/-]|\\?\.[*+?]?)+)\$?")
"""A regular expression that only matches texts with all of its words."""
_TRIGRAM = re.compile(r"[a-z0-9]{3}")
_MOST_NAMED = 20_000
"""Runs with a part of a name that SQL gets as a list."""


_NAME = func.substr(RUNS.c.train_id, len("./") + 1)


def _parts_of(condition: NameMatch) -> list[str]:
    """Parts in lower case of all names that match, if these are ASCII."""
    regular = None if condition.literal else _WORDS.fullmatch(condition.text)
    parts = re.split(r"\\?\.[*+?]?", regular[1]) if regular else []
    return [part.lower() for part in parts if part]


class RunNames:
    """The names and labels of runs in a transaction."""

    def __init__(
        self,
        connection: Connection,
        ours: Sql,
        root: str | None,
        totals: Callable[[], Sequence[Totals]],
        kept: Kept,
    ) -> None:
        """`ours`: which runs belong to the experiment; `root`: as of `Names`."""
        self._connection = connection
        self._ours = ours
        self._root = root
        self._totals = totals
        self._kept = kept

    def named(self, condition: NameMatch) -> Sql:
        """Whether a name of a run matches."""
        test = condition.test()
        is_plain = condition.literal or _PLAIN_WORD.fullmatch(condition.text) is not None
        if not (is_plain and condition.text.isascii()):
            parts = _parts_of(condition)
            named = self._kept(("named", condition), lambda: self._named_in_python(test, parts))
            return true() if named is None else is_one_of(self._connection, named.tolist())
        # SQL and Python agree about case in ASCII.
        lower = condition.text.lower()
        if not self._has_other_names():
            matches = self._has_part(lower)
            found = self._kept(("named", lower), lambda: self._few_named(matches, lower))
            return matches if found is None else is_one_of(self._connection, found.tolist())
        texts = (_NAME, RUNS.c.display_name)
        is_sqlite = self._connection.dialect.name == "sqlite"
        are_ascii = and_(*(is_ascii(part, is_sqlite=is_sqlite) for part in texts))
        is_match = or_(*(self._contains(part, lower) for part in texts))
        is_other = or_(not_(are_ascii), RUNS.c.train_id == "./")
        others = is_one_of(self._connection, self.runs_named(test, is_other))
        return or_(and_(not_(is_other), is_match), others)

    def _named_in_python(
        self, test: Callable[[str], bool], parts: Sequence[str]
    ) -> NDArray[np.int32] | None:
        """The keys of the runs with a name that passes; None if all pass.

        `parts`: of all names in ASCII that pass.
        """
        if self._has_other_names():
            return np.array(self.runs_named(test, true()), np.int32)
        if test(""):  # the label of every run
            return None
        begin_long_work()
        has_parts = and_(true(), *map(self._has_part, parts))
        if any(map(self._has_trigrams, parts)):
            return np.array(self.runs_named(test, has_parts), np.int32)
        # An index has the names; rows of runs are long.
        names = select(RUNS.c.train_id).where(self._ours, has_parts)
        found = [
            train_id
            for part in self._connection.execute(names, execution_options=STREAMED).partitions()
            for (train_id,) in part
            if test(train_id[2:])
        ]
        return np.array(self._keys_of(found), np.int32)

    def _has_other_names(self) -> bool:
        """Whether a run has a label, or a name that is not ASCII or not in the database."""
        totals = self._totals()
        return self._root is not None or any(
            counted.display_names or counted.other_names for counted in totals
        )

    def _few_named(self, matches: Sql, lower: str) -> NDArray[np.int32] | None:
        """The keys of the runs whose names match; None if they are many.

        An index has the names; many runs are found soon in any order.
        """
        has_trigrams = self._has_trigrams(lower)
        names = select(RUNS.c.run_id if has_trigrams else RUNS.c.train_id)
        names = names.where(self._ours, matches).limit(_MOST_NAMED + 1)
        found = self._connection.execute(names).scalars().all()
        if len(found) > _MOST_NAMED:
            return None
        return np.array(found if has_trigrams else self._keys_of(found), np.int32)

    def _keys_of(self, train_ids: Sequence[str]) -> list[int]:
        query = select(RUNS.c.run_id).where(self._ours)
        if self._connection.dialect.name == "sqlite":
            each = func.json_each(bindparam(None, orjson.dumps(train_ids).decode()))
            query = query.where(RUNS.c.train_id.in_(select(each.table_valued("value").c.value)))
        else:
            names = bindparam(None, list(train_ids), type_=ARRAY(Text))
            query = query.where(RUNS.c.train_id == func.any(names))
        return list(self._connection.execute(query).scalars())

    def runs_named(self, test: Callable[[str], bool], where: Sql) -> list[int]:
        """The keys of the runs with a name or a label that passes the test."""
        query = select(RUNS.c.run_id, RUNS.c.train_id, RUNS.c.display_name).where(self._ours, where)
        found = []
        for run_id, train_id, shown in self._connection.execute(query, execution_options=STREAMED):
            name = train_id.removeprefix("./") or self._root or ""
            if test(name) or test(shown):
                found.append(run_id)
        return found

    def _has_part(self, lower: str) -> Sql:
        """Whether a name in ASCII has this part."""
        found = self._contains(_NAME, lower)
        if self._has_trigrams(lower):
            pattern = re.sub(r"([\\%_])", r"\\\1", lower)
            found = and_(LOWER_NAME.like(f"%{pattern}%"), found)
        return found

    def _has_trigrams(self, part: str) -> bool:
        """Whether an index finds the names with this part."""
        return _TRIGRAM.search(part) is not None and self._kept("trigrams", self._are_indexed)

    def _are_indexed(self) -> bool:
        if self._connection.dialect.name == "sqlite":
            return False
        index = select(func.to_regclass(NAME_TRIGRAMS))
        return self._connection.execute(index).scalar() is not None

    def _contains(self, text: ColumnElement[Any], lower: str) -> Sql:
        if self._connection.dialect.name == "sqlite":
            return func.instr(func.lower(text), lower) > 0
        return func.strpos(func.lower(text.collate("C")), lower) > 0
