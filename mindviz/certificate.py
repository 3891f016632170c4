"""Certificate: a server's TLS certificate and key, for HTTP, gRPC and the command line."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from mindviz.errors import StartError


@dataclass(frozen=True, slots=True)
class Certificate:
    """PEM files."""

    certfile: Path
    """The certificate, followed by intermediate certificates, if any."""
    keyfile: Path | None = None
    """The unencrypted private key; None if it is in `certfile`."""

    def server_context(self) -> ssl.SSLContext:
        """The context for a server's connections. Raises StartError."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self.certfile, self.keyfile, password=_no_password)
        except (OSError, ValueError) as error:
            raise StartError(self._message(error)) from error
        return context

    def contents(self) -> tuple[bytes, bytes]:
        """(key, certificates); call `server_context` first to validate them."""
        return (self.keyfile or self.certfile).read_bytes(), self.certfile.read_bytes()

    def connect(self, connection: socket) -> ssl.SSLSocket:
        """Encrypt a client's connection to a server with exactly this certificate.

        Names, authorities and dates are not verified, because mindviz connects to itself. Raises
        OSError.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        encrypted = context.wrap_socket(connection)
        if encrypted.getpeercert(binary_form=True) != self._encoded():
            encrypted.close()
            raise OSError("The server has another certificate.")
        return encrypted

    def _encoded(self) -> bytes:
        text = self.certfile.read_text("ascii", "replace")
        begin = text.index(ssl.PEM_HEADER)
        end = text.index(ssl.PEM_FOOTER, begin) + len(ssl.PEM_FOOTER)
        return ssl.PEM_cert_to_DER_cert(text[begin:end])

    def _message(self, error: Exception) -> str:
        for path in filter(None, (self.certfile, self.keyfile)):
            try:
                path.open("rb").close()
            except OSError as unreadable:
                return f"Cannot read {path}: {unreadable.strerror}."
        key = self.keyfile or self.certfile
        if isinstance(error, _EncryptedKeyError):
            return f"The private key in {key} is encrypted: use an unencrypted key."
        if getattr(error, "reason", "") == "KEY_VALUES_MISMATCH":
            return f"The private key in {key} does not belong to {self.certfile}."
        if self.keyfile is None:
            return f"{self.certfile} contains no certificate with its private key: see --keyfile."
        return f"{self.certfile} and {self.keyfile} are not a PEM certificate and its key."


class _EncryptedKeyError(ValueError):
    """Raised in place of OpenSSL's prompt on the terminal."""


def _no_password() -> str:
    raise _EncryptedKeyError
