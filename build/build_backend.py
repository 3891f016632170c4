"""The build backend: setuptools', which requires Node.js only if the UI has to be built.

The sdist contains the built UI, so installing it does not download Node.js.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from build_ui import build_requirements
from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Setuptools' requirements, and Node.js if the UI has to be built."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *build_requirements()]


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Setuptools' requirements, and Node.js if the UI has to be built."""
    return [*build_meta.get_requires_for_build_sdist(config_settings), *build_requirements()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Setuptools' requirements, and Node.js if the UI has to be built."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *build_requirements()]
