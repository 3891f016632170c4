"""Creates TLS certificates for local servers."""

from __future__ import annotations

from pathlib import Path

import trustme

from mindviz.certificate import Certificate


def certificate(directory: Path, name: str = "server") -> Certificate:
    """A certificate for localhost and its key, in files; `<name>.authority` verifies it."""
    authority = trustme.CA()
    issued = authority.issue_cert("localhost", "127.0.0.1")
    certfile, keyfile = directory / f"{name}.pem", directory / f"{name}.key"
    issued.private_key_pem.write_to_path(keyfile)
    issued.cert_chain_pems[0].write_to_path(certfile)
    authority.cert_pem.write_to_path(directory / f"{name}.authority")
    return Certificate(certfile, keyfile)
