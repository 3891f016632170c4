"""Parses the experiments to serve: `DIR` or `NAME=DIR`, several times; DIR may be a URL."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from mindviz.cli.options import Parsed
from mindviz.cli.summary_base_dir import absolute, location
from mindviz.config import ExperimentSource
from mindviz.errors import StartError
from mindviz.object_url import is_object_url

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SEPARATOR = re.compile(f"{os.pathsep}(?!//)")
"""Between paths and URLs in the environment."""
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def parse_source(text: str) -> ExperimentSource:
    """`NAME=DIR`, or `DIR` without a name; existing paths take precedence. Raises StartError."""
    name, equals, directory = text.partition("=")
    if not equals or "/" in name or os.path.lexists(absolute(text)):
        return ExperimentSource("", location(text))
    hint = f" If {text!r} is a directory, write ./{text}."
    return ExperimentSource(checked_name(name, hint), location(directory))


def checked_name(name: str, hint: str = "") -> str:
    """The name. Raises StartError if it is invalid, with the hint at the end."""
    if not _NAME.fullmatch(name):
        raise StartError(
            f"Invalid experiment name {name!r}: use letters, digits, '_' and '-'.{hint}"
        )
    return name


class SourcesType(Parsed[ExperimentSource]):
    """`NAME=DIR` as an option; values in the environment are separated as in PATH."""

    def __init__(self) -> None:
        super().__init__("directory", parse_source)

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """The separate values; an existing path that contains a separator is one value."""
        if not is_object_url(rv) and os.path.lexists(absolute(rv)):
            return [rv]
        return [str(part) for part in _SEPARATOR.split(rv)]


def with_names(sources: Sequence[ExperimentSource]) -> tuple[ExperimentSource, ...]:
    """The sources, with default names from their directories unless there is only one.

    Raises StartError if two names are equal.
    """
    if len(sources) == 1:
        return tuple(sources)
    # Omit the placeholder of an empty database: its experiments are added after an import.
    found = tuple(
        source
        if source.experiment_id
        else replace(source, experiment_id=default_name(source.location))
        for source in sources
        if source.experiment_id or source.base_dir
    )
    (name, count), *_ = Counter(source.experiment_id for source in found).most_common(1)
    if count > 1:
        locations = " and ".join(
            repr(source.shown) for source in found if source.experiment_id == name
        )
        raise StartError(
            f"Experiment name {name!r} is ambiguous ({locations}): name them with NAME=DIR."
        )
    return found


def default_name(directory: Path | str) -> str:
    """The default name of an experiment."""
    return _NOT_IN_NAMES.sub("-", PurePath(directory).name).strip("-") or "experiment"


def stored_in(url: str) -> tuple[ExperimentSource, ...]:
    """All experiments of a database, in the order of their first imports.

    For an empty database, a placeholder without a name. Raises StartError, DatabaseUnavailable.
    """
    from mindviz.datavisual.sql.database import Database
    from mindviz.datavisual.sql.stored_jobs import experiment_names

    database = Database(url)
    try:
        database.check(may_be_empty=True)
        with database.reading() as connection:
            names = experiment_names(connection)
    finally:
        database.close()
    location = database.url.render_as_string(hide_password=False)
    return tuple(ExperimentSource(name, location) for name in names or [""])
