"""Compaction: moves what is in use out of packs that are mostly dead.

States that were replaced and runs that were deleted stay in packs with others that are in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from typing import Any, NamedTuple

from mindviz.datavisual.logs.warm.kept_file import place_of
from mindviz.datavisual.logs.warm.kept_statistics import rows_in
from mindviz.datavisual.logs.warm.pack import DamagedPack, PackWriter, Place, Section, size_of
from mindviz.datavisual.logs.warm.pack_index import JobStates, KeptState, PackIndex, StoredJob
from mindviz.datavisual.logs.warm.section_delta import states_at
from mindviz.datavisual.logs.warm.warm_cache import WarmCache, packs_below, status_of


class _Live(NamedTuple):
    """A file whose newest state is in a pack."""

    number: int
    state: Section
    """With all its places."""
    states: Sequence[Place]
    """Those that it is made of."""

    @property
    def batches(self) -> Iterator[Place]:
        """Its columns."""
        return (Place(*place) for place in self.state.document["places"])


def compact(warm: WarmCache) -> bool:
    """Copy what is in use out of packs of which most is not; whether there were any.

    Nothing refers to these packs then. Writes at most as much as becomes free. Raises OSError,
    DamagedPack.
    """
    if not any(packs_below(warm.folder)):
        return False
    # First, since the packs of other servers count if they are newer.
    with closing(warm.writer()) as writer:
        return _compact(warm, writer)


def _compact(warm: WarmCache, writer: PackWriter) -> bool:
    packs = warm.live()
    suspects = {one.pack for one in packs if 2 * len(one.newest) < one.files}
    users = [
        (one, *warm.index(one.pack))
        for one in reversed(packs)
        if one.newest and not suspects.isdisjoint((one.pack, *one.packs))
    ]
    live = {
        table.pack: [_live(warm, table, number) for number in one.newest] for one, _, table in users
    }
    used = _used_bytes(file for files in live.values() for file in files)
    dead = {
        name: status.st_size - used[name]
        for name in suspects & used.keys()
        if (status := status_of(warm.folder / name)) is not None
    }
    victims = {name for name, nbytes in dead.items() if nbytes > used[name]}
    moves = {
        table.pack: [file for file in live[table.pack] if _is_in(file, victims)]
        for *_, table in users
    }
    cost = sum(used[name] for name in victims) + sum(
        size_of(file.state) for files in moves.values() for file in files
    )
    if not victims or cost > sum(dead[name] for name in victims):
        return False
    move = _Move(warm, writer, victims)
    jobs = [
        job for _, document, table in users for job in move.jobs(document, table, moves[table.pack])
    ]
    warm.commit(writer, jobs, move.packs - {writer.name})
    return True


def _live(warm: WarmCache, table: PackIndex, number: int) -> _Live:
    states = states_at(table.place(number), warm.section)
    place, state = states[-1]
    places = [place_of(listed, place) for listed in state.document["places"]]
    state = Section({**state.document, "places": places}, list(state.columns))
    return _Live(number, state, [place for place, _ in states])


def _used_bytes(files: Iterable[_Live]) -> Counter[str]:
    places = {place for file in files for place in (*file.states, *file.batches)}
    used: Counter[str] = Counter()
    for place in places:
        used[place.pack] += place.size
    return used


def _is_in(file: _Live, packs: AbstractSet[str]) -> bool:
    return any(place.pack in packs for place in (*file.states, *file.batches))


class _Move:
    """Writes files that are partly in `victims` to a pack."""

    def __init__(self, warm: WarmCache, writer: PackWriter, victims: AbstractSet[str]) -> None:
        self.packs: set[str] = set()
        """Others that they refer to."""
        self._warm = warm
        self._writer = writer
        self._victims = victims

    def jobs(
        self, document: Mapping[str, Any], table: PackIndex, files: Sequence[_Live]
    ) -> Iterator[JobStates]:
        """The files of a pack, as jobs if all files of a job are moved. Raises OSError."""
        left = {file.number: file for file in files}
        statistics: dict[int, bytes] = {}
        for place in self._warm.statistics_of(table.pack):
            with suppress(DamagedPack):
                statistics |= rows_in(self._warm.section(place))
        for number, train_id in enumerate(self._warm.jobs_in(document)):
            numbers = table.files_of(number)
            if all(file in left for file in numbers):
                first = table.place(numbers[0])
                states = [self._moved(document, table, left.pop(file)) for file in numbers]
                places = [state.place for state in states]
                job = StoredJob(table, number).moved(places, statistics.get(first.offset))
                yield JobStates(train_id, states, job, table.directory(number))
        for file in left.values():
            yield JobStates("", [self._moved(document, table, file)], None, b"")

    def _moved(self, document: Mapping[str, Any], table: PackIndex, file: _Live) -> KeptState:
        batches = [
            self._writer.add(self._warm.section(place)) if place.pack in self._victims else place
            for place in file.batches
        ]
        self.packs.update(place.pack for place in batches)
        state = Section({**file.state.document, "places": batches}, file.state.columns)
        path = document["paths"][file.number]
        relative = table.relative(file.number, path)
        return KeptState((path, relative), table.identity(file.number), self._writer.add(state))
