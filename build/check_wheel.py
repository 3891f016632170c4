"""Whether an installed mindviz works: run it with the Python of the environment to check.

Writes demo logs, starts a server on a free port and requests its page and its status. Needs nothing
beyond the wheel's dependencies.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

START = "import sys; from mindviz.cli import main; sys.exit(main())"


def main() -> int:
    """Print what was found; 1 if anything is missing."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        mindviz = [sys.executable, "-I", "-c", START]
        subprocess.run([*mindviz, "demo", logs], check=True, stdout=subprocess.DEVNULL)
        options = ["--port", "0", "--workspace", str(Path(folder) / "workspace")]
        server = subprocess.Popen(
            [*mindviz, "start", "--summary-base-dir", logs, *options],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONUNBUFFERED": "1", "HOME": folder, "COLUMNS": "200"},
        )
        try:
            return _check(_address(server))
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        found = re.search(r"https?://\S+", line)
        if found:
            return found[0]
    raise SystemExit("mindviz ended before it printed its address.")


def _check(address: str) -> int:
    with urlopen(address) as answer:  # noqa: S310 -- the server that was just started
        page = answer.read().decode()
    with urlopen(f"{address}v1/mindviz/status") as answer:  # noqa: S310 -- as above
        status = json.load(answer)
    has_page = '<div id="app"' in page
    python = ".".join(map(str, sys.version_info[:3]))
    print(
        f"Python {python}: scanner {status['scanner']}, page {'served' if has_page else 'missing'}"
    )
    return 0 if has_page else 1


if __name__ == "__main__":
    sys.exit(main())
