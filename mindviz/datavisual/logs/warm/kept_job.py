"""KeptJob: an idle train job in a few bytes."""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.warm.kept_file import PackedFile, facts_of, listed_facts
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.run_listing import ListedRun, Tags
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts

_NUMBERS = struct.Struct("<3d6q")
"""Times of creation, update and start; points, bytes, bytes read, files, of lineage, problems."""
ROWS = np.dtype(
    [
        *((name, "<f8") for name in ("create_time", "update_time", "start_time")),
        *((name, "<i8") for name in ("points", "bytes", "bytes_read")),
        *((name, "<i8") for name in ("files", "lineage_files", "problems")),
    ]
)
"""The same numbers, of many jobs."""
WHOLE_ROW = np.dtype((np.void, ROWS.itemsize))
"""A row without its fields, which numpy copies ten times faster."""
Rows = NDArray[np.void]
_TIMES = struct.Struct("<2d")
_PLACE = struct.Struct("<3q")
"""Offset, size, checksum."""


class Traits(NamedTuple):
    """What the jobs of a sweep have in common."""

    formats: tuple[str, ...]
    display_name: str
    session_status: str | None
    tags: Tags
    verified: bool
    """Whether the checksums of all its records were verified."""
    facts: LineageFacts


class KeptJob(ABC):
    """What lists show of a job that has been read, and where its files are kept."""

    __slots__ = ()

    @property
    @abstractmethod
    def traits(self) -> Traits:
        """What it has in common with other jobs."""

    @property
    @abstractmethod
    def row(self) -> bytes:
        """The numbers of the job, as `ROWS`."""

    @property
    @abstractmethod
    def homes(self) -> Sequence[str | bytes]:
        """For each file its pack, or the `PackedFile.data` itself."""

    @property
    @abstractmethod
    def statistics(self) -> bytes | None:
        """As `statistics_bytes`, until they are in a pack; None if they are unknown."""

    @abstractmethod
    def packed_place(self, number: int) -> bytes:
        """Where a file is in its pack, as `place_bytes`."""

    @property
    def listed(self) -> ListedRun:
        """The row of a list."""
        created, updated, _, points, size, _, files, of_lineage, problems = _NUMBERS.unpack(
            self.row
        )
        traits = self.traits
        return ListedRun(
            create_time=created,
            update_time=updated,
            points=points,
            bytes=size,
            files=files,
            lineage_files=of_lineage,
            problems=problems,
            formats=traits.formats,
            display_name=traits.display_name,
            session_status=traits.session_status,
            tags=traits.tags,
        )

    @property
    def create_time(self) -> float:
        """As in `ListedRun`."""
        return self.times[0]

    @property
    def update_time(self) -> float:
        """As in `ListedRun`."""
        return self.times[1]

    @property
    def times(self) -> tuple[float, float]:
        """Of creation and of the last update."""
        return _TIMES.unpack_from(self.row)

    @property
    def start_time(self) -> float | None:
        """Unix seconds of the first record, if known."""
        time: float = _NUMBERS.unpack(self.row)[2]
        return None if math.isnan(time) else time

    @property
    def label(self) -> str:
        """The label in the logs; usually empty."""
        return self.traits.display_name

    @property
    def sums(self) -> tuple[int, int, int, int, int]:
        """Points, bytes, bytes read, files, problems."""
        *_, points, size, read, files, _, problems = _NUMBERS.unpack(self.row)
        return points, size, read, files, problems

    @property
    def is_kept(self) -> bool:
        """Whether all files are in packs."""
        return all(isinstance(home, str) for home in self.homes)

    @property
    def nbytes(self) -> int:
        """Bytes of the files that are in no pack."""
        return sum(len(home) for home in self.homes if isinstance(home, bytes))

    def place(self, number: int) -> Place:
        """Where a file is in its pack; only size and checksum count for others."""
        home = self.homes[number]
        return unpacked_place(home if isinstance(home, str) else "", self.packed_place(number))

    @property
    def origin(self) -> tuple[str, int] | None:
        """The pack that has all files, and the offset of the first one in it."""
        pack = self.homes[0] if self.homes else b""
        if isinstance(pack, bytes) or any(home != pack for home in self.homes):
            return None
        return pack, self.place(0).offset

    def moved(self, places: Sequence[Place], statistics: bytes | None = None) -> KeptJob:
        """This job with its files in packs."""
        return PackedJob(self.traits, self.row, places, statistics)


