"""`mindviz import`: import new data of a log directory into a database."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mindviz.cli.experiment_sources import checked_name, default_name
from mindviz.cli.options import LOGS, VERIFIED, Parsed, discovery_options, option
from mindviz.cli.summary_base_dir import check_directory
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.datavisual.sql.importer import Importer, ImportProgress

_FAILED = 1
"""Exit code if some train jobs failed; the others are imported."""


@click.command(name="import")
@click.argument("directory", metavar="DIR", type=LOGS)
@option(
    "--db",
    metavar="URL",
    required=True,
    help="Database: sqlite:///path/to/file.db, the path of such a file, or "
    "postgresql://user:password@host/name.",
)
@option(
    "--experiment",
    type=Parsed("name", checked_name),
    help="Name in the database.  [default: the name of DIR]",
)
@option(
    "--processes",
    type=click.IntRange(1, 256),
    help="Number of local worker processes.  [default: the number of CPUs]",
)
@option(
    "--on",
    metavar="URL",
    default="",
    help="Dask scheduler whose workers import, such as tcp://host:8786; needs PostgreSQL.",
)
@option("--watch", is_flag=True, help="Keep importing new data, until Ctrl-C.")
@option(
    "--reload-interval",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=5.0,
    help="Pause between imports with --watch.",
)
@VERIFIED
@discovery_options("DIR")
def import_(
    *,
    directory: Path | str,
    db: str,
    experiment: str | None,
    processes: int | None,
    on: str,
    watch: bool,
    reload_interval: float,
    checksum: str,
    max_depth: int | None,
    follow_external_links: bool,
) -> int:
    """Import the logs in DIR into a database, for `mindviz start --db URL`.

    Re-running imports only new data; --watch does so until Ctrl-C. Interrupted imports resume.
    """
    check_directory(directory)
    from mindviz.datavisual.sql.database import Database
    from mindviz.datavisual.sql.importer import Importer, ImportOptions

    database = Database(db)
    if on and database.is_sqlite:
        raise StartError("--on needs PostgreSQL: other machines cannot write to a SQLite file.")
    options = ImportOptions(
        directory,
        experiment or default_name(directory),
        may_move=experiment is not None,
        processes=processes or len(os.sched_getaffinity(0)),
        scheduler=on,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        verify_all=checksum == "always",
    )
    importer = Importer(database, options)
    started = time.monotonic()
    try:
        _run(importer)
        seconds = time.monotonic() - started
        click.echo(f"{_summary(importer.progress, seconds)} {database.shown}")
        if watch:
            _watch(importer, reload_interval)
    except KeyboardInterrupt:
        click.echo("Interrupted. Repeat the command to resume the import.", err=True)
        raise
    finally:
        database.close()
    return _FAILED if importer.progress.failed else 0


def _run(importer: Importer) -> None:
    """Import, with a progress bar if stderr is a terminal."""
    from mindviz.cli.loading import progress
    from mindviz.cli.progress import Load

    def poll() -> Load:
        current = importer.progress
        return Load(
            current.train_jobs, current.bytes, current.bytes_read, points=current.points_read
        )

    with progress(poll, "Importing"):
        importer.run()


def _watch(importer: Importer, seconds: float) -> None:
    """Import new data forever; prints a line per import that added any."""
    from mindviz.cli.quantities import count_text

    for progress in importer.watch(seconds):
        if progress.points or progress.values:
            click.echo(
                f"{count_text(progress.imported, 'run')}: "
                f"{count_text(progress.points, 'scalar point')} and "
                f"{count_text(progress.values, 'other value')} added"
            )


def _summary(progress: ImportProgress, seconds: float) -> str:
    from mindviz.cli.quantities import count_text, seconds_text

    if not (progress.train_jobs or progress.unchanged or progress.failed):
        return "No logs found in this directory; an empty experiment is in"
    added = (
        f"{count_text(progress.imported, 'run')} imported, "
        f"{count_text(progress.unchanged)} unchanged"
    )
    if progress.failed:
        added += f", {count_text(len(progress.failed))} failed"
    return (
        f"{added}: {count_text(progress.points, 'scalar point')} and "
        f"{count_text(progress.values, 'other value')} in {seconds_text(seconds)}, now in"
    )
