"""Hooks the native modules and the UI build into setuptools; all metadata is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build import build
from setuptools.command.sdist import sdist

# An isolated build has neither the project nor build/ on its path.
sys.path.insert(0, str(Path(__file__).resolve().parent / "build"))

from build_native import BuildNative, native_extensions
from build_ui import BuildUi


class Build(build):
    """`build` that makes the UI bundle first, so that it is there as package data."""

    sub_commands = [("build_ui", None), *build.sub_commands]


class Sdist(sdist):
    """`sdist` that holds the UI bundle, so that nobody who installs it needs Node."""

    def run(self) -> None:
        """Build the UI, then collect the files."""
        self.run_command("build_ui")
        super().run()


setup(
    ext_modules=native_extensions(),
    cmdclass={"build": Build, "build_ext": BuildNative, "build_ui": BuildUi, "sdist": Sdist},
)
