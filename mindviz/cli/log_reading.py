"""Options and settings of commands that read a directory by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict, Unpack

from mindviz import __version__
from mindviz.cli.options import Decorator, cache_options, discovery_options
from mindviz.cli.summary_base_dir import check_directory
from mindviz.config import Config, reading_config


class Reading(TypedDict):
    """Arguments of `reading_options`."""

    max_depth: int | None
    follow_external_links: bool
    workspace: Path
    no_cache: bool


def reading_options(workspace: str = "Folder of the cache.") -> Decorator:
    """Which logs in DIR to read, and whether to use the cache; `workspace` is a help text."""
    return lambda command: discovery_options("DIR")(cache_options(workspace)(command))


def config_for(
    directory: Path | str, settings: dict[str, Any], **reading: Unpack[Reading]
) -> Config:
    """The settings of a command that reads a directory. Raises StartError if it cannot be read.

    `settings` are other fields of Config.
    """
    check_directory(directory)
    return reading_config(
        directory,
        reading["workspace"],
        version=__version__,
        cached=not reading["no_cache"],
        max_depth=reading["max_depth"],
        follow_external_links=reading["follow_external_links"],
        **settings,
    )
