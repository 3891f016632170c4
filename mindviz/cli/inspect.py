"""`mindviz inspect`: summarize the logs in a directory, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Unpack

import click

from mindviz.cli.log_reading import Reading, config_for, reading_options
from mindviz.cli.options import LOGS, VERIFIED, option


@click.command()
@click.argument("directory", metavar="DIR", type=LOGS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every file and tag.")
@click.option("--details", is_flag=True, help="List every file and tag, even if there are many.")
@VERIFIED
@reading_options()
@option("--no-native", is_flag=True, help="Use the scanner in pure Python.")
def inspect(
    *,
    directory: Path | str,
    as_json: bool,
    details: bool,
    checksum: str,
    no_native: bool,
    **reading: Unpack[Reading],
) -> None:
    """Read the logs in DIR once; print their content and their problems.

    Logs that have not changed are taken from the cache: use --no-cache to verify them again. The
    exit code is 0 even if logs have problems.
    """
    reading["no_cache"] |= no_native  # what another scanner read
    config = config_for(directory, {"checksum": checksum}, **reading)
    from mindviz.cli.inspection import inspect_logs

    inspection = inspect_logs(config, native=not no_native)
    if as_json:
        # ASCII with escapes, because file names may contain bytes that are not UTF-8.
        click.echo(json.dumps(inspection.as_json(), allow_nan=False))
        return
    from mindviz.cli.inspection_text import print_inspection
    from mindviz.cli.missing_logs import why_no_logs

    no_jobs = "" if inspection.train_jobs else why_no_logs([directory])
    print_inspection(inspection, details=details, no_jobs=no_jobs)
    if not no_native:
        from mindviz.cli.startup_report import scanner_notes

        for note in scanner_notes({"scanner": inspection.scanner}):
            click.echo(note)
