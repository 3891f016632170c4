"""`mindviz export`: all data below a directory as one file, for other programs to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING

import click

from mindviz.cli.base_dir import absolute, check_directory
from mindviz.cli.options import Option, Parsed
from mindviz.config import Config
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.datavisual.data_transform.experiment import Restarts
    from mindviz.export.exports import Export

FORMATS = ("csv", "json", "npz", "parquet")
WHAT = ("scalars", "images", "histograms", "tensors", "lineage")


@click.command()
@click.argument("directory", metavar="DIR", type=Parsed("directory", absolute))
@click.option(
    "--format",
    "output_format",
    cls=Option,
    type=click.Choice(FORMATS),
    required=True,
    help="What to write.",
)
@click.option(
    "--what", cls=Option, type=click.Choice(WHAT), required=True, help="What to write of."
)
@click.option(
    "--tag",
    cls=Option,
    metavar="REGEX",
    help="Only series in whose tags this is found; of lineage, scalars to add as columns.",
)
@click.option(
    "--train-id", cls=Option, metavar="REGEX", help="Only train jobs in whose ids this is found."
)
@click.option(
    "--output",
    cls=Option,
    metavar="FILE",
    type=Parsed("file", absolute),
    help="Where to write it.  [default: the standard output]",
)
@click.option(
    "--restarts",
    cls=Option,
    type=click.Choice(["latest", "all"]),
    default="latest",
    show_default=True,
    help="Of scalars, whether what a restart replaced is written, too.",
)
@click.option(
    "--max-depth",
    cls=Option,
    metavar="LEVELS",
    type=click.IntRange(min=0),
    help="How deep below DIR train jobs are looked for.  [default: any depth]",
)
@click.option(
    "--follow-external-links",
    cls=Option,
    is_flag=True,
    help="Follow symbolic links that lead out of DIR.",
)
def export(
    *,
    directory: Path,
    output_format: str,
    what: str,
    tag: str | None,
    train_id: str | None,
    output: Path | None,
    restarts: Restarts,
    max_depth: int | None,
    follow_external_links: bool,
) -> None:
    """Write every point below DIR, of many train jobs at once, as one file.

    What is damaged is a row that says so; `mindviz inspect` says more.
    """
    check_directory(directory)
    from mindviz.export.exports import export_query, open_export

    query = export_query(what, output_format, tag=tag, train_id=train_id, restarts=restarts)
    if output is None and not query.format.is_text and sys.stdout.isatty():
        raise StartError(f"A terminal cannot show {output_format}: add --output FILE.")
    from mindviz.cli.loading import load_all
    from mindviz.datavisual.data_transform.log_directory_experiment import LogDirectoryExperiment
    from mindviz.lineagemgr.lineage_table import Lineages

    config = Config(
        directory,
        reload_interval=0,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        inotify=False,
    )
    experiment = LogDirectoryExperiment(config)
    load_all(experiment)
    found = open_export(experiment, Lineages(experiment), query)
    with _counted(found) as pieces:
        if output is None:
            _write(pieces, sys.stdout.buffer)
            return
        size = _write_file(pieces, output)
    from mindviz.cli.quantities import count_text, size_text

    noun, plural = ("train job", "train jobs") if what == "lineage" else ("series", "series")
    counted = count_text(found.count, noun, plural)
    click.echo(f"{counted}, {size_text(size)}: {output}", err=True)


@contextmanager
def _counted(found: Export) -> Iterator[Iterable[bytes]]:
    """The pieces of an export; with a bar on stderr, if that is a terminal, on how far it is."""
    if not sys.stderr.isatty():
        yield found.pieces()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"Exporting {found.query.what}", total=found.count)
        yield found.pieces(lambda: bar.advance(task))


def _write(pieces: Iterable[bytes], file: IO[bytes]) -> int:
    """How many bytes were written."""
    size = 0
    for piece in pieces:
        file.write(piece)
        size += len(piece)
    file.flush()
    return size


def _write_file(pieces: Iterable[bytes], path: Path) -> int:
    """Write a file that is there as a whole or not at all; its size. Raises StartError."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".mindviz-export-", delete=False) as file:
            unfinished = Path(file.name)
            try:
                size = _write(pieces, file)
                unfinished.chmod(_usual_mode())
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(f"{str(path)!r} cannot be written: {reason}.") from None
    return size


def _usual_mode() -> int:
    """The permissions that a new file has, not those of a temporary one."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
