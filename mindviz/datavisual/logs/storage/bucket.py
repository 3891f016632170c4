"""Bucket: lists and reads the objects of one bucket, through obstore.

Every error becomes an OSError with a short reason. The messages of the library are not shown, since
they contain URLs, which may be signed.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from mindviz.config import s3_is_unsigned
from mindviz.deadline import waiting
from mindviz.errors import StartError

T = TypeVar("T")

_RETRIES: Any = {
    "max_retries": 4,
    "retry_timeout": timedelta(seconds=20),
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=2)},
}
"""Of a request that fails; the loader tries a file again later."""
_CLIENT: Any = {
    "allow_http": True,  # only for endpoints that the user gives as http://
    "connect_timeout": timedelta(seconds=5),
    "read_timeout": timedelta(seconds=15),
    "timeout": timedelta(seconds=120),
}
_ATTEMPTS = 3
"""The library does not repeat a request whose answer was cut off."""
_PAGE = 1000
"""Objects per answer of a store."""
_LISTINGS = 16
"""Listings kept of a bucket, each of one prefix."""

_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")
_REASONS = tuple(
    (re.compile(pattern), number, reason)
    for pattern, number, reason in (
        ("^NotFoundError|status code: 404", errno.ENOENT, "No such object or bucket"),
        (
            (
                "status code: 40[13]|<Code>(Expired|Invalid)Token|token request"
                r"|^(PermissionDenied|Unauthenticated)Error|^\w*(Credential|Token|Authorization)"
            ),
            errno.EACCES,
            "Permission denied ({answer})",
        ),
        (
            "^PreconditionError|status code: 412",
            errno.ESTALE,
            "The object was replaced while it was read",
        ),
        ("status code: 416", errno.ERANGE, "The range is behind the end of the object"),
        (
            "status code: 3|redirect without LOCATION|<Code>AuthorizationHeaderMalformed",
            errno.EINVAL,
            "The bucket is in another region: set AWS_REGION",
        ),
        (
            "^InvalidPathError",
            errno.EINVAL,
            "The key of an object has an empty part, '.' or '..', which cannot be read",
        ),
        ("Account must be specified", errno.EINVAL, "Set AZURE_STORAGE_ACCOUNT_NAME"),
        ("status code: ", errno.EIO, "The object store answers {answer}"),
        ("timed out", errno.ETIMEDOUT, "The object store does not answer in time"),
        ("response body", errno.EPIPE, "The object store cut the connection"),
        (
            "error sending request|HTTP error",
            errno.EHOSTUNREACH,
            "The object store cannot be reached",
        ),
    )
)
"""Type and message of an error -> errno and reason; the first match counts."""
_HINTS = {
    "s3": "Give them as for the AWS CLI: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile in "
    "~/.aws, or a role. For a public bucket, set AWS_SKIP_SIGNATURE=true.",
    "gs": "Give them as for Google's tools: GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth "
    "application-default login`, or a service account.",
    "az": "Give them as for Azure's tools: AZURE_STORAGE_ACCOUNT_NAME with "
    "AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_TOKEN or a managed identity.",
}


class ObjectState(NamedTuple):
    """What a store says about an object; any write changes it."""

    size: int
    """Bytes."""
    modified_ns: int
    version: str | None
    """The ETag."""

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> ObjectState:
        """From the metadata in an answer."""
        modified = meta["last_modified"]
        nanoseconds = int(modified.timestamp()) * 10**9 + modified.microsecond * 1000
        return cls(meta["size"], nanoseconds, meta["e_tag"])

    def status(self, url: str) -> os.stat_result:
        """As of a file. Device and inode depend only on the URL, since objects are rewritten.

        The version is in the time of the last change, below a millisecond.
        """
        changed_ns = self.modified_ns + crc32((self.version or "").encode()) % 10**6
        return file_status(stat.S_IFREG, url, self.size, self.modified_ns, changed_ns)


def file_status(
    kind: int, url: str, size: int, modified_ns: int, changed_ns: int
) -> os.stat_result:
    """A result of `os.stat`; `kind` is S_IFREG or S_IFDIR."""
    seconds = modified_ns // 10**9
    fields = (kind | 0o444, crc32(url.encode()), 0, 1, 0, 0, size, seconds, seconds, 0)
    precise = {
        "st_mtime": modified_ns / 1e9,
        "st_mtime_ns": modified_ns,
        "st_ctime_ns": changed_ns,
    }
    return os.stat_result(fields, precise)


class Bucket:
    """One bucket. Thread-safe, but unusable after a fork."""

    def __init__(self, root: str) -> None:
        """`root`: scheme and bucket. Raises OSError if its configuration is incomplete."""
        self.root = root
        self._store = _opened_store(root)
        self._lock = Lock()
        self._listed: dict[str, Mapping[str, ObjectState]] = {}
        """Prefix -> its last listing; the newest one last."""

    def list(self, prefix: str) -> Mapping[str, ObjectState]:
        """Key -> state of all objects below a prefix: one request per 1,000. Raises OSError."""

        def read() -> Mapping[str, ObjectState]:
            pages = self._store.list(prefix or None, chunk_size=_PAGE)
            return {meta["path"]: ObjectState.of(meta) for page in pages for meta in page}

        found = _repeated(read)
        with self._lock:
            self._listed.pop(prefix, None)  # the newest listing is the last one
            self._listed[prefix] = found
            if len(self._listed) > _LISTINGS:
                del self._listed[next(iter(self._listed))]
        return found

    def has_any(self, prefix: str) -> bool:
        """Whether there are objects below a prefix: one request. Raises OSError."""
        return _repeated(
            lambda: any(len(page) for page in self._store.list(prefix or None, chunk_size=1))
        )

    def state(self, key: str) -> ObjectState:
        """As of the last listing; asks the store if it was not listed. Raises OSError."""
        with self._lock:
            listings = tuple(self._listed.values())
        for listed in reversed(listings):
            if key in listed:
                return listed[key]
        return self._head(key)

    def get(
        self, key: str, start: int, stop: int, version: str | None = None
    ) -> tuple[ObjectState, memoryview]:
        """The bytes of a range, fewer at the end of the object, none behind it.

        Raises OSError: ESTALE if the object no longer has this version.
        """
        options: dict[str, Any] = {"range": (start, stop)}
        if version is not None:
            options["if_match"] = version

        def read() -> tuple[ObjectState, memoryview]:
            answer = self._store.get(key, options=options)
            return ObjectState.of(answer.meta), memoryview(answer.bytes())

        try:
            return _repeated(read)
        except OSError as error:
            if error.errno != errno.ERANGE:
                raise
            return self._head(key), memoryview(b"")

    def _head(self, key: str) -> ObjectState:
        return _repeated(lambda: ObjectState.of(self._store.head(key)))


def _repeated(request: Callable[[], T]) -> T:
    """The answer to a request, repeated if it was cut off. Raises OSError, ServerBusy."""
    with waiting():
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return request()
            except Exception as error:  # noqa: BLE001 - credential providers raise their SDK's errors
                problem = os_error(error)
                if problem.errno != errno.EPIPE or attempt == _ATTEMPTS:
                    raise problem from None
    raise AssertionError


@cache
def _bucket(root: str) -> Bucket:
    return Bucket(root)


def located(url: str) -> tuple[Bucket, str]:
    """The bucket of a URL, one per process because it holds connections, and the key in it."""
    scheme, _, rest = url.partition("://")
    name, _, key = rest.partition("/")
    return _bucket(f"{scheme}://{name}"), key


def check_readable(url: str) -> bool:
    """Whether there are objects below the URL. Raises StartError if they cannot be listed."""
    try:
        bucket, prefix = located(url)
        return bucket.has_any(prefix)
    except OSError as error:
        hint = ""
        if isinstance(error, PermissionError):
            hint = f" {_HINTS[url.partition('://')[0]]}"
        raise StartError(f"Cannot read {url!r}: {error.strerror}.{hint}") from None


def _opened_store(root: str) -> Any:
    from obstore.store import from_url  # noqa: PLC0415 - an extra

    try:
        is_signed = root.startswith("s3://") and not s3_is_unsigned()
        return from_url(
            root,
            client_options=_CLIENT,
            retry_config=_RETRIES,
            credential_provider=_aws_credentials() if is_signed else None,
        )
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - as in `_repeated`
        raise os_error(error) from None


def _aws_credentials() -> Any:
    """Credentials as the AWS CLI finds them, including profiles, which obstore does not read."""
    from boto3 import Session  # noqa: PLC0415 - an extra
    from obstore.auth.boto3 import Boto3CredentialProvider  # noqa: PLC0415 - an extra

    session = Session()
    if session.get_credentials() is None:
        raise PermissionError(errno.EACCES, "No AWS credentials found")
    return Boto3CredentialProvider(session)


def os_error(error: Exception) -> OSError:
    """The error as an OSError, with a reason that contains no URL."""
    name, text = type(error).__name__, str(error).partition("\nDebug source")[0]
    answer = " ".join(match[1] for pattern in (_STATUS, _CODE) if (match := pattern.search(text)))
    for pattern, number, reason in _REASONS:
        if pattern.search(f"{name}: {text}"):
            return OSError(number, reason.format(answer=answer or "no credentials"))
    return OSError(errno.EIO, f"The object store cannot be read ({name})")
