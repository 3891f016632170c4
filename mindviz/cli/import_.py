"""`mindviz import`: put the logs below a directory into a database, or what is new of them."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mindviz.cli.experiment_sources import checked_name, name_of_directory
from mindviz.cli.options import DIRECTORY, VERIFIED, Option, Parsed, discovery_options
from mindviz.cli.summary_base_dir import check_directory

if TYPE_CHECKING:
    from mindviz.datavisual.sql.importer import Importer, ImportProgress

_FAILED = 1
"""Exit code, if some train jobs could not be imported; the others are."""


@click.command(name="import")
@click.argument("directory", metavar="DIR", type=DIRECTORY)
@click.option(
    "--db",
    cls=Option,
    metavar="URL",
    required=True,
    help="Where to: sqlite:///path/to/file.db, the path of such a file, or "
    "postgresql://user:password@host/name.",
)
@click.option(
    "--experiment",
    cls=Option,
    metavar="NAME",
    type=Parsed("name", checked_name),
    help="What it is called in the database.  [default: as DIR is]",
)
@click.option(
    "--processes",
    cls=Option,
    type=click.IntRange(1, 256),
    help="How many decode; one more writes.  [default: as many as there are processors]",
)
@VERIFIED
@discovery_options("DIR")
def import_(
    *,
    directory: Path,
    db: str,
    experiment: str | None,
    processes: int | None,
    checksum: str,
    max_depth: int | None,
    follow_external_links: bool,
) -> int:
    """Put the logs below DIR into a database, from which `mindviz start --db URL` shows them.

    What is there already stays as it is: repeated, only what is new is read and added, and what was
    broken off goes on where it was.
    """
    check_directory(directory)
    from mindviz.datavisual.sql.database import Database
    from mindviz.datavisual.sql.importer import Importer, ImportOptions

    database = Database(db)
    options = ImportOptions(
        directory,
        experiment or name_of_directory(directory),
        may_move=experiment is not None,
        processes=processes or len(os.sched_getaffinity(0)),
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        verify_all=checksum == "always",
    )
    importer = Importer(database, options)
    begun = time.monotonic()
    try:
        _run(importer)
    except KeyboardInterrupt:
        click.echo("What was imported so far is there; the same command goes on from it.", err=True)
        raise
    finally:
        database.close()
    click.echo(f"{_summary(importer.progress, time.monotonic() - begun)} {database.shown}")
    return _FAILED if importer.progress.failed else 0


def _run(importer: Importer) -> None:
    """Import, with a bar on stderr, if that is a terminal."""
    from mindviz.cli.loading import progress
    from mindviz.cli.progress import Load

    def look() -> Load:
        known = importer.progress
        return Load(known.train_jobs, known.bytes, known.bytes_read)

    with progress(look, "Importing"):
        importer.run()


def _summary(progress: ImportProgress, seconds: float) -> str:
    from mindviz.cli.quantities import count_text, seconds_text

    if not progress.train_jobs and not progress.unchanged:
        return "There are no logs below this directory; an empty experiment is in"
    added = (
        f"{count_text(progress.imported, 'train job')} imported, "
        f"{count_text(progress.unchanged)} unchanged"
    )
    if progress.failed:
        added += f", {count_text(len(progress.failed))} failed"
    return (
        f"{added}: {count_text(progress.points, 'scalar point')} and "
        f"{count_text(progress.values, 'other value')} in {seconds_text(seconds)}, now in"
    )
