"""`mindviz check`: evaluate the anomaly rules on a log directory, for people and for CI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Unpack

import click

from mindviz.cli.log_reading import Reading, config_for, reading_options
from mindviz.cli.options import LOGS, checksum_option, option, rules_option


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
@checksum_option("lazy", "Whether to verify records over 64 KiB, which are no scalars, too.")
@reading_options()
@option("--no-native", is_flag=True, help="Use the scanner in pure Python.")
def check(
    *,
    directory: Path | str,
    as_json: bool,
    rules_file: Path | None,
    fail_on: str,
    checksum: str,
    no_native: bool,
    **reading: Unpack[Reading],
) -> int:
    """Evaluate the anomaly rules on all scalars in DIR.

    The exit code is 0 without events, 1 with events or lost data, and 2 for errors, also if DIR has
    no runs.
    """
    reading["no_cache"] |= no_native  # what another scanner read
    config = config_for(directory, {"checksum": checksum, "rules_file": rules_file}, **reading)
    from mindviz.cli.checked_logs import check_logs, event_lines

    checked = check_logs(config, native=not no_native)
    if as_json:
        # ASCII with escapes, because file names may contain bytes that are not UTF-8.
        click.echo(json.dumps(checked.as_json(), allow_nan=False))
    else:
        for line in event_lines(checked):
            click.echo(line)
    return int(checked.fails(fail_on))
