"""The experiments that somebody wants to see: `DIR` or `NAME=DIR`, several times."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mindviz.cli.options import Parsed
from mindviz.cli.summary_base_dir import absolute
from mindviz.config import ExperimentSource
from mindviz.errors import StartError

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def parse_source(text: str) -> ExperimentSource:
    """`NAME=DIR`, or `DIR` without a name. A path that exists is one, whatever is in it.

    Raises StartError.
    """
    name, equals, directory = text.partition("=")
    if not equals or "/" in name or os.path.lexists(absolute(text)):
        return ExperimentSource("", absolute(text))
    hint = f" If {text!r} is a directory to come, write ./{text}."
    return ExperimentSource(checked_name(name, hint), absolute(directory))


def checked_name(name: str, hint: str = "") -> str:
    """The name of an experiment. Raises StartError, whose message ends with the hint."""
    if not _NAME.fullmatch(name):
        raise StartError(
            f"{name!r} cannot be the name of an experiment: it may have letters, digits, '_' and "
            f"'-'.{hint}"
        )
    return name


class SourcesType(Parsed[ExperimentSource]):
    """`NAME=DIR` as an option; in the environment several are separated as in PATH."""

    envvar_list_splitter = os.pathsep

    def __init__(self) -> None:
        super().__init__("directory", parse_source)

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """The single texts; a path that exists is one, whatever is in it."""
        whole: Any = [rv]
        return whole if os.path.lexists(absolute(rv)) else super().split_envvar_value(rv)


def named(sources: Sequence[ExperimentSource]) -> tuple[ExperimentSource, ...]:
    """The same, those without a name called like their directories, unless there is only one.

    Raises StartError if two have the same name.
    """
    if len(sources) == 1:
        return tuple(sources)
    # Beside others nobody waits for the first one of a database: it is added when it comes.
    there = (one for one in sources if one.experiment_id or isinstance(one.location, Path))
    found = tuple(one if one.experiment_id else _named_by_directory(one) for one in there)
    (name, count), *_ = Counter(one.experiment_id for one in found).most_common(1)
    if count > 1:
        places = " and ".join(repr(one.shown) for one in found if one.experiment_id == name)
        raise StartError(f"Experiment {name!r} would be {places}: name them with NAME=DIR.")
    return found


def _named_by_directory(source: ExperimentSource) -> ExperimentSource:
    return replace(source, experiment_id=name_of_directory(Path(source.location)))


def name_of_directory(directory: Path) -> str:
    """What an experiment is called whose name nobody gave."""
    return _NOT_IN_NAMES.sub("-", directory.name).strip("-") or "experiment"


def stored_in(url: str) -> tuple[ExperimentSource, ...]:
    """All experiments of a database, in the order of their first imports.

    If there are none, one without a name stands for the first to come. Raises StartError,
    DatabaseUnavailable.
    """
    from mindviz.datavisual.sql.database import Database
    from mindviz.datavisual.sql.found_series import experiment_names

    database = Database(url)
    try:
        database.check(may_be_empty=True)
        with database.reading() as connection:
            names = experiment_names(connection)
    finally:
        database.close()
    whole = database.url.render_as_string(hide_password=False)
    return tuple(ExperimentSource(name, whole) for name in names or [""])
