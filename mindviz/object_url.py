"""Object URLs: `s3://bucket/prefix`, `gs://bucket/prefix` and `az://container/prefix`.

Credentials are never part of them: the SDKs find those in the environment and in their own files.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TypeGuard

from mindviz.errors import ExtraNotInstalled, StartError

EXTRA = "cloud"
SCHEMES = ("s3", "gs", "az")

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def is_object_url(location: object) -> TypeGuard[str]:
    """Whether a location is the URL of objects, not a path nor the URL of a database."""
    return isinstance(location, str) and location.partition("://")[0].lower() in SCHEMES


def checked_object_url(text: str) -> str:
    """The URL without a trailing slash. Raises StartError, ExtraNotInstalled.

    No message repeats a part that may hold a secret.
    """
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower()
    bucket, _, prefix = rest.partition("/")
    if not {"@", ":"}.isdisjoint(bucket):  # the rest of a secret may be in the prefix
        raise StartError(
            f"A {scheme}:// URL must not hold credentials: set them as for the provider's own "
            "tools, in the environment or in their files."
        )
    if "?" in rest or "#" in rest:
        raise StartError(
            f"A {scheme}:// URL ends with its prefix: remove the part from '?' or '#'."
        )
    if not _BUCKET.fullmatch(bucket):
        raise StartError(f"{text!r} names no bucket: write it like {scheme}://bucket/prefix.")
    parts = prefix.rstrip("/").split("/") if prefix.strip("/") else []
    if not {"", ".", ".."}.isdisjoint(parts):
        raise StartError(f"{text!r} has an empty part, '.' or '..' in its prefix.")
    if find_spec("obstore") is None:
        raise ExtraNotInstalled(f"Reading {scheme}:// URLs", EXTRA)
    return "/".join((f"{scheme}://{bucket}", *parts))
