"""Annotations: users' notes about train jobs, and saved views; never in the logs."""

from __future__ import annotations

import logging
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mindviz.errors import AnnotationsUnavailable, ViewNotFound
from mindviz.lineagemgr.annotation import Annotation, checked_changes
from mindviz.lineagemgr.saved_view import REQUIRED, SavedView, checked_view_changes

if TYPE_CHECKING:
    from mindviz.lineagemgr.annotation_store import AnnotationStore

T = TypeVar("T")
_logger = logging.getLogger(__name__)

FILE_NAME = "annotations.sqlite3"


class Annotations(ABC):
    """The annotations of the jobs in one base dir or experiment, and its saved views. Thread-safe.

    Annotations survive a restart and the deletion of logs.
    """

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Change these fields of a job's annotation.

        Raises InvalidAnnotation, AnnotationsUnavailable, AnnotationsBusy.
        """
        checked = checked_changes(changes)
        if checked:
            self._update(train_id, checked)

    def update_view(self, view_id: str, changes: Any) -> None:
        """Change these fields of a view; create it if it is new and the changes are complete.

        Raises InvalidAnnotation, ViewNotFound, AnnotationsUnavailable, AnnotationsBusy.
        """
        self._update_view(view_id, checked_view_changes(view_id, changes))

    @abstractmethod
    def all(self) -> Mapping[str, Annotation]:
        """train_id -> annotation, for annotated jobs. Raises AnnotationsUnavailable."""

    @abstractmethod
    def _update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """As `update`, with valid changes."""

    @abstractmethod
    def views(self) -> list[SavedView]:
        """The saved views, by name. Raises AnnotationsUnavailable."""

    @abstractmethod
    def _update_view(self, view_id: str, changes: Mapping[str, Any]) -> None:
        """As `update_view`, with valid changes."""

    @abstractmethod
    def delete_view(self, view_id: str) -> None:
        """Delete a view. Raises ViewNotFound, AnnotationsUnavailable, AnnotationsBusy."""


class WorkspaceAnnotations(Annotations):
    """In the workspace, by the real path of the base dir.

    The database opens on first use; reading does not create it.
    """

    def __init__(self, workspace: Path, summary_base_dir: str | Path) -> None:
        self._path = workspace / FILE_NAME
        is_url = "://" in str(summary_base_dir)
        path = summary_base_dir if is_url else os.path.realpath(summary_base_dir)
        # Paths may contain bytes that are not UTF-8, which the database rejects.
        self._base_dir = os.fsencode(path).decode("utf-8", "backslashreplace")
        self._lock = threading.Lock()
        self._store: AnnotationStore | None = None

    def all(self) -> Mapping[str, Annotation]:
        if not self._path.exists():
            return {}
        return self._with_store(lambda store: store.all())

    def _update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        self._with_store(lambda store: store.update(train_id, changes))

    def views(self) -> list[SavedView]:
        if not self._path.exists():
            return []
        return self._with_store(lambda store: store.views())

    def _update_view(self, view_id: str, changes: Mapping[str, Any]) -> None:
        if not (self._path.exists() or changes.keys() >= REQUIRED):
            raise ViewNotFound(view_id)
        self._with_store(lambda store: store.update_view(view_id, changes))

    def delete_view(self, view_id: str) -> None:
        if not self._path.exists():
            raise ViewNotFound(view_id)
        self._with_store(lambda store: store.delete_view(view_id))

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _with_store(self, use: Callable[[AnnotationStore], T]) -> T:
        """The result of `use`, which is repeated if the database was deleted or replaced meanwhile.

        SQLite reads and writes deleted files without an error, so the notes would be lost.
        """
        for _ in range(2):
            store = self._open()
            try:
                found = use(store)
            except AnnotationsUnavailable:
                if store.is_current:
                    raise
            else:
                if store.is_current:
                    return found
        raise AnnotationsUnavailable(f"{self._path} was deleted during use.")

    def _open(self) -> AnnotationStore:
        with self._lock:
            if self._store is not None and not self._store.is_current:
                _logger.warning("%s was deleted or replaced; reopening it", self._path)
                self._store.discard()
                self._store = None
            if self._store is None:
                # Imported late, because SQLAlchemy is slow to import.
                from mindviz.lineagemgr.annotation_store import AnnotationStore  # noqa: PLC0415

                self._store = AnnotationStore(self._path, self._base_dir)
            return self._store
