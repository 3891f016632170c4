"""How a notebook's page reaches a server in the kernel's machine, by environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from mindviz.config import PROXY_VARIABLE


class Embedding:
    """Addresses of the page, and what the server has to allow."""

    needs_token = False
    """Whether others can reach the server by the same proxy, or by the machine they share."""

    needs_port = False
    """Whether the options name it, so that the server cannot choose it."""

    def options(self, port: int) -> Sequence[str]:  # noqa: ARG002 -- in Colab
        """Further options of `mindviz start`; `port` is the server's."""
        return ()

    def url(self, port: int) -> str:
        """The page's URL for the browser."""
        return f"http://localhost:{port}/"

    @staticmethod
    def here(environ: Mapping[str, str]) -> Embedding:
        """That of a process with these variables."""
        if template := environ.get(PROXY_VARIABLE):
            return ByProxy(template)
        if "google.colab" in sys.modules:
            return InColab()
        if prefix := environ.get("JUPYTERHUB_SERVICE_PREFIX"):
            return ByProxy(f"{prefix.rstrip('/')}/proxy/%PORT%/")
        if "VSCODE_PID" in environ or "VSCODE_CWD" in environ:
            return InEditor()
        return Direct()


class Direct(Embedding):
    """The browser runs on the kernel's machine, or its ports are forwarded."""


class InEditor(Embedding):
    """VS Code, which forwards ports itself; its outputs are pages with their own URL schemes."""

    def options(self, port: int) -> Sequence[str]:  # noqa: ARG002
        """Both of its schemes may embed the page."""
        return ("--frame-ancestor", "vscode-webview:", "--frame-ancestor", "vscode-file:")


class ByProxy(Embedding):
    """A proxy on the notebook's own host: jupyter-server-proxy, or a configured one."""

    needs_token = True

    def __init__(self, template: str) -> None:
        self._template = template

    def url(self, port: int) -> str:
        """Behind the proxy."""
        url = self._template.replace("%PORT%", str(port))
        return url if url.endswith("/") else f"{url}/"


class InColab(Embedding):
    """Google Colab, whose proxy gives each port a host."""

    needs_port = True

    def options(self, port: int) -> Sequence[str]:
        """The proxy's host is accepted in requests, and Colab's pages may embed the page."""
        return (
            *("--cors-origin", self.url(port).rstrip("/")),
            *("--frame-ancestor", "https://colab.research.google.com"),
            *("--frame-ancestor", "https://*.googleusercontent.com"),
        )

    def url(self, port: int) -> str:
        """As Colab's page says."""
        # Not a package to install: Colab has it.
        output = import_module("google.colab.output")
        url: str = output.eval_js(f"google.colab.kernel.proxyPort({port}, {{cache: true}})")
        return url
