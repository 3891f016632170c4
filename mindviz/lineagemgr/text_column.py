"""TextColumn: a text of each run, searched without an object per run."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

import numpy as np

from mindviz.datavisual.series.columns import Float64s
from mindviz.errors import InvalidQuery
from mindviz.expression import Expression
from mindviz.lineagemgr.run_column import Mask, RunColumn
from mindviz.lineagemgr.run_filter import Comparison, Membership
from mindviz.lineagemgr.text_lines import TextLines

Keep = Callable[[Comparison | Membership, Callable[[], Mask]], Mask]


class TextColumn(RunColumn):
    """A column of texts, of which none is missing."""

    def __init__(self, read: Callable[[], TextLines], kept: Keep = lambda _, find: find()) -> None:
        """`kept` returns what an earlier search found, without reading the texts."""
        self._read = read
        self._kept = kept

    @property
    def values(self) -> TextLines:
        """The texts."""
        return self._lines

    @cached_property
    def _lines(self) -> TextLines:
        return self._read()

    @cached_property
    def numbers(self) -> Float64s:
        """None of the texts is one."""
        return np.full(len(self._lines), np.nan)

    def _passing(self, compared: Comparison | Membership) -> Mask:
        return self._kept(compared, lambda: self._found(compared))

    def _found(self, compared: Comparison | Membership) -> Mask:
        if isinstance(compared, Comparison) and compared.operator in ("~", "!~"):
            found = self._lines.matching(Expression(f"(?i){compared.value}"))
            return found if compared.operator == "~" else ~found
        equal = None if compared.equal is None else "|".join(map(re.escape, compared.equal))
        if equal is not None and equal.isascii() and self._lines.is_ascii:
            try:
                return self._lines.matching(Expression(f"(?i)^(?:{equal})$"))
            except InvalidQuery:  # too many texts
                pass
        return self._lines.passing(compared.test())
