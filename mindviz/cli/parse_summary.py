"""`mindviz parse-summary`: export the scalars and images of one MindSpore run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from mindviz.cli.options import DIRECTORY, option
from mindviz.cli.summary_base_dir import check_directory
from mindviz.errors import StartError


@click.command("parse-summary")
@option("--summary-dir", default=".", type=DIRECTORY, help="Directory of the summary files.")
@option("--output", default=".", type=DIRECTORY, help="Parent of the output directory.")
def parse_summary(*, summary_dir: Path, output: Path) -> None:
    """Export the scalars and images of one MindSpore run.

    Writes DIR/output_<time>/scalar.csv and DIR/output_<time>/image/<tag>_<step>.png.
    """
    check_directory(summary_dir)
    from mindviz.cli.loading import progress
    from mindviz.cli.progress import Load
    from mindviz.cli.quantities import count_text
    from mindviz.cli.summary_dump import SummaryDump, summary_files, write_dump

    files = summary_files(summary_dir)
    if not files:
        raise StartError(f"No MindSpore summary files found in {str(summary_dir)!r}.")
    folder = output / datetime.now().strftime("output_%Y%m%d_%H%M%S_%f")  # noqa: DTZ005 - local
    total = sum(file.stat().st_size for file in files if file.exists())
    dump = SummaryDump()
    with progress(lambda: Load(1, total, dump.bytes_read)):
        write_dump(files, folder, dump)
    for problem in dump.problems:
        click.echo(f"mindviz: {problem}", err=True)
    written = f"{count_text(dump.scalars, 'scalar')} and {count_text(dump.images, 'image')}"
    click.echo(f"Wrote {written} from {count_text(len(files), 'file')} to {folder}")
