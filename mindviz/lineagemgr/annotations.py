"""Annotations: what people note about train jobs. Kept in the workspace, never beside the logs."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindviz.lineagemgr.annotation import Annotation, checked_changes

if TYPE_CHECKING:
    from mindviz.lineagemgr.annotation_store import AnnotationStore

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
        if self._store is None and not self._path.exists():
            return {}
        return self._opened().all()

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Change these fields of a job's annotation, leave the others.

        Raises InvalidAnnotation, AnnotationsUnavailable.
        """
        checked = checked_changes(changes)
        if checked:
            self._opened().update(train_id, checked)

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _opened(self) -> AnnotationStore:
        with self._lock:
            if self._store is None:
                # SQLAlchemy takes its time to import, and most never note anything.
                from mindviz.lineagemgr.annotation_store import (  # noqa: PLC0415
                    AnnotationStore,
                )

                self._store = AnnotationStore(self._path, self._base_dir)
            return self._store
