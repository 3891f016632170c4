"""`mindviz export`: all data below a directory as one file, for other programs to read."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING

import click

from mindviz.cli.options import DIRECTORY, Option, Parsed, discovery_options, workspace_option
from mindviz.cli.summary_base_dir import absolute, check_directory
from mindviz.config import Config
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.datavisual.series.selection import Restarts
    from mindviz.export.exports import Export

FORMATS = ("csv", "json", "npz", "parquet")
WHAT = ("scalars", "images", "histograms", "tensors", "lineage")


@click.command()
@click.argument("directory", metavar="DIR", type=DIRECTORY)
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
@workspace_option("Of lineage, where what was noted about train jobs is kept.")
@click.option(
    "--restarts",
    cls=Option,
    type=click.Choice(["latest", "all"]),
    default="latest",
    show_default=True,
    help="Of scalars, whether what a restart replaced is written, too.",
)
@discovery_options("DIR")
def export(
    *,
    directory: Path,
    output_format: str,
    what: str,
    tag: str | None,
    train_id: str | None,
    output: Path | None,
    workspace: Path,
    restarts: Restarts,
    max_depth: int | None,
    follow_external_links: bool,
) -> None:
    """Write every point below DIR, of many train jobs at once, as one file.

    Images as csv with --output FILE.csv are files in FILE_files, which the csv names.

    What is damaged is a row that says so; `mindviz inspect` says more.
    """
    check_directory(directory)
    from mindviz.export.exports import export_query, open_export

    query = export_query(what, output_format, tag=tag, train_id=train_id, restarts=restarts)
    if output is None and not query.format.is_text and sys.stdout.isatty():
        raise StartError(f"A terminal cannot show {output_format}: add --output FILE.")
    from mindviz.cli.loading import load_all
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )
    from mindviz.lineagemgr.annotations import Annotations
    from mindviz.lineagemgr.lineage_table import Lineages

    config = Config(
        directory,
        reload_interval=0,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        inotify=False,
    )
    experiment = LogStore(config)
    load_all(experiment)
    noted = Annotations(workspace, directory).all() if what == "lineage" else {}
    found = open_export(experiment, Lineages(experiment), query, noted)
    if output is None:
        with _counted(found) as pieces:
            _write(pieces, sys.stdout.buffer)
        return
    beside = output_format == "csv" and what == "images"
    with (
        _image_folder(output) if beside else nullcontext() as images,
        _counted(found, images) as pieces,
    ):
        size = _write_file(pieces, output)
    from mindviz.cli.quantities import count_text, size_text

    noun, plural = ("train job", "train jobs") if what == "lineage" else ("series", "series")
    counted = count_text(found.count, noun, plural)
    click.echo(f"{counted}, {size_text(size)}: {output}", err=True)


@contextmanager
def _image_folder(output: Path) -> Iterator[Path]:
    """A new folder beside a file, for its images; gone if they fail. Raises StartError."""
    folder = output.with_name(f"{output.stem}_files")
    try:
        folder.mkdir()
    except OSError as error:
        raise StartError(f"{str(folder)!r} cannot be made: {error.strerror}.") from None
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def _counted(found: Export, images: Path | None = None) -> Iterator[Iterable[bytes]]:
    """The pieces of an export; with a bar on stderr, if that is a terminal, on how far it is."""
    if not sys.stderr.isatty():
        yield found.pieces(images=images)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"Exporting {found.query.what}", total=found.count)
        yield found.pieces(lambda: bar.advance(task), images)


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
