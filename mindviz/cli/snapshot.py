"""`mindviz snapshot`: the page and its data as one HTML file, or as a folder for a web host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mindviz import __version__
from mindviz.cli.log_sources import experiment_option, printable_errors, token_option
from mindviz.cli.options import FILE, Parsed, cache_options, option
from mindviz.cli.summary_base_dir import check_directory
from mindviz.cli.summary_base_dir import location as log_location
from mindviz.config import Config, ExperimentSource, parse_size, reading_config
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.snapshots.recorder import AnswerSource

_DEFAULT = "mindviz-snapshot.html"
_NO_DIRECTORY = re.compile(r"(https?|sqlite|postgres)[a-z0-9+]*://", re.IGNORECASE)
"""URLs of servers and databases."""


@click.command()
@click.argument("location", metavar="DIR|URL|DB")
@click.option("-o", "--output", type=FILE, help=f"HTML file.  [default: {_DEFAULT}]")
@click.option("--folder", type=FILE, help="Write static files into this new folder instead.")
@option(
    "--budget",
    metavar="SIZE",
    type=Parsed("size", parse_size),
    default="20MB",
    help="Maximum size of the file, or of the data in the folder.",
)
@click.option("--view", metavar="LINK", default="", help="The view to show, as a link to the page.")
@experiment_option
@token_option
@cache_options("Folder of the cache and of the notes about runs.")
def snapshot(
    *,
    location: str,
    output: Path | None,
    folder: Path | None,
    budget: int,
    view: str,
    experiment: str,
    auth_token: str,
    workspace: Path,
    no_cache: bool,
) -> None:
    """Save the page and its data as one HTML file that opens without a server.

    URL may be a link copied from the page: the snapshot then opens with this view.

    Series are exact if they fit, else reduced to their minima and maxima; the page and the output
    state what was reduced or left out.
    """
    if output is not None and folder is not None:
        raise StartError("--output and --folder exclude each other.")
    from mindviz.backend.webui import webui_dir
    from mindviz.cli.saved_snapshot import save_file, save_folder

    page = webui_dir()
    where = location, experiment, auth_token, workspace
    with printable_errors(), _answers(*where, no_cache=no_cache) as answers:
        link = view or location
        if folder is not None:
            lines = save_folder(answers, link, budget, page, folder)
        else:
            lines = save_file(answers, link, budget, page, output or Path(_DEFAULT))
    for line in lines:
        click.echo(line)


@contextmanager
def _answers(
    location: str, experiment: str, token: str, workspace: Path, *, no_cache: bool
) -> Iterator[AnswerSource]:
    """The answers of a server, or those of this process for a database or directory."""
    from mindviz.backend.app import create_app
    from mindviz.backend.own_answers import OwnAnswers

    if _NO_DIRECTORY.match(location) or Path(location).expanduser().is_file():
        from mindviz.client.log_source import DatabaseSource, ServerSource
        from mindviz.client.opening import open_source

        with closing(open_source(location, experiment, token)) as source:
            if isinstance(source, ServerSource):
                yield source.answers
            elif isinstance(source, DatabaseSource):
                stored = ExperimentSource(source.experiment_id, source.location)
                config = Config(Path(), workspace=workspace, experiments=(stored,))
                yield OwnAnswers(create_app(config, source.store))
        return
    if experiment:
        raise StartError("--experiment is for servers and databases.")
    directory = log_location(location)
    check_directory(directory)
    from mindviz.cli.loading import load_all
    from mindviz.cli.missing_logs import why_no_logs
    from mindviz.datavisual.logs.log_store import LogStore

    config = reading_config(directory, workspace, version=__version__, cached=not no_cache)
    store = LogStore(config)
    load_all(store)
    if not store.list_train_jobs():
        reason = why_no_logs([directory]) or "mindviz inspect shows the problems of its files."
        raise StartError(f"There are no runs in {str(directory)!r}. {reason}")
    yield OwnAnswers(create_app(config, store))
