"""The magic in IPython's shell. In JupyterLab: tests/e2e/notebook.spec.ts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from mindviz.config import PROXY_VARIABLE
from tests.written_logs import tensorboard_log, write


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("MINDVIZ_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    for name in (PROXY_VARIABLE, "JUPYTERHUB_SERVICE_PREFIX", "VSCODE_PID", "VSCODE_CWD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "logs", "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    made.run_line_magic("load_ext", "mindviz")
    yield made
    with capture_output():
        made.run_line_magic("mindviz", "--stop")
    InteractiveShell.clear_instance()


def shown(shell: InteractiveShell, line: str) -> tuple[str, str]:
    """What the magic prints, and the HTML that it displays."""
    with capture_output() as captured:
        shell.run_line_magic("mindviz", line)
    html = "".join(output.data.get("text/html", "") for output in captured.outputs)
    return captured.stdout, html


def test_the_page_is_shown_and_its_server_reused(shell: InteractiveShell) -> None:
    printed, html = shown(shell, "logs --height 300")
    assert printed == ""
    found = re.search(r'<iframe src="http://localhost:(\d+)/" .*height="300"', html)
    assert found
    port = found[1]

    printed, again = shown(shell, "logs")
    assert f"Reusing the server on port {port}" in printed
    assert f'src="http://localhost:{port}/"' in again

    printed, _ = shown(shell, "--list")
    assert printed.startswith(f"port {port}: logs, started 0 min ago")
    with pytest.raises(UsageError, match="No server"):
        shell.run_line_magic("mindviz", "--stop 1")
    printed, _ = shown(shell, f"--stop {port}")
    assert printed == f"Stopped port {port}: logs\n"
    assert shown(shell, "--list")[0] == "No servers.\n"


def test_behind_a_proxy_the_page_has_a_token(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/jo/")
    _, html = shown(shell, "logs")
    assert re.search(r'src="/user/jo/proxy/\d+/\?token=[\w%.~+/=-]{16,}"', html)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("logs --port 70000", "'70000' is not a port"),
        ("logs --height tall", "--height takes a number of pixels"),
        ("logs --height", "--height needs a value"),
        ("logs --daemon", "--daemon has no use in a notebook"),
        ("'logs", "No closing quotation"),
        ("logs --no-such-option", "No such option"),
    ],
)
def test_errors_are_one_sentence(shell: InteractiveShell, line: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        shell.run_line_magic("mindviz", line)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_port_in_use_is_one_sentence(shell: InteractiveShell) -> None:
    _, html = shown(shell, "logs")
    found = re.search(r"localhost:(\d+)/", html)
    assert found
    with pytest.raises(UsageError, match=f"Port {found[1]} is in use"):
        shell.run_line_magic("mindviz", f"logs --port {found[1]}")


def test_help_lists_what_there_is(shell: InteractiveShell) -> None:
    assert "%mindviz --stop" in shown(shell, "--help")[0]
