"""Workspace: the folder of mindviz's own files, and the servers that use it.

Every server locks its pid file until its process exits. So a locked pid file proves that the pid
in it is a running server; an unlocked one is stale.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Self

from mindviz.errors import StartError

_CLAIM_ATTEMPTS = 25
_CLAIM_PAUSE = 0.02
"""Seconds; readers hold the lock for a much shorter time."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A running server."""

    pid: int
    port: int
    url: str
    summary_base_dir: str


class Workspace:
    """The folder `Config.workspace`, readable only by its owner."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pid_folder, self._log_folder = path / "run", path / "log"

    @classmethod
    def temporary(cls) -> Self:
        """This user's folder in the system's temporary directory, the same each time.

        A new folder if that name belongs to another user. Raises StartError.
        """
        import tempfile

        path = Path(tempfile.gettempdir(), f"mindviz-{os.getuid()}")
        try:
            path.mkdir(mode=0o700, exist_ok=True)
            state = path.lstat()
            is_ours = state.st_uid == os.getuid() and not state.st_mode & 0o022
            return cls(path if is_ours else Path(tempfile.mkdtemp(prefix="mindviz-")))
        except OSError as error:
            raise StartError(f"Cannot create a workspace at {path}: {error.strerror}.") from None

    def prepare(self) -> None:
        """Create missing folders. Raises StartError."""
        try:
            for folder in (self.path, self._pid_folder, self._log_folder):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                    raise PermissionError(13, "Permission denied")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StartError(f"Cannot use the workspace {self.path}: {reason}.") from None

    @property
    def cache(self) -> Path:
        """The warm cache, of all versions of mindviz."""
        return self.path / "cache"

    def log_file(self, port: int) -> Path:
        """The output of the daemon on this port."""
        return self._log_folder / f"mindviz.{port}.log"

    def instances(self) -> list[Instance]:
        """The running servers of this workspace, by port."""
        try:
            paths = list(self._pid_folder.glob("*.pid"))
        except OSError:
            return []
        found = (instance for instance in map(_read, paths) if instance is not None)
        return sorted(found, key=lambda instance: instance.port)

    def instance(self, port: int) -> Instance | None:
        """The running server of this workspace on this port."""
        return _read(self._pid_file(port))

    def _pid_file(self, port: int) -> Path:
        return self._pid_folder / f"mindviz.{port}.pid"

    def write_link(self, port: int, link: str) -> str:
        """URL of a private file that redirects to `link`, until the server on this port stops.

        For a browser's command line, which is visible to all users of the machine.
        """
        path = self._link_file(port)
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as page:
            page.write(
                f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" '
                f'content="0;url={escape(link)}"><a href="{escape(link)}">mindviz</a>\n'
            )
        return path.as_uri()

    def _link_file(self, port: int) -> Path:
        return self._pid_folder / f"mindviz.{port}.html"

    @contextmanager
    def claim(self, instance: Instance) -> Iterator[None]:
        """Hold the pid file of `instance` during the `with` block. Raises StartError."""
        path = self._pid_file(instance.port)
        file = _lock(path)
        try:
            os.ftruncate(file, 0)
            os.write(file, json.dumps(asdict(instance)).encode())
            yield
        finally:
            self._link_file(instance.port).unlink(missing_ok=True)
            path.unlink(missing_ok=True)
            os.close(file)


def _lock(path: Path) -> int:
    # A POSIX lock, because a forked worker process would share one of `flock`.
    for _ in range(_CLAIM_ATTEMPTS):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The previous owner may have deleted the file between our open and our lock.
            if _is_at(file, path):
                return file
        except OSError:
            time.sleep(_CLAIM_PAUSE)
        os.close(file)
    raise StartError(f"{path} is locked by another server: stop it with `mindviz stop`.")


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _read(path: Path) -> Instance | None:
    try:
        with path.open("rb") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return Instance(**json.loads(file.read()))
    except (OSError, ValueError, TypeError):
        pass  # deleted, or not written yet
    return None
