"""BlobKey: an opaque, URL-safe token for one blob.

It encodes the blob's address and a checksum. Addresses are looked up, never used as paths. Keys
need no memory, so they survive restarts, and all servers of a database share them.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass
from hashlib import blake2b

from mindviz.errors import BlobNotFound

_CHECKSUM_SIZE = 8
_LONGEST = 16_384
"""Maximum number of characters."""
_PURPOSE = b"mindviz blob key"


@dataclass(frozen=True, slots=True)
class BlobAddress:
    """The address of a blob."""

    experiment_id: str
    train_id: str
    plugin_name: str
    tag: str
    step: int
    index: int
    """Position in the sequence of this step."""
    edition: int = 0
    """Distinguishes values written for the same step; the store's own number."""

    def key(self) -> str:
        """The key: letters, digits, `-` and `_`."""
        import orjson  # noqa: PLC0415 - imported late, for a short startup

        content = orjson.dumps(astuple(self))
        return urlsafe_b64encode(_checksum(content) + content).rstrip(b"=").decode()

    @staticmethod
    def of(key: str) -> BlobAddress:
        """The address in a key. Raises BlobNotFound for any invalid key."""
        import orjson  # noqa: PLC0415 - as above

        try:
            if len(key) > _LONGEST:
                raise BlobNotFound
            token = key.encode("ascii")
            data = urlsafe_b64decode(token + b"=" * (-len(token) % 4))
            content = data[_CHECKSUM_SIZE:]
            # Some characters decode to the same bytes, but a blob has only one key.
            if data[:_CHECKSUM_SIZE] != _checksum(content):
                raise BlobNotFound
            address = BlobAddress(*orjson.loads(content))
        except (UnicodeError, binascii.Error, ValueError, TypeError):
            raise BlobNotFound from None
        if address.key() != key or not address._is_sound():
            raise BlobNotFound
        return address

    def _is_sound(self) -> bool:
        """Whether the types are correct, because clients can compute checksums."""
        texts = (self.experiment_id, self.train_id, self.plugin_name, self.tag)
        numbers = (self.step, self.index, self.edition)
        return all(isinstance(text, str) for text in texts) and all(
            type(number) is int and -(1 << 63) <= number < 1 << 63 for number in numbers
        )


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_SIZE, person=_PURPOSE).digest()
