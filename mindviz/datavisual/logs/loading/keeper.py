"""Keeper: writes what was read to the warm cache, in the background.

A growing file is written when it has grown by a part of what is kept, or once it is quiet: so all
writing for a file is proportional to its size.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from threading import Condition, Event, Thread

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.warm.compaction import compact
from mindviz.datavisual.logs.warm.kept_file import KeptFile
from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.pack import DamagedPack, PackWriter, Place
from mindviz.datavisual.logs.warm.pack_index import JobStates, KeptState, directory_bytes
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.freed_memory import trim_heaps

_LOGGER = logging.getLogger(__name__)

GROWTH_SHARE = 4
"""A growing job is kept again when it has grown by this part of what is kept, ..."""
GROWTH_BYTES = 65_536
"""... by this many bytes at least, ..."""
QUIET_SECONDS = 300.0
"""... or when it has not grown for this time."""
_GATHER_SECONDS = 0.5
"""Jobs share packs if each is ready within this time after another, ..."""
_MOST_SECONDS = 5.0
"""... for so long, as a process that is killed loses them; or until there are enough for one."""
_PAUSE_SECONDS = 2.0
"""Between two looks at growing jobs."""
_PACK_BYTES = 64 * 1024 * 1024
"""A pack is ended when it has so many."""
_PACK_FILES = 2000
_TRIM_BYTES = 8 * 1024 * 1024
"""Of columns that are freed together."""
_RETRY_SECONDS = 600.0
"""After a failed write, such as on a full disk."""
_CLOSE_SECONDS = 1.0
"""For writing when the process ends."""


class Keeper:
    """Keeps complete jobs in the warm cache."""

    def __init__(
        self,
        warm: WarmCache,
        closed: Event,
        on_kept: Callable[[CachedJob], None],
        all_jobs: Callable[[], Iterable[CachedJob]],
    ) -> None:
        """`on_kept` is called for each job whose columns are no longer in memory."""
        self._warm = warm
        self._all_jobs = all_jobs
        self._on_kept = on_kept
        self._closed = closed
        self._changed = Condition()
        """Guards the next fields."""
        self._since: dict[CachedJob, float] = {}
        """Jobs that may have changed, with the monotonic seconds of the last change."""
        self._gathered = 0
        """What was marked since jobs were kept, in files of usual size."""
        self._failed_at = -math.inf
        self._end = math.inf
        """Monotonic seconds; nothing more is written then."""
        self._freed = 0
        """Bytes of columns since the heaps were trimmed."""
        self._thread = Thread(target=self._run, name="mindviz-keep", daemon=True)

    def mark(self, job: CachedJob) -> None:
        """A job may have changed."""
        files = 1 + job.column_size // (_PACK_BYTES // _PACK_FILES)
        with self._changed:
            self._gathered += files
            self._since[job] = time.monotonic()
            if len(self._since) == 1:
                self._changed.notify_all()

    def start(self) -> None:
        """Begin to keep jobs."""
        self._thread.start()

    def finish(self) -> None:
        """Keep what is left, once the cache is closed, as far as that takes a second."""
        self._end = time.monotonic() + _CLOSE_SECONDS
        with self._changed:
            self._changed.notify_all()
        if self._thread.ident is not None:
            # Compaction may go on; a pack is complete or none.
            self._thread.join(2 * _CLOSE_SECONDS)

    def _run(self) -> None:
        collected = False
        while not self._closed.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._since or self._closed.is_set())
            if self._gather():
                break
            jobs = self._changed_jobs()
            if self.keep_due():
                continue
            if jobs:
                left = self._failed_at + _RETRY_SECONDS - time.monotonic()
                self._closed.wait(max(_PAUSE_SECONDS, left))
            elif not collected and not self._closed.is_set():  # everything found at first is kept
                collected = True
                self._trim()
                self.collect()
        for job in self._all_jobs():
            if job.packed is None and not job.is_unread and unkept(job):
                self.mark(job)  # read again, as the warm cache was damaged
        self._keep_all(self._changed_jobs())

    def _gather(self) -> bool:
        """Wait for jobs that share packs; whether the cache was closed meanwhile."""
        end, before = time.monotonic() + _MOST_SECONDS, -1
        while before < self._gathered < _PACK_FILES and time.monotonic() < end:
            before = self._gathered
            if self._closed.wait(_GATHER_SECONDS):
                return True
        with self._changed:
            self._gathered = 0
        return False

    def keep_due(self) -> bool:
        """Keep what has grown enough; whether there was anything, and writing it succeeded."""
        due = [job for job in self._changed_jobs() if self._is_due(job)]
        self._keep_all(due)
        return bool(due) and time.monotonic() > self._failed_at + _RETRY_SECONDS

    def keep_now(self, jobs: Sequence[CachedJob]) -> None:
        """Keep jobs whose columns are about to be dropped, unless that fails."""
        if any(map(unkept, jobs)):
            self._keep(jobs)

    def _changed_jobs(self) -> Sequence[CachedJob]:
        with self._changed:
            for job in [job for job in self._since if not unkept(job)]:
                if job.complete and not job.pending:
                    del self._since[job]
            return list(self._since)

    def _is_due(self, job: CachedJob) -> bool:
        if job.packed is not None:
            return True
        if not job.snapshot.complete or job.pending:
            return False
        kept = sum(file.kept_bytes for file in job.loader.files)
        if not kept or unkept(job) >= max(GROWTH_BYTES, kept // GROWTH_SHARE):
            return True
        return time.monotonic() >= self._since.get(job, 0.0) + QUIET_SECONDS

    def _keep_all(self, jobs: Sequence[CachedJob]) -> None:
        group: list[CachedJob] = []
        files = size = 0
        for job in jobs:
            group.append(job)
            files += len(job.found.files)
            size += job.column_size
            if files >= _PACK_FILES or size >= _PACK_BYTES or job is jobs[-1]:
                self._keep(group)
                for kept in group:
                    self._on_kept(kept)
                group, files, size = [], 0, 0
            if time.monotonic() > self._end:
                return

    def _keep(self, jobs: Sequence[CachedJob]) -> None:
        """Write a pack. Failures are reported once."""
        if time.monotonic() < self._failed_at + _RETRY_SECONDS:
            return
        writer = None
        try:
            writer = self._warm.writer()
            self._write(writer, jobs)
            if self._warm.is_collect_due and not self._closed.is_set():
                self.collect()
        except (OSError, DamagedPack) as error:
            self._failed_at = time.monotonic()
            self._warm.report(error)
        except Exception:  # the thread must survive
            self._failed_at = time.monotonic()
            _LOGGER.exception("Writing to the warm cache failed")
        finally:
            if writer is not None:
                writer.close()
        self._freed += sum(job.column_size for job in jobs)
        for job in jobs:
            job.move_columns()
        if self._freed > _TRIM_BYTES:
            self._trim()

    def collect(self) -> None:
        """Free disk space."""
        with suppress(OSError, DamagedPack):  # what is left is in use
            compact(self._warm)
        # Compaction moves what is in packs, but not what the jobs refer to.
        self._warm.collect({pack for job in self._all_jobs() for pack in _packs_of(job)})

    def _trim(self) -> None:
        self._freed = 0
        trim_heaps()

    def _write(self, writer: PackWriter, jobs: Sequence[CachedJob]) -> None:
        with ExitStack() as held:
            files: list[tuple[FileLoader, KeptFile, Place]] = []
            moved: list[tuple[CachedJob, KeptJob, Sequence[Place]]] = []
            rows: list[JobStates] = []
            packs: set[str] = set()
            for job in jobs:
                if time.monotonic() > self._end:
                    break
                found, packed = job.as_packed
                if packed is not None:
                    if not packed.is_kept:
                        places = list(_written(writer, packed))
                        moved.append((job, packed, places))
                        rows.append(_states(found, places, packed))
                    continue
                kept = [
                    (file, state, *self._warm.add_state(writer, state, file.kept_place))
                    for file in job.loader.files
                    for state in self._kept(file, writer, held)
                ]
                own = [place for _, _, place, _ in kept]
                bases = [base for *_, bases in kept for base in bases]
                # A row has all series: with a delta, it would be most of what is written.
                whole = len(kept) == len(found.files) and not bases and job.is_listable
                packs.update(place.pack for _, state, *_ in kept for place in state.places)
                packs.update(base.pack for base in bases)
                states = [
                    KeptState(_paths(state.snapshot.found), state.identity, place)
                    for _, state, place, _ in kept
                ]
                kept_job = job.packed_as(own) if whole else None
                rows.append(JobStates(job.train_id, states, kept_job, _directory(found)))
                files += [(file, state, place) for file, state, place, _ in kept]
            if files or moved:
                self._warm.commit(writer, rows, packs)
                for file, state, place in files:
                    file.kept(state, place)
                for job, packed, there in moved:
                    job.move(there, packed)

    def _kept(self, file: FileLoader, writer: PackWriter, held: ExitStack) -> Iterator[KeptFile]:
        """The state of a file, if it is to be written and can be."""
        if file.unkept_bytes and file.reading.acquire(blocking=False):
            held.callback(file.reading.release)
            try:
                state = file.keep(writer, self._warm)
            except DamagedPack:  # the cache has lost earlier columns: read again on request
                file.drop_columns()
            else:
                if state is not None:
                    yield state


def _paths(found: FoundFile) -> tuple[str, str]:
    return found.path, found.relative_path


def _states(found: FoundJob, places: Sequence[Place], packed: KeptJob) -> JobStates:
    states = [
        KeptState(_paths(file), file.identity, place)
        for file, place in zip(found.files, places, strict=True)
    ]
    is_listable = not found.findings and not found.has_assets
    return JobStates(found.train_id, states, packed if is_listable else None, _directory(found))


def _directory(found: FoundJob) -> bytes:
    return b"" if found.stamp is None else directory_bytes(found.identity, found.stamp)


def _written(writer: PackWriter, packed: KeptJob) -> Iterator[Place]:
    """Adds the files of a packed job; their places."""
    for number, home in enumerate(packed.homes):
        place = packed.place(number)
        if isinstance(home, bytes):
            place = Place(writer.name, writer.add_encoded(home), place.size, place.checksum)
        yield place


def _packs_of(job: CachedJob) -> Iterator[str]:
    """The packs with the states of a job's files."""
    packed = job.packed
    if packed is not None:
        yield from (home for home in packed.homes if isinstance(home, str))
    elif not job.is_unread:
        places = (file.kept_place for file in job.loader.files)
        yield from (place.pack for place in places if place is not None)


def unkept(job: CachedJob) -> int:
    """Bytes of the logs of a job that the warm cache does not have."""
    packed = job.packed
    if packed is not None:
        return packed.nbytes
    return sum(file.unkept_bytes for file in job.loader.files)
