"""Builds the native modules, which are optional.

`BuildNative` is setuptools' `build_ext` that tolerates all failures: without Cython, a compiler or
Python's headers, mindviz still installs and uses the pure-Python fallbacks.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from setuptools import Extension
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ".build/cython"
"""Folder of the generated C, relative to the project, apart from the sources."""

_FLAGS = ["-O3", "-fno-math-errno", "-ffp-contract=off"]
"""Without contraction, compiled code rounds as Python does."""

MODULES = (
    "mindviz.wire._crc32c",
    "mindviz.datavisual.logs.scanner._freeze",
    "mindviz.datavisual.logs.scanner._scan",
    "mindviz.datavisual.health.courses",
    "mindviz.datavisual.health.detectors",
    "mindviz.datavisual.health.plateaus",
    "mindviz.datavisual.health.spikes",
    "mindviz.datavisual.health.trend_detectors",
    "mindviz.datavisual.health.windows",
    "mindviz.backend._rows",
)
"""Each is built from the `.pyx` at its place in the tree, or from the `.py` with a `.pxd`."""


def native_extensions() -> list[Extension]:
    """The extensions, with Cython's sources. The working directory must be the project's."""
    return [
        Extension(
            name,
            [source],
            include_dirs=["mindviz/wire"],
            depends=["mindviz/wire/crc32c.h"],
            extra_compile_args=[] if sys.platform == "win32" else _FLAGS,
            optional=True,
        )
        for name in MODULES
        if (source := _source(name.replace(".", "/")))
    ]


def _translate(extensions: Sequence[Extension]) -> bool:
    """Replace the sources by C, which Cython generates. False if Cython is missing or fails."""
    try:
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError
    except ImportError:
        _warn("Cython is missing")
        return False
    try:
        translated = cythonize(
            list(extensions),
            build_dir=GENERATED,
            language_level=3,
            compiler_directives={
                "boundscheck": False,
                "wraparound": False,
                "cdivision": True,
                "initializedcheck": False,
                "annotation_typing": False,
            },
            quiet=True,
        )
    except CompileError as error:
        _warn(f"Cython failed: {error}")
        return False
    by_name = {extension.name: extension for extension in translated}
    for extension in extensions:
        extension.sources = by_name[extension.name].sources
        extension.depends = by_name[extension.name].depends
    return True


def _source(path: str) -> str | None:
    sources = (path + ".pyx", path + ".py")
    return next((source for source in sources if (ROOT / source).exists()), None)


class BuildNative(build_ext):
    """`build_ext` that reports failures, but lets the installation succeed."""

    def run(self) -> None:
        """Build all extensions, or report the failure."""
        # Here, because metadata and sdists need no C, and translating takes seconds.
        if not _translate(self.extensions or ()):
            return
        try:
            super().run()
        except Exception as error:  # noqa: BLE001 - whatever the compiler does, mindviz installs
            _warn(str(error))

    def build_extension(self, ext: Extension) -> None:
        """Build one extension, or report the failure."""
        try:
            super().build_extension(ext)
        except Exception as error:  # noqa: BLE001 - as above
            _warn(f"{ext.name}: {error}")

    def copy_extensions_to_source(self) -> None:
        """Copy built modules next to the sources (`--inplace`)."""
        everything, self.extensions = self.extensions, self._built()
        try:
            super().copy_extensions_to_source()
        finally:
            self.extensions = everything

    def has_built_any(self) -> bool:
        """Whether the build folder contains a compiled module."""
        return bool(self._built())

    def _built(self) -> list[Extension]:
        return [ext for ext in self.extensions or () if self._compiled(ext).exists()]

    def _compiled(self, ext: Extension) -> Path:
        name = self.get_ext_filename(self.get_ext_fullname(ext.name))  # type: ignore[no-untyped-call]
        return Path(self.build_lib, name)


class BuildWheel(bdist_wheel):
    """`bdist_wheel` that tags a wheel without native modules as pure."""

    def run(self) -> None:
        """Build, then pack the wheel."""
        self.run_command("build")
        native = self.get_finalized_command("build_ext")
        if not (isinstance(native, BuildNative) and native.has_built_any()):
            self.distribution.ext_modules = None
            self.root_is_pure = True
        super().run()


def _warn(reason: str) -> None:
    print(
        f"mindviz: native modules are not built ({reason}); the pure-Python ones are used instead.",
        file=sys.stderr,
    )
