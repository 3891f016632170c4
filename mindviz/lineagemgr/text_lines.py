"""TextLines: UTF-8 texts of many runs in one buffer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Int64s
from mindviz.deadline import check
from mindviz.expression import Expression

_Mask = NDArray[np.bool_]
_PART = 1 << 20
"""Bytes searched between two checks of the deadline."""
_CHECKED = 10_000
"""Texts decoded between two checks."""
_BREAK = ord("\n")
_FIRST_BEYOND_ASCII = 128


class TextLines(Sequence[str]):
    """Texts in UTF-8, each followed by a line break. Immutable."""

    def __init__(self, data: NDArray[np.uint8], ends: Int64s) -> None:
        """`ends`: the places of the line breaks after the texts."""
        self.data = data
        self.ends = ends

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextLines:
        """Lines of any texts."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum([len(text) + 1 for text in encoded], dtype=np.int64) - 1
        return cls(np.frombuffer(b"".join([text + b"\n" for text in encoded]), np.uint8), ends)

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """What takes the memory."""
        return self.data, self.ends

    def moved(self, move: Callable[[NDArray[Any]], NDArray[Any]]) -> TextLines:
        """The same texts with equal arrays elsewhere."""
        return TextLines(move(self.data), move(self.ends))

    def taken(self, places: Int64s) -> TextLines:
        """The texts at these places; an empty one for -1."""
        if not len(self):
            return TextLines.of([""] * len(places))
        exists = places >= 0
        ends = self.ends[np.where(exists, places, 0)]
        lengths = np.where(exists, np.diff(self.ends, prepend=-1)[places], 1)
        starts, stops = ends - lengths + 1, np.cumsum(lengths)
        parts = [self.data[:0]]
        for begin in range(0, len(places), _CHECKED):
            part = slice(begin, begin + _CHECKED)
            length = lengths[part]
            own = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
            parts.append(self.data[np.repeat(starts[part], length) + own])
        return TextLines(np.concatenate(parts), stops - 1)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, row: Any) -> Any:
        rows = range(len(self))[row]
        if not isinstance(rows, range):
            return self._text(self._start(rows), int(self.ends[rows]))
        if not (rows and rows.step == 1 and self._is_plain):
            return [self[number] for number in rows]
        return self._text(self._start(rows[0]), int(self.ends[rows[-1]])).split("\n")

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self), _CHECKED):
            yield from self[begin : begin + _CHECKED]

    def _text(self, start: int, end: int) -> str:
        data: bytes = self.data[start:end].tobytes()
        return data.decode("utf-8", "surrogatepass")

    def _start(self, row: int) -> int:
        return int(self.ends[row - 1]) + 1 if row else 0

    def replaced(self, rows: Int64s, others: TextLines, count: int) -> TextLines:
        """These texts with `others` in `rows`, which are sorted and include all added rows.

        The result has `count` texts.
        """
        changed = [
            place
            for place, row in enumerate(rows.tolist())
            if row >= len(self) or self[row] != others[place]
        ]
        if not changed:
            return self
        rows, others = rows[changed], others.taken(np.array(changed))
        if rows[0] >= len(self):
            data = np.concatenate([self.data, others.data])
            return TextLines(data, np.concatenate([self.ends, others.ends + len(self.data)]))
        old, new = self.data.data, others.data.data
        pieces, done, begin = [], 0, 0
        for row, end in zip(rows.tolist(), others.ends.tolist(), strict=True):
            if row < len(self):
                pieces.append(old[done : self._start(row)])
                done = int(self.ends[row]) + 1
            else:
                pieces.append(old[done:])
                done = len(old)
            pieces.append(new[begin : end + 1])
            begin = end + 1
        lengths = np.empty(count, np.int64)
        lengths[: len(self)] = np.diff(self.ends, prepend=-1)
        lengths[rows] = np.diff(others.ends, prepend=-1)
        data = np.frombuffer(b"".join([*pieces, old[done:]]), np.uint8)
        return TextLines(data, np.cumsum(lengths) - 1)

    def passing(self, test: Callable[[str], bool]) -> _Mask:
        """Which texts pass a test."""
        found = np.empty(len(self), np.bool_)
        for begin in range(0, len(self), _CHECKED):
            check()
            found[begin : begin + _CHECKED] = [*map(test, self[begin : begin + _CHECKED])]
        return found

    def containing(self, part: str) -> _Mask:
        """Which texts have this part, in upper or lower case."""
        lower = part.lower()
        if not (self._is_plain and self.is_ascii and lower.isascii()) or "\n" in lower:
            return self.passing(lambda text: lower in text.lower())
        if not lower:
            return np.ones(len(self), np.bool_)
        expression = re.compile(re.escape(lower.encode()))

        def places() -> Iterator[int]:
            for start, end in self._parts():
                check()
                data = self.data[start:end].tobytes().lower()
                yield from (start + match.start() for match in expression.finditer(data))

        return self._rows_at(places())

    def matching(self, expression: Expression) -> _Mask:
        """Which texts match."""
        find = expression.for_lines() if self._is_plain and self._is_utf8 else None
        if find is None:
            return self.passing(expression.search)
        found = (find(self.data.data, *ends) for ends in self._parts())
        return self._rows_at(chain.from_iterable(found))

    def _rows_at(self, places: Iterable[int]) -> _Mask:
        """Which texts have one of these bytes."""
        found = np.zeros(len(self), np.bool_)
        found[np.searchsorted(self.ends, np.fromiter(places, np.int64))] = True
        return found

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Where parts of the data begin and end, each with whole lines."""
        start = 0
        while start < len(self.data):
            last = min(int(np.searchsorted(self.ends, start + _PART)), len(self) - 1)
            end = int(self.ends[last]) + 1
            yield start, end
            start = end

    @cached_property
    def _is_plain(self) -> bool:
        """Whether no text has a line break."""
        return int(np.count_nonzero(self.data == _BREAK)) == len(self)

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all texts have only characters of ASCII."""
        return int(self.data.max(initial=0)) < _FIRST_BEYOND_ASCII

    @cached_property
    def _is_utf8(self) -> bool:
        try:
            for start, end in () if self.is_ascii else self._parts():
                self.data[start:end].tobytes().decode()
        except UnicodeDecodeError:  # halves of surrogates
            return False
        return True
