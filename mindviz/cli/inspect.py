"""`mindviz inspect`: summarize the logs in a directory, without a server."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mindviz.cli.options import LOGS, VERIFIED, discovery_options, option
from mindviz.cli.summary_base_dir import check_directory
from mindviz.config import Config


@click.command()
@click.argument("directory", metavar="DIR", type=LOGS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every file and tag.")
@click.option("--details", is_flag=True, help="List every file and tag, even if there are many.")
@VERIFIED
@discovery_options("DIR")
@option("--no-native", is_flag=True, help="Use the scanner in pure Python.")
def inspect(
    *,
    directory: Path | str,
    as_json: bool,
    details: bool,
    checksum: str,
    max_depth: int | None,
    follow_external_links: bool,
    no_native: bool,
) -> None:
    """Read the logs in DIR once; print their content and their problems.

    The exit code is 0 even if logs have problems.
    """
    check_directory(directory)
    config = Config(
        directory,
        reload_interval=0,
        checksum=checksum,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        inotify=False,
    )
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
