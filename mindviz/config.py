"""Config: every setting of a running mindviz, frozen. The only reader of `os.environ`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindviz.credentials import without_password
from mindviz.errors import StartError

if TYPE_CHECKING:
    from mindviz.certificate import Certificate

ENVIRONMENT_PREFIX = "MINDVIZ_"

LOOPBACK_ORIGINS = tuple(
    f"{scheme}://{host}:*" for scheme in ("http", "https") for host in ("localhost", "127.0.0.1")
)
"""Every port of this machine: notebooks run there. The policy has no syntax for IPv6 addresses."""

LONGEST_RELOAD_INTERVAL = 300
"""Seconds."""

HIGHEST_PORT = 65535
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*([kmgtp]?)(i?)b?", re.IGNORECASE | re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
"""What a header can hold as it is. The length is all that is done against guessing."""
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
    """Letters, digits, `_` and `-`; empty only for one that is alone. Of a database, the empty one
    is the first that will be imported."""
    location: Path | str = field(repr=False)
    """Its base dir, or the URL of the database that holds it."""

    @property
    def shown(self) -> str:
        """Its place, for people: without a password."""
        if isinstance(self.location, Path):
            return str(self.location)
        return without_password(self.location)


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one mindviz; the command line fills it, `create_app` receives it."""

    summary_base_dir: Path
    """Of the first experiment, or of the one that these settings are for; if that is in a database,
    any directory."""
    host: str = "127.0.0.1"
    port: int = 8080
    """0 asks the system for a free one."""
    grpc_port: int | None = None
    """Where TensorBoard's `--grpc_data_provider` is answered; None: nowhere."""
    url_path_prefix: str = ""
    """Either empty or `/a/b`, without a trailing slash."""
    reload_interval: float = 3.0
    """Seconds between looks at the base dir; 0 loads once."""
    workspace: Path = field(default_factory=lambda: Path.home() / "mindviz")
    """Where mindviz keeps its own files: pid files, logs, annotations. Never the base dir."""
    max_memory: int = field(default_factory=lambda: memory_limit() // 4)
    """Bytes that loaded columns may take."""
    max_tensor_bytes: int = 10 * 1024 * 1024
    """Of one tensor in generic answers; larger ones are left out, and shown in slices."""
    checksum: str = "lazy"
    """`lazy` or `always`: when payload CRCs of records over 64 KiB are verified."""
    max_depth: int | None = None
    """How many levels below the base dir train jobs are looked for; None: any."""
    follow_external_links: bool = False
    """Whether symbolic links may lead out of the base dir."""
    inotify: bool = True
    """Whether to let the system tell where to look first; polling goes on either way."""
    cors_origins: tuple[str, ...] = ()
    """Origins that browsers may call the API from; empty: none but our own page."""
    certificate: Certificate | None = None
    """What HTTP and gRPC are encrypted with; None: not at all."""
    auth_token: str = field(default="", repr=False)
    """What clients must show to be let in; empty: everybody may read."""
    frame_ancestors: tuple[str, ...] = LOOPBACK_ORIGINS
    """Other origins whose pages may embed ours; a port may be `*`."""
    experiments: tuple[ExperimentSource, ...] = ()
    """All that is served, the first one first; empty: what is at `summary_base_dir`, unnamed."""
    database: str = field(default="", repr=False)
    """URL of the one whose experiments are among them: those to come are served as well."""

    @property
    def sources(self) -> tuple[ExperimentSource, ...]:
        """All that is served, at least one."""
        return self.experiments or (ExperimentSource("", self.summary_base_dir),)

    def path_of(self, source: ExperimentSource) -> str:
        """What stands before the paths of an experiment; the first one's are also at the root."""
        below = f"/experiment/{source.experiment_id}" if source.experiment_id else ""
        return self.url_path_prefix + below

    def of(self, source: ExperimentSource) -> Config:
        """The settings of one experiment, which takes its share of the memory."""
        return replace(
            self,
            summary_base_dir=(
                source.location if isinstance(source.location, Path) else self.summary_base_dir
            ),
            max_memory=self.max_memory // len(self.sources),
            experiments=(source,),
        )


def environment_variable(option: str) -> str:
    """The variable that sets an option: `MINDVIZ_SUMMARY_BASE_DIR` for `summary-base-dir`."""
    return ENVIRONMENT_PREFIX + option.upper().replace("-", "_")


def environment_value(option: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Value of an option from `MINDVIZ_<OPTION>`, e.g. `summary-base-dir`; None if not set."""
    return environ.get(environment_variable(option))


def port_command(environ: Mapping[str, str] = os.environ) -> str:
    """What a port is appended to where mindviz is not called by its name: by `make run`."""
    return environ.get("MINDVIZ_PORT_COMMAND", "")


RANK_VARIABLES = ("RANK_ID", "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
"""How launchers tell a process which of several it is: MindSpore's, torch's, MPI's, SLURM's."""


def training_rank(environ: Mapping[str, str] = os.environ) -> int:
    """Which process of a distributed training this is; 0 if nothing says so."""
    told = (environ.get(name, "") for name in RANK_VARIABLES)
    return next((int(text) for text in told if text.isascii() and text.isdigit()), 0)


LONGEST_HYPER_CONFIG = 100_000


def training_hyper_config(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """What a search for hyper-parameters tells the training that it starts, as MindSpore has it.

    `MINDINSIGHT_HYPER_CONFIG` is a JSON object of up to 100,000 characters; {} if there is none.
    """
    text = environ.get("MINDINSIGHT_HYPER_CONFIG", "")
    if not text or len(text) > LONGEST_HYPER_CONFIG:
        return {}
    try:
        told = json.loads(text)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def parse_size(text: str) -> int:
    """Bytes of a size that a person wrote: `2GiB`, `1.5 GB`, `300m`, `1048576`.

    `KiB`, `MiB` ... and the bare letters are powers of 1024, `KB`, `MB` ... powers of 1000.
    Raises StartError.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise StartError(f"{text!r} is not a size: write 2GiB, 500MB or a number of bytes.")
    number, letter, binary = match.groups()
    if binary and not letter:
        raise StartError(f"{text!r} is not a size: write 2GiB, 500MB or a number of bytes.")
    decimal = letter and not binary and text.strip().lower().endswith("b")
    # An int where it can be: a float would not hold every large number of bytes.
    amount = float(number) if "." in number else int(number)
    size = int(amount * (1000 if decimal else 1024) ** " kmgtp".index(letter.lower() or " "))
    if size <= 0:
        raise StartError(f"{text!r} is not a size: it must be at least one byte.")
    return size


def parse_url_path_prefix(text: str) -> str:
    """The prefix as `Config.url_path_prefix` holds it; slashes at both ends don't matter.

    Segments are letters, digits, `_`, `-` and `.`, but not `.` or `..`. Raises StartError.
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


def parse_origin(text: str) -> str:
    """An origin as browsers send it: scheme, host and port, no path. Raises StartError."""
    origin = text.removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise StartError(f"{text!r} is not an origin: write it like https://example.org:8443.")
    return origin.lower()


def parse_auth_token(text: str) -> str:
    """The token as it is. Raises StartError, whose message does not hold it."""
    if not _TOKEN.fullmatch(text):
        raise StartError(
            "The token must have 16 to 512 characters: letters, digits and - . _ ~ + / =."
        )
    return text


def parse_frame_ancestor(text: str) -> str:
    """An origin whose port may be `*`, or "" for `none`. Raises StartError."""
    if text == "none":
        return ""
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
    # Written so that NaN, which is neither below nor above anything, does not pass.
    if not 0 <= seconds <= LONGEST_RELOAD_INTERVAL:
        raise StartError(
            f"{text!r} is not a reload interval: it is seconds, "
            f"from 0 (load once) to {LONGEST_RELOAD_INTERVAL}."
        )
    return seconds


def spare_threads(environ: MutableMapping[str, str] = os.environ) -> None:
    """Keep numpy from starting threads that we have no use for; call it before numpy is imported.

    OpenBLAS starts one per core, which spin for some 60 ms of CPU: half of what reading four
    million points takes. We do no linear algebra.
    """
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
