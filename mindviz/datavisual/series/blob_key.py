"""BlobKey: an opaque, URL-safe token that stands for one blob.

It holds the address of the blob, which is looked up and never made a path, and a checksum: a key
that was tampered with is no key. Keys need no memory, so they outlive restarts and are shared by
all servers of one database.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass
from hashlib import blake2b

from mindviz.errors import BlobNotFound

_CHECKSUM_SIZE = 8
_LONGEST = 16_384
"""Characters; longer ones are nobody's."""
_PURPOSE = b"mindviz blob key"


@dataclass(frozen=True, slots=True)
class BlobAddress:
    """Which blob of which series."""

    experiment_id: str
    train_id: str
    plugin_name: str
    tag: str
    step: int
    index: int
    """Within the sequence of this step."""
    edition: int = 0
    """Which of the values that were ever written for this step; a provider's own number."""

    def key(self) -> str:
        """The token: letters, digits, `-` and `_`."""
        import orjson  # noqa: PLC0415 - imported late, for a short startup

        content = orjson.dumps(astuple(self))
        return urlsafe_b64encode(_checksum(content) + content).rstrip(b"=").decode()

    @staticmethod
    def of(key: str) -> BlobAddress:
        """The address in a token. Raises BlobNotFound, whatever is wrong with it."""
        import orjson  # noqa: PLC0415 - as above

        try:
            if len(key) > _LONGEST:
                raise BlobNotFound
            token = key.encode("ascii")
            data = urlsafe_b64decode(token + b"=" * (-len(token) % 4))
            content = data[_CHECKSUM_SIZE:]
            # Some characters decode to the same bytes: there is one key per blob.
            if data[:_CHECKSUM_SIZE] != _checksum(content):
                raise BlobNotFound
            address = BlobAddress(*orjson.loads(content))
        except (UnicodeError, binascii.Error, ValueError, TypeError):
            raise BlobNotFound from None
        if address.key() != key or not address._is_sound():
            raise BlobNotFound
        return address

    def _is_sound(self) -> bool:
        """Whether the parts are what they should be: anybody can compute a checksum."""
        texts = (self.experiment_id, self.train_id, self.plugin_name, self.tag)
        numbers = (self.step, self.index, self.edition)
        return all(isinstance(text, str) for text in texts) and all(
            type(number) is int and -(1 << 63) <= number < 1 << 63 for number in numbers
        )


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_SIZE, person=_PURPOSE).digest()
