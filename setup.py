"""Hooks the native modules, the UI and the long description into setuptools."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build import build
from setuptools.command.sdist import sdist

# An isolated build has neither the project nor build/ on its path.
sys.path.insert(0, str(Path(__file__).resolve().parent / "build"))

from build_native import BuildNative, BuildWheel, native_extensions
from build_ui import BuildUi
from long_description import long_description


class Build(build):
    """`build` that makes the UI bundle first, so that it is there as package data."""

    sub_commands = [("build_ui", None), *build.sub_commands]


class Sdist(sdist):
    """`sdist` with the UI bundle, so that building from it needs no Node.js."""

    def run(self) -> None:
        """Build the UI, then collect the files."""
        self.run_command("build_ui")
        super().run()


own = {"build": Build, "build_ext": BuildNative, "build_ui": BuildUi, "sdist": Sdist}
setup(
    cmdclass=own | {"bdist_wheel": BuildWheel},
    ext_modules=native_extensions(),
    long_description=long_description(),
    long_description_content_type="text/markdown",
)
