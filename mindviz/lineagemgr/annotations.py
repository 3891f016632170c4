"""Annotations: what people note about train jobs. Kept in the workspace, never beside the logs."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mindviz.errors import AnnotationsUnavailable
from mindviz.lineagemgr.annotation import Annotation, checked_changes

if TYPE_CHECKING:
    from mindviz.lineagemgr.annotation_store import AnnotationStore

T = TypeVar("T")
_logger = logging.getLogger(__name__)

FILE_NAME = "annotations.sqlite3"


class Annotations:
    """The annotations of the jobs below one base dir. Any thread may call any method.

    They are kept by (real path of the base dir or URL of the experiment, train_id), so they outlive
    the process and the job's directory. Nothing is opened before the first use, and reading creates
    nothing.
    """

    def __init__(self, workspace: Path, summary_base_dir: str | Path) -> None:
        """Of the jobs below a base dir, or of those at a URL."""
        self._path = workspace / FILE_NAME
        is_url = "://" in str(summary_base_dir)
        path = summary_base_dir if is_url else os.path.realpath(summary_base_dir)
        # A database takes no bytes that are no UTF-8, a file system does.
        self._base_dir = os.fsencode(path).decode("utf-8", "backslashreplace")
        self._lock = threading.Lock()
        self._store: AnnotationStore | None = None

    def all(self) -> Mapping[str, Annotation]:
        """train_id -> annotation, for those that have one. Raises AnnotationsUnavailable."""
        if not self._path.exists():
            return {}
        return self._with_store(lambda store: store.all())

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Change these fields of a job's annotation, leave the others.

        Raises InvalidAnnotation, AnnotationsUnavailable, AnnotationsBusy.
        """
        checked = checked_changes(changes)
        if checked:
            self._with_store(lambda store: store.update(train_id, checked))

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _with_store(self, use: Callable[[AnnotationStore], T]) -> T:
        """What `use` returns. Once more if the database was deleted or replaced meanwhile.

        SQLite reads and writes a deleted file without an error, and nobody would find the notes.
        """
        for _ in range(2):
            store = self._opened()
            try:
                found = use(store)
            except AnnotationsUnavailable:
                if store.is_current:
                    raise
            else:
                if store.is_current:
                    return found
        raise AnnotationsUnavailable(f"{self._path} was deleted while it was used.")

    def _opened(self) -> AnnotationStore:
        with self._lock:
            if self._store is not None and not self._store.is_current:
                _logger.warning("%s was deleted or replaced: opening it again", self._path)
                self._store.discard()
                self._store = None
            if self._store is None:
                # SQLAlchemy takes its time to import, and most never note anything.
                from mindviz.lineagemgr.annotation_store import (  # noqa: PLC0415
                    AnnotationStore,
                )

                self._store = AnnotationStore(self._path, self._base_dir)
            return self._store
