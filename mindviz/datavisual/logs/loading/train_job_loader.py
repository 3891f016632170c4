"""TrainJobLoader: the write side of one train job, with a loader for each of its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Event, Lock

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.packed_files import unpacked
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.logs.warm.kept_file import PackedFile
from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.pack import DamagedPack, Place


def _loader(found: FoundFile, options: ScanOptions) -> FileLoader:
    """A new loader, as far as the warm cache has the file."""
    warm = options.warm
    state = None if warm is None else warm.find(found)
    if warm is None or state is None:
        return FileLoader(found, options)
    try:
        kept = warm.read(found, state.identity, state.place)
    except DamagedPack:
        return FileLoader(found, options)
    return FileLoader(found, options, kept, state.place)


class TrainJobLoader:
    """The write side of one train job."""

    def __init__(self, found: FoundJob, options: ScanOptions) -> None:
        self.found = found
        self._options = options
        self._files: dict[str, FileLoader] = {}
        self._lock = Lock()

    def update(self, found: FoundJob) -> Sequence[FileLoader]:
        """Sync with the directory listing; the files that need a refresh."""
        stale = []
        with self._lock:
            self.found = found
            known, self._files = self._files, {}
            for file in found.files:
                loader = known.get(file.path)
                if loader is None:
                    loader = _loader(file, self._options)
                    if loader.is_current:  # by the warm cache
                        self._files[file.path] = loader
                        continue
                elif loader.found.identity == file.identity:
                    self._files[file.path] = loader
                    continue
                loader.found = file
                self._files[file.path] = loader
                stale.append(loader)
        return stale

    @staticmethod
    def unpacked(found: FoundJob, options: ScanOptions, kept: KeptJob) -> TrainJobLoader:
        """The loader of a job that was packed. Raises DamagedPack."""
        loader = TrainJobLoader(found, options)
        for number, file in enumerate(found.files):
            place = kept.place(number) if isinstance(kept.homes[number], str) else None
            state = unpacked(kept, number, file, options)
            loader._files[file.path] = FileLoader(file, options, state, place)
        return loader

    @staticmethod
    def read_again(found: FoundJob, options: ScanOptions) -> TrainJobLoader:
        """A loader that has read the logs, also while the server is ending."""
        loader = TrainJobLoader(found, replace(options, closed=Event()))
        for file in loader.update(found):
            file.refresh(lambda: None)
        return loader

    def packed(self) -> Sequence[Place | PackedFile] | None:
        """All files, compactly; None if that is impossible now."""
        loaders = self.files
        if len(loaders) != len(self.found.files):
            return None
        packed = []
        for loader in loaders:
            file = loader.packed()
            if file is None:
                return None
            packed.append(file)
        return packed

    def holds(self, file: FileLoader) -> bool:
        """Whether the job has this file now."""
        with self._lock:
            return self._files.get(file.found.path) is file

    @property
    def failing(self) -> Sequence[FileLoader]:
        """Loaders of files whose last read failed."""
        with self._lock:
            return [loader for loader in self._files.values() if loader.error is not None]

    def snapshot(self, version: int) -> TrainJobSnapshot:
        """The job as far as it has been read."""
        with self._lock:
            loaders = list(self._files.values())
            return TrainJobSnapshot(
                found=self.found,
                files=tuple(loader.snapshot for loader in loaders),
                version=version,
                complete=len(loaders) == len(self.found.files)
                and all(loader.finished_once for loader in loaders),
                resident=all(loader.is_resident for loader in loaders),
                cached=all(loader.is_cached for loader in loaders),
            )

    @property
    def files(self) -> Sequence[FileLoader]:
        """The loaders of all files."""
        with self._lock:
            return list(self._files.values())

    @property
    def is_cached(self) -> bool:
        """Whether all points are at hand or in the warm cache."""
        return all(file.is_cached for file in self.files)

    def map_columns(self) -> bool:
        """Map the points that the warm cache has; whether all points are at hand then."""
        return all(file.map_columns() for file in self.files)

    def abandon(self) -> None:
        """End reading: another loader replaces this one."""
        for file in self.files:
            file.abandoned = True

    def drop_columns(self) -> None:
        """Drop the points of all files."""
        with self._lock:
            for loader in self._files.values():
                loader.drop_columns()
