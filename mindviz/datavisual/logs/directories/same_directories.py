"""SameDirectories: the paths that lead to one directory."""

from __future__ import annotations

from mindviz.datavisual.logs.directories.log_directory import LogDirectory


class SameDirectories:
    """Directories by identity; several have the same one if links lead to it."""

    def __init__(self) -> None:
        self._found: dict[int, LogDirectory | set[LogDirectory]] = {}
        """A set only if there are several: it takes 216 bytes."""

    def of(self, identity: int) -> set[LogDirectory]:
        """All directories with an identity."""
        found = self._found.get(identity)
        if found is None:
            return set()
        return set(found) if isinstance(found, set) else {found}

    def is_alone(self, directory: LogDirectory) -> bool:
        """Whether one path leads to it."""
        return self._found[directory.identity] is directory

    def add(self, directory: LogDirectory) -> None:
        """Add a directory."""
        first = self._found.setdefault(directory.identity, directory)
        if first is not directory:
            self._found[directory.identity] = {directory, *self.of(directory.identity)}

    def remove(self, directory: LogDirectory) -> None:
        """Remove a directory."""
        others = self.of(directory.identity) - {directory}
        if others:
            self._found[directory.identity] = others if len(others) > 1 else others.pop()
        else:
            del self._found[directory.identity]
