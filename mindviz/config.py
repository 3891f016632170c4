"""Config: all settings of a server, immutable. The only reader of `os.environ`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mindviz.credentials import without_password
from mindviz.errors import StartError
from mindviz.object_url import is_object_url

if TYPE_CHECKING:
    from mindviz.certificate import Certificate

ENVIRONMENT_PREFIX = "MINDVIZ_"

LOOPBACK_ORIGINS = tuple(
    f"{scheme}://{host}:*" for scheme in ("http", "https") for host in ("localhost", "127.0.0.1")
)
"""All ports of this machine, for notebooks. CSP has no syntax for IPv6 addresses."""

EDITOR_SCHEMES = ("vscode-webview:", "vscode-file:")
_SUBDOMAINS = "https://*."

LONGEST_RELOAD_INTERVAL = 300
"""Seconds."""

HIGHEST_PORT = 65535
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*([kmgtp]?)(i?)b?", re.IGNORECASE | re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
"""Characters that headers allow; the minimum length prevents guessing."""
_PATH_SEGMENT = re.compile(r"[a-zA-Z0-9_\-.]+")
_ORIGIN = re.compile(
    r"https?://(?:[a-z0-9.\-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.IGNORECASE | re.ASCII
)


def memory_limit() -> int:
    """Bytes this process may use: the smaller of RAM and the cgroup limit."""
    limit = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            text = (Path("/sys/fs/cgroup") / name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            limit = min(limit, int(text))
    return limit


@dataclass(frozen=True, slots=True)
class ExperimentSource:
    """Where the data of one experiment is."""

    experiment_id: str
    """Letters, digits, `_` and `-`; empty only for a single experiment. For a database, empty means
    the first one that will be imported."""
    location: Path | str = field(repr=False)
    """Its base dir, the URL of objects, or the URL of its database."""

    @property
    def base_dir(self) -> Path | str | None:
        """The directory or the URL of objects that holds its logs; None for a database."""
        in_files = isinstance(self.location, Path) or is_object_url(self.location)
        return self.location if in_files else None

    @property
    def shown(self) -> str:
        """The location without a password."""
        if isinstance(self.location, Path):
            return str(self.location)
        return without_password(self.location)


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one server, from the command line to `create_app`."""

    summary_base_dir: Path | str
    """The base dir of the first experiment, or of the only one after `of`: a directory or the URL
    of objects; any directory if that experiment is in a database."""
    host: str = "127.0.0.1"
    port: int = 8080
    """0 for any free port."""
    grpc_port: int | None = None
    """Port for TensorBoard's `--grpc_data_provider`, or None."""
    url_path_prefix: str = ""
    """Either empty or `/a/b`, without a trailing slash."""
    reload_interval: float = 3.0
    """Seconds between scans of the base dir; 0 loads once."""
    workspace: Path = field(default_factory=lambda: Path.home() / "mindviz")
    """Folder for pid files, logs and annotations; never the base dir."""
    cache_dir: Path | None = None
    """Folder of the warm cache; None for no cache."""
    cache_size: int = 10 * 1024**3
    """Maximum bytes of the warm cache."""
    version: str = ""
    """Of mindviz; the warm cache of another one is not read."""
    max_memory: int = field(default_factory=lambda: memory_limit() // 4)
    """Maximum bytes of loaded columns."""
    most_listed: int = 10_000
    """The page lists up to this many runs at once; with more, it asks for pages."""
    max_tensor_bytes: int = 10 * 1024 * 1024
    """Maximum bytes of a tensor in responses with whole series; slices serve larger ones."""
    checksum: str = "lazy"
    """`lazy` or `always`: when to verify payload CRCs of records over 64 KiB."""
    max_depth: int | None = None
    """Maximum depth of train jobs in the base dir; None for any."""
    follow_external_links: bool = False
    """Whether symbolic links may lead out of the base dir."""
    inotify: bool = True
    """Whether inotify supplements polling."""
    cors_origins: tuple[str, ...] = ()
    """Other origins whose pages may call the API."""
    certificate: Certificate | None = None
    """Certificate for HTTP and gRPC; None for no encryption."""
    auth_token: str = field(default="", repr=False)
    """The token that clients must send; empty for open access."""
    frame_ancestors: tuple[str, ...] = LOOPBACK_ORIGINS
    """Other origins whose pages may embed mindviz; a port may be `*`."""
    experiments: tuple[ExperimentSource, ...] = ()
    """The experiments in order; empty for a single one at `summary_base_dir`."""
    database: str = field(default="", repr=False)
    """URL of a database of which all experiments, including future ones, are served."""

    rules_file: Path | None = None
    """File of anomaly rules; None for `mindviz.toml` in each base dir."""
    webhook: str = field(default="", repr=False)
    """URL that new events are sent to; empty for none. Its path may be secret."""

    @property
    def sources(self) -> tuple[ExperimentSource, ...]:
        """The experiments, at least one."""
        return self.experiments or (ExperimentSource("", self.summary_base_dir),)

    def path_of(self, source: ExperimentSource) -> str:
        """The prefix of an experiment's paths; the first one is also served at the root."""
        below = f"/experiment/{source.experiment_id}" if source.experiment_id else ""
        return self.url_path_prefix + below

    def of(self, source: ExperimentSource) -> Config:
        """The settings of one experiment, with its share of the memory."""
        return replace(
            self,
            summary_base_dir=source.base_dir or self.summary_base_dir,
            max_memory=self.max_memory // len(self.sources),
            experiments=(source,),
        )


def cache_in(workspace: Path, base_dirs: Iterable[Path | str]) -> Path | None:
    """The warm cache of a workspace; None if it would be below a base dir."""
    cache = workspace / "cache"
    folders = [Path(one).resolve() for one in base_dirs if not is_object_url(one)]
    return None if any(map(cache.resolve().is_relative_to, folders)) else cache


def reading_config(
    base_dir: Path | str, workspace: Path, *, version: str, cached: bool, **settings: Any
) -> Config:
    """Settings of a process that reads a base dir once, by default.

    With `cached`, it shares the warm cache of the servers of `workspace`.
    """
    return Config(
        base_dir,
        workspace=workspace,
        cache_dir=cache_in(workspace, [base_dir]) if cached else None,
        version=version,
        **{"reload_interval": 0, "inotify": False, **settings},
    )


def default_workspace(environ: Mapping[str, str] = os.environ) -> Path:
    """The workspace of processes without the option."""
    return Path(environ.get("MINDVIZ_WORKSPACE", "") or "~/mindviz").expanduser()


def environment_variable(option: str) -> str:
    """The variable that sets an option: `MINDVIZ_SUMMARY_BASE_DIR` for `summary-base-dir`."""
    return ENVIRONMENT_PREFIX + option.upper().replace("-", "_")


def environment_value(option: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Value of an option from `MINDVIZ_<OPTION>`, e.g. `summary-base-dir`; None if not set."""
    return environ.get(environment_variable(option))


def port_command(environ: Mapping[str, str] = os.environ) -> str:
    """The command to which a port is appended, if mindviz was started by `make run`."""
    return environ.get("MINDVIZ_PORT_COMMAND", "")


PROXY_VARIABLE = "MINDVIZ_PROXY_URL"
"""A URL or path in which `%PORT%` is replaced, as in TensorBoard's `TENSORBOARD_PROXY_URL`."""
_NOTEBOOK = (PROXY_VARIABLE, "JUPYTERHUB_SERVICE_PREFIX", "VSCODE_PID", "VSCODE_CWD")


def notebook_variables(environ: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """The variables that tell how a notebook's browser reaches this machine."""
    return {name: environ[name] for name in _NOTEBOOK if environ.get(name)}


def child_environment(
    options: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """The environment of a mindviz that this process starts, with these options."""
    given = {environment_variable(option): value for option, value in options.items()}
    return {**environ, "PYTHONUNBUFFERED": "1", **given}


def s3_is_unsigned(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether requests to S3 need no credentials, for public buckets: `AWS_SKIP_SIGNATURE`."""
    return environ.get("AWS_SKIP_SIGNATURE", "").lower() in ("1", "true")


RANK_VARIABLES = ("RANK_ID", "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
"""Variables with a process's rank, set by the launchers of MindSpore, torch, MPI and SLURM."""


def training_rank(environ: Mapping[str, str] = os.environ) -> int:
    """The rank of this process in a distributed training; default 0."""
    values = (environ.get(name, "") for name in RANK_VARIABLES)
    return next((int(text) for text in values if text.isascii() and text.isdigit()), 0)


LONGEST_HYPER_CONFIG = 100_000


def training_hyper_config(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The options that MindInsight's hyperparameter search passes to a training.

    From `MINDINSIGHT_HYPER_CONFIG`, a JSON object of up to 100,000 characters; default {}.
    """
    text = environ.get("MINDINSIGHT_HYPER_CONFIG", "")
    if not text or len(text) > LONGEST_HYPER_CONFIG:
        return {}
    try:
        config = json.loads(text)
    except ValueError:
        return {}
    return config if isinstance(config, dict) else {}


def parse_size(text: str) -> int:
    """Bytes of a size such as `2GiB`, `1.5 GB`, `300m` or `1048576`.

    `KiB`, `MiB` ... and single letters are powers of 1024; `KB`, `MB` ... powers of 1000.
    Raises StartError.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise StartError(f"{text!r} is not a size: write 2GiB, 500MB or a number of bytes.")
    number, letter, binary = match.groups()
    if binary and not letter:
        raise StartError(f"{text!r} is not a size: write 2GiB, 500MB or a number of bytes.")
    decimal = letter and not binary and text.strip().lower().endswith("b")
    # An int if possible, because floats cannot represent all large sizes.
    amount = float(number) if "." in number else int(number)
    size = int(amount * (1000 if decimal else 1024) ** " kmgtp".index(letter.lower() or " "))
    if size <= 0:
        raise StartError(f"{text!r} is not a size: it must be at least one byte.")
    return size


def parse_url_path_prefix(text: str) -> str:
    """The prefix for `Config.url_path_prefix`; leading and trailing slashes are optional.

    Segments consist of letters, digits, `_`, `-` and `.`, but not `.` or `..`. Raises StartError.
    """
    path = text.strip("/")
    if not path:
        return ""
    for segment in path.split("/"):
        if not _PATH_SEGMENT.fullmatch(segment) or segment in {".", ".."}:
            raise StartError(
                f"{text!r} is not a URL path prefix: between its slashes it may have letters, "
                "digits, '_', '-' and '.', and no part may be empty, '.' or '..'."
            )
    return "/" + path


def parse_webhook(text: str) -> str:
    """The URL of a webhook, or "". Raises StartError, which does not repeat it."""
    if not text:
        return ""
    try:
        url = urlsplit(text)
        is_valid = url.scheme in {"http", "https"} and bool(url.hostname)
        _ = url.port
    except ValueError:
        is_valid = False
    if not is_valid or any(ord(letter) <= 0x20 or ord(letter) >= 0x7F for letter in text):
        raise StartError("The webhook must be an http:// or https:// URL.")
    return text


def parse_origin(text: str) -> str:
    """An origin in the form that browsers send: scheme, host and port. Raises StartError."""
    origin = text.removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise StartError(f"{text!r} is not an origin: write it like https://example.org:8443.")
    return origin.lower()


def parse_auth_token(text: str) -> str:
    """The token. Raises StartError with a message that does not contain it."""
    if not _TOKEN.fullmatch(text):
        raise StartError(
            "The token must have 16 to 512 characters: letters, digits and - . _ ~ + / =."
        )
    return text


def parse_frame_ancestor(text: str) -> str:
    """An origin, or "" for `none`. Raises StartError.

    Its port may be `*`, and so may be its first subdomain. VS Code's pages have schemes of their
    own: `vscode-webview:` and `vscode-file:`.
    """
    if text == "none":
        return ""
    if text in EDITOR_SCHEMES:
        return text
    if text.startswith(_SUBDOMAINS):
        return parse_origin(text.replace("*.", "", 1)).replace("https://", _SUBDOMAINS, 1)
    origin = text.removesuffix(":*")
    return parse_origin(origin) + text[len(origin) :]


def parse_port(text: str, lowest: int = 0) -> int:
    """The number of a TCP port. Raises StartError."""
    port = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else -1
    if not lowest <= port <= HIGHEST_PORT:
        raise StartError(f"{text!r} is not a port: give a number from {lowest} to {HIGHEST_PORT}.")
    return port


def parse_reload_interval(text: str) -> float:
    """Seconds from 0 (load once) to 300. Raises StartError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    # False for NaN.
    if not 0 <= seconds <= LONGEST_RELOAD_INTERVAL:
        raise StartError(
            f"{text!r} is not a reload interval: it is seconds, "
            f"from 0 (load once) to {LONGEST_RELOAD_INTERVAL}."
        )
    return seconds


def spare_threads(environ: MutableMapping[str, str] = os.environ) -> None:
    """Keep OpenBLAS from starting threads; call it before numpy is imported.

    It starts one per core, which take 60 ms of CPU, half of the time to load four million points.
    mindviz does no linear algebra.
    """
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
