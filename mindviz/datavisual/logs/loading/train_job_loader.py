"""TrainJobLoader: the write side of one train job, with a loader for each of its files."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader, ScanOptions
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot


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
                    loader = FileLoader(file, self._options)
                elif loader.found.identity == file.identity:
                    self._files[file.path] = loader
                    continue
                loader.found = file
                self._files[file.path] = loader
                stale.append(loader)
        return stale

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
                resident=all(loader.keeps_columns for loader in loaders),
            )

    def drop_columns(self) -> None:
        """Drop the points of all files."""
        with self._lock:
            for loader in self._files.values():
                loader.drop_columns()
