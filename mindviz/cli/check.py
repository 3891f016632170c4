"""`mindviz check`: evaluate the anomaly rules on a log directory, for people and for CI."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mindviz.cli.options import LOGS, VERIFIED, discovery_options, option, rules_option
from mindviz.cli.summary_base_dir import check_directory
from mindviz.config import Config


@click.command()
@click.argument("directory", metavar="DIR", type=LOGS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@rules_option("DIR")
@click.option(
    "--fail-on",
    type=click.Choice(["note", "warning", "severe", "never"]),
    default="warning",
    show_default=True,
    help="Least severity of an event for exit code 1.",
)
@VERIFIED
@discovery_options("DIR")
@option("--no-native", is_flag=True, help="Use the scanner in pure Python.")
def check(
    *,
    directory: Path | str,
    as_json: bool,
    rules_file: Path | None,
    fail_on: str,
    checksum: str,
    max_depth: int | None,
    follow_external_links: bool,
    no_native: bool,
) -> int:
    """Evaluate the anomaly rules on all scalars in DIR.

    The exit code is 0 without events, 1 with events, and 2 if DIR or the rules cannot be read.
    """
    check_directory(directory)
    config = Config(
        directory,
        reload_interval=0,
        checksum=checksum,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        inotify=False,
        rules_file=rules_file,
    )
    from mindviz.cli.checked_logs import check_logs, event_lines

    checked = check_logs(config, native=not no_native)
    if as_json:
        # ASCII with escapes, because file names may contain bytes that are not UTF-8.
        click.echo(json.dumps(checked.as_json(), allow_nan=False))
    else:
        for line in event_lines(checked):
            click.echo(line)
    return int(checked.fails(fail_on))
