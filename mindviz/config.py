"""Config: every setting of a running mindviz, frozen. The only reader of `os.environ`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ENVIRONMENT_PREFIX = "MINDVIZ_"


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
class Config:
    """Settings of one mindviz; the command line fills it, `create_app` receives it."""

    summary_base_dir: Path
    host: str = "127.0.0.1"
    port: int = 8080
    """0 asks the system for a free one."""
    url_path_prefix: str = ""
    """Either empty or `/a/b`, without a trailing slash."""
    reload_interval: float = 3.0
    """Seconds between looks at the base dir; 0 loads once."""
    workspace: Path = field(default_factory=lambda: Path.home() / "mindviz")
    """Where mindviz keeps its own files: pid files, logs, annotations. Never the base dir."""
    max_memory: int = field(default_factory=lambda: memory_limit() // 4)
    """Bytes that loaded columns may take."""
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


def environment_value(option: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Value of an option from `MINDVIZ_<OPTION>`, e.g. `summary-base-dir`; None if not set."""
    return environ.get(ENVIRONMENT_PREFIX + option.upper().replace("-", "_"))
