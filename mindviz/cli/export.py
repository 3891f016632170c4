"""`mindviz export`: all data of a log directory as one file, for other programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, Unpack

import click

from mindviz.cli.log_reading import Reading, config_for, reading_options
from mindviz.cli.options import FILE, LOGS, option
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.datavisual.series.selection import Restarts
    from mindviz.export.exports import Export

FORMATS = ("csv", "json", "npz", "parquet")


def _check_kind(_ctx: click.Context, _option: click.Parameter, value: str) -> str:
    from mindviz.export.exports import data_kinds

    if value not in data_kinds():
        raise click.BadParameter(f"{value!r} is not one of {', '.join(data_kinds())}.")
    return value


@click.command()
@click.argument("directory", metavar="DIR", type=LOGS)
@option(
    "--format", "output_format", type=click.Choice(FORMATS), required=True, help="Output format."
)
@option(
    "--what",
    metavar="DATA",
    required=True,
    callback=_check_kind,
    help="scalars, images, histograms, tensors, lineage, or other data that a plugin exports.",
)
@option(
    "--tag",
    metavar="REGEX",
    help="Only series whose tag matches; for lineage, scalars to add as columns.",
)
@option("--train-id", metavar="REGEX", help="Only runs whose id matches.")
@option("--output", type=FILE, help="Output file.  [default: stdout]")
@option(
    "--restarts",
    type=click.Choice(["latest", "all"]),
    default="latest",
    help="For scalars: also export points that a restart replaced.",
)
@reading_options("Folder of the cache and, for lineage, of the notes about runs.")
def export(
    *,
    directory: Path | str,
    output_format: str,
    what: str,
    tag: str | None,
    train_id: str | None,
    output: Path | None,
    restarts: Restarts,
    **reading: Unpack[Reading],
) -> None:
    """Export every point in DIR, of all runs, to one file.

    With --what images --format csv --output FILE.csv, images are files in FILE_files.

    Damaged values are marked in their rows; `mindviz inspect` shows details.
    """
    config = config_for(directory, {}, **reading)
    from mindviz.export.exports import export_query, open_export

    query = export_query(what, output_format, tag=tag, train_id=train_id, restarts=restarts)
    if output is None and not query.format.is_text and sys.stdout.isatty():
        raise StartError(f"Cannot print {output_format} to a terminal: add --output FILE.")
    from mindviz.cli.loading import load_all
    from mindviz.datavisual.logs.log_store import LogStore
    from mindviz.lineagemgr.annotations import WorkspaceAnnotations
    from mindviz.lineagemgr.lineage_table import Lineages

    store = LogStore(config)
    load_all(store)
    annotations = WorkspaceAnnotations(config.workspace, directory)
    notes = annotations.all() if what == "lineage" else {}
    data = open_export(store, Lineages(store), query, notes)
    if output is None:
        with _with_progress(data) as pieces:
            _write(pieces, sys.stdout.buffer)
        return
    has_image_files = output_format == "csv" and what == "images"
    with (
        _image_folder(output) if has_image_files else nullcontext() as images,
        _with_progress(data, images) as pieces,
    ):
        size = _write_file(pieces, output)
    from mindviz.cli.quantities import count_text, size_text

    noun, plural = ("run", "runs") if what == "lineage" else ("series", "series")
    count = count_text(data.count, noun, plural)
    click.echo(f"Exported {count} ({size_text(size)}) to {output}", err=True)


@contextmanager
def _image_folder(output: Path) -> Iterator[Path]:
    """A new folder next to the output, for its images; deleted on failure. Raises StartError."""
    folder = output.with_name(f"{output.stem}_files")
    try:
        folder.mkdir()
    except OSError as error:
        raise StartError(f"Cannot create {str(folder)!r}: {error.strerror}.") from None
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def _with_progress(data: Export, images: Path | None = None) -> Iterator[Iterable[bytes]]:
    """The pieces of an export, with a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield data.pieces(images=images)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"Exporting {data.query.what}", total=data.count)
        yield data.pieces(lambda: bar.advance(task), images)


def _write(pieces: Iterable[bytes], file: IO[bytes]) -> int:
    """Returns the number of bytes."""
    size = 0
    for piece in pieces:
        file.write(piece)
        size += len(piece)
    file.flush()
    return size


def _write_file(pieces: Iterable[bytes], path: Path) -> int:
    """Write a file atomically; returns its size. Raises StartError."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".mindviz-export-", delete=False) as file:
            temporary = Path(file.name)
            try:
                size = _write(pieces, file)
                temporary.chmod(_default_mode())
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StartError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from None
    return size


def _default_mode() -> int:
    """The permissions of a new file, by the umask; temporary files are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
