"""SameDirectories: the paths that lead to one directory."""

from __future__ import annotations

from mindviz.datavisual.logs.directories.log_directory import LogDirectory


class SameDirectories:
    """Directories by identity; several have the same one if links lead to it.

    Other threads may read it.
    """

    def __init__(self) -> None:
        self._found: dict[int, LogDirectory | set[LogDirectory]] = {}
        """A set only if there are several: it takes 216 bytes. No set is changed."""

    def of(self, identity: int) -> set[LogDirectory]:
        """All directories with an identity."""
        found = self._found.get(identity)
        if found is None:
            return set()
        return set(found) if isinstance(found, set) else {found}

    def hinted(self, identity: int, name: str) -> set[LogDirectory]:
        """The directories to check for a hint: those with the identity, and subdirectories."""
        found = self.of(identity)
        return found | {one.subdirectories[name] for one in found if name in one.subdirectories}

    def has(self, identity: int) -> bool:
        """Whether there is one with an identity."""
        return identity in self._found

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
