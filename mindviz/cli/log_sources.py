"""Opens the directory, server or database that a command is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mindviz.asking.log_text import log_text
from mindviz.cli.options import option
from mindviz.errors import InvalidQuery, MindvizError

if TYPE_CHECKING:
    from mindviz.client.log_source import LogSource

_LONGEST_ERROR = 2_000

experiment_option = option(
    "--experiment", metavar="NAME", default="", help="The experiment.  [default: the first one]"
)
token_option = option(
    "--auth-token", metavar="TOKEN", default="", help="The server's access token."
)


@contextmanager
def open_location(
    location: str, experiment: str, token: str, workspace: Path, *, no_cache: bool
) -> Iterator[LogSource]:
    """The logs at a location, loaded. Errors repeat names of logs without control characters."""
    cache = None if no_cache else workspace
    # Imported late: loads the readers of logs.
    from mindviz.client.opening import open_source

    with printable_errors():
        source = open_source(location, experiment, token, 0, cache)
        try:
            _annotate(source, workspace)
            yield source
        finally:
            source.close()


def _annotate(source: LogSource, workspace: Path) -> None:
    """Give a source that this process reads the notes about its runs."""
    from mindviz.client.log_source import DatabaseSource, DirectorySource

    if isinstance(source, DirectorySource):
        from mindviz.lineagemgr.annotations import WorkspaceAnnotations

        source.annotations = WorkspaceAnnotations(workspace, source.base_dir)
    elif isinstance(source, DatabaseSource):
        from mindviz.backend.database_annotations import DatabaseAnnotations

        source.annotations = DatabaseAnnotations(source.database, source.experiment_id)


@contextmanager
def printable_errors() -> Iterator[None]:
    """Raises errors with escaped texts from logs."""
    try:
        yield
    except MindvizError as error:
        raise InvalidQuery(log_text(str(error), _LONGEST_ERROR)) from None
