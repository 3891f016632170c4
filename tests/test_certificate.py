"""Certificates: which are accepted, and what clients trust."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from mindviz.certificate import Certificate
from mindviz.errors import StartError
from tests.certificates import certificate


def test_the_key_may_be_in_the_same_file_or_in_another(tmp_path: Path) -> None:
    apart = certificate(tmp_path)
    assert apart.keyfile is not None
    apart.server_context()
    together = tmp_path / "both.pem"
    together.write_bytes(apart.certfile.read_bytes() + apart.keyfile.read_bytes())
    assert Certificate(together).contents() == (together.read_bytes(), together.read_bytes())
    Certificate(together).server_context()


def test_unusable_files_are_reported(tmp_path: Path) -> None:
    mine, others = certificate(tmp_path), certificate(tmp_path, "other")
    assert others.keyfile is not None
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("nothing")
    for wrong, why in [
        (Certificate(tmp_path / "missing.pem"), "missing.pem: No such file"),
        (Certificate(mine.certfile, tmp_path / "missing.key"), "missing.key: No such file"),
        (Certificate(mine.certfile, others.keyfile), "other.key does not belong to"),
        (Certificate(mine.certfile), "--keyfile"),
        (Certificate(mine.certfile, nothing), "not a PEM certificate and its key"),
    ]:
        with pytest.raises(StartError, match=why):
            wrong.server_context()


def test_there_is_no_prompt_for_the_password_of_a_key(tmp_path: Path) -> None:
    mine = certificate(tmp_path)
    assert mine.keyfile is not None
    key = load_pem_private_key(mine.keyfile.read_bytes(), None)
    mine.keyfile.write_bytes(
        key.private_bytes(
            Encoding.PEM, PrivateFormat.TraditionalOpenSSL, BestAvailableEncryption(b"secret")
        )
    )
    with pytest.raises(StartError, match="is encrypted"):
        mine.server_context()


@pytest.mark.parametrize("is_same", [True, False])
def test_a_client_trusts_that_very_certificate(tmp_path: Path, *, is_same: bool) -> None:
    mine = certificate(tmp_path)
    trusted = mine if is_same else certificate(tmp_path, "other")
    context = mine.server_context()

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with (
            suppress(OSError),  # an untrusting client ends the handshake
            context.wrap_socket(connection, server_side=True) as encrypted,
        ):
            encrypted.sendall(b"hello")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        with socket.create_connection(listener.getsockname()) as connection:
            if is_same:
                with closing(trusted.connect(connection)) as encrypted:
                    assert encrypted.recv(5) == b"hello"
            else:
                with pytest.raises(OSError, match="another certificate"):
                    trusted.connect(connection)
        thread.join()


def test_a_certificate_of_a_known_authority_is_trusted(tmp_path: Path) -> None:
    authority = trustme.CA()
    intermediate = authority.create_child_ca()
    issued = intermediate.issue_cert("127.0.0.1")
    path = tmp_path / "chain.pem"
    issued.private_key_and_cert_chain_pem.write_to_path(path)
    Certificate(path).server_context()