class PackedJob(KeptJob):
    """A `KeptJob` of this process."""

    __slots__ = ("_numbers", "homes", "statistics", "traits")

    traits: Traits
    homes: Sequence[str | bytes]
    statistics: bytes | None

    def __init__(
        self,
        traits: Traits,
        row: bytes,
        files: Sequence[Place | PackedFile],
        statistics: bytes | None = None,
    ) -> None:
        self.traits = traits
        self.statistics = statistics
        homes = [file.pack if isinstance(file, Place) else file.data for file in files]
        self.homes = _shared_homes(tuple(homes))
        places = [
            file if isinstance(file, Place) else Place("", 0, file.size, file.checksum)
            for file in files
        ]
        self._numbers = b"".join((row, *map(place_bytes, places)))

    @classmethod
    def of(
        cls,
        listed: ListedRun,
        facts: LineageFacts,
        start_time: float | None,
        bytes_read: int,
        files: Sequence[Place | PackedFile],
        *,
        verified: bool,
        statistics: bytes | None = None,
    ) -> PackedJob:
        """The job with these files."""
        traits = Traits(
            listed.formats,
            listed.display_name,
            listed.session_status,
            listed.tags,
            verified,
            facts,
        )
        return cls(_shared(traits), row_of(listed, start_time, bytes_read), files, statistics)

    @property
    def row(self) -> bytes:
        """As in `KeptJob`."""
        return self._numbers[: _NUMBERS.size]

    def packed_place(self, number: int) -> bytes:
        """As in `KeptJob`."""
        return self._numbers[_NUMBERS.size + number * _PLACE.size :][: _PLACE.size]


def place_bytes(place: Place) -> bytes:
    """A place without its pack."""
    return _PLACE.pack(*place[1:])


def unpacked_place(pack: str, packed: bytes) -> Place:
    """The place of `place_bytes`."""
    return Place(pack, *_PLACE.unpack(packed))


PLACE_SIZE = _PLACE.size
ROW_SIZE = _NUMBERS.size


def row_of(listed: ListedRun, start_time: float | None = None, bytes_read: int = 0) -> bytes:
    """A `KeptJob.row`."""
    return _NUMBERS.pack(
        listed.create_time,
        listed.update_time,
        math.nan if start_time is None else start_time,
        listed.points,
        listed.bytes,
        bytes_read,
        listed.files,
        listed.lineage_files,
        listed.problems,
    )


def listed_traits(traits: Traits) -> Sequence[Any]:
    """For JSON."""
    return [*traits[:-1], listed_facts(traits.facts)]


def traits_of(listed: Sequence[Any]) -> Traits:
    """The traits of `listed_traits`."""
    formats, name, status, tags, verified, facts = listed
    return _shared(Traits(tuple(formats), name, status, tags, verified, facts_of(facts)))


_known: dict[object, Traits] = {}
_MOST = 10_000


def _shared(traits: Traits) -> Traits:
    """Equal traits, if there are any; facts usually differ."""
    if traits.facts is not NO_FACTS:
        return traits
    if len(_known) > _MOST:
        _known.clear()
    tags = tuple((name, *tags) for name, tags in traits.tags.items())
    return _known.setdefault((*traits[:3], traits.verified, tags), traits)


@lru_cache(maxsize=1000)
def _shared_packs(homes: tuple[str | bytes, ...]) -> tuple[str | bytes, ...]:
    return homes


def _shared_homes(homes: tuple[str | bytes, ...]) -> tuple[str | bytes, ...]:
    return homes if any(isinstance(home, bytes) for home in homes) else _shared_packs(homes)
