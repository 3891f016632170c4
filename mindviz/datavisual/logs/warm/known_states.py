"""KnownStates: what a start finds in the warm cache and has not taken over yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob, joined
from mindviz.datavisual.logs.directories.unchanged_job import UnchangedJob
from mindviz.datavisual.logs.warm.pack_index import PackIndex, StoredJob


class Entry(NamedTuple):
    """A file in an index, which is freed with its last entry."""

    table: PackIndex
    number: int


class KnownStates:
    """The newest state of each file.

    Those of jobs that were complete are found by train_id: others take 0.3 kB each.
    """

    def __init__(self, indices: Iterable[tuple[dict[str, Any], PackIndex, Sequence[str]]]) -> None:
        """`indices`: documents and tables, the oldest first, and the train_ids of their jobs."""
        self._files: dict[str, Entry] = {}
        """By path, without those in `_jobs`, unless they are newer."""
        self._jobs: dict[str, StoredJob] = {}
        for document, table, train_ids in indices:
            of_jobs = table.files_of_jobs() if train_ids else ()
            for number, path in enumerate(document["paths"]) if len(of_jobs) < len(table) else ():
                if number not in of_jobs:
                    self._files[path] = Entry(table, number)
            for number, train_id in enumerate(train_ids):
                self._jobs[train_id] = StoredJob(table, number)

    @property
    def is_empty(self) -> bool:
        """Whether all states were taken."""
        return not (self._files or self._jobs)

    def job(self, train_id: str) -> StoredJob | None:
        """A job, whose files may have newer states."""
        return self._jobs.get(train_id)

    def find(self, file: FoundFile) -> Entry | None:
        """The state of a file."""
        entry = self._files.get(file.path)
        for name, other in _entries(self._jobs.get("./" + file.shown_folder)):
            if name == file.entry and not _is_after(entry, other.table):
                return other
        return entry

    def take_job(self, found: FoundJob, *, verified: bool) -> StoredJob | None:
        """A job with exactly the files that were found, only once; None if they have changed."""
        job = self._jobs.get(found.train_id)
        if job is None or found.findings or found.has_assets:
            return None
        is_same = isinstance(found, UnchangedJob) and found.kept is job
        if not is_same and list(found.logs) != job.logs:
            return None
        paths = [joined(found.directory, name) for name, _ in job.logs] if self._files else ()
        if any(_is_after(self._files.get(path), job.table) for path in paths):
            return None
        if verified and not job.traits.verified:
            return None
        del self._jobs[found.train_id]
        for path in paths:
            self._files.pop(path, None)
        for known in (self._files, self._jobs):
            if not known:
                known.clear()  # after 100,000 jobs, an empty dict takes 5 MB
        return job

    def take(self, file: FoundFile) -> Entry | None:
        """The state of a file, only once."""
        for name, entry in _entries(self._jobs.pop("./" + file.shown_folder, None)):
            path = joined(file.folder, name)
            if not _is_after(self._files.get(path), entry.table):
                self._files[path] = entry
        return self._files.pop(file.path, None)

    def paths_in(self, document: dict[str, Any], table: PackIndex) -> AbstractSet[str]:
        """Paths in an index whose states were not taken."""
        paths = document["paths"]
        of_jobs = (
            paths[file]
            for number, train_id in enumerate(document["train_ids"])
            if train_id in self._jobs
            for file in table.files_of(number)
        )
        return {*of_jobs, *(self._files.keys() & set(paths))}


def _entries(job: StoredJob | None) -> Iterator[tuple[str, Entry]]:
    """The files of a job, by name."""
    if job is not None:
        for number in job.files:
            yield job.table.name(number), Entry(job.table, number)


def _is_after(entry: Entry | None, table: PackIndex) -> bool:
    """Whether a state is newer than those of a pack."""
    return entry is not None and entry.table.pack > table.pack
