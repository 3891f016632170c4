"""The options `--certfile` and `--keyfile`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mindviz.cli.options import FILE, Decorator, option

if TYPE_CHECKING:
    from mindviz.certificate import Certificate


def tls_options() -> Decorator:
    """`--certfile` and `--keyfile`."""
    certfile = option(
        "--certfile",
        type=FILE,
        help="Encrypt HTTP and gRPC with this PEM certificate, which may include its chain.",
    )
    keyfile = option(
        "--keyfile",
        type=FILE,
        help="Unencrypted PEM private key of the certificate.  [default: in --certfile]",
    )
    return lambda command: certfile(keyfile(command))


def certificate_in(certfile: Path | None, keyfile: Path | None) -> Certificate | None:
    """The certificate, or None without --certfile. Raises UsageError, StartError."""
    if certfile is None:
        if keyfile is not None:
            raise click.UsageError("--keyfile needs --certfile.")
        return None
    from mindviz.certificate import Certificate

    certificate = Certificate(certfile, keyfile)
    certificate.server_context()
    return certificate
