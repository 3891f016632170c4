"""Addresses of the page in each kind of notebook."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from mindviz.config import PROXY_VARIABLE, parse_frame_ancestor, parse_origin
from mindviz.notebook.embedding import Embedding


@pytest.mark.parametrize(
    ("environment", "url", "needs_token"),
    [
        ({}, "http://localhost:4000/", False),
        ({"VSCODE_PID": "1"}, "http://localhost:4000/", False),
        ({"JUPYTERHUB_SERVICE_PREFIX": "/user/jo/"}, "/user/jo/proxy/4000/", True),
        ({PROXY_VARIABLE: "https://hub.example/p/%PORT%"}, "https://hub.example/p/4000/", True),
        ({PROXY_VARIABLE: "/p/%PORT%/", "JUPYTERHUB_SERVICE_PREFIX": "/a/"}, "/p/4000/", True),
    ],
)
def test_addresses(environment: dict[str, str], url: str, needs_token: bool) -> None:
    embedding = Embedding.here(environment)
    assert (embedding.url(4000), embedding.needs_token) == (url, needs_token)


def values(options: list[str], name: str) -> list[str]:
    return [
        value for option, value in zip(options[::2], options[1::2], strict=True) if option == name
    ]


@pytest.mark.parametrize(
    "environment",
    [
        {"VSCODE_PID": "94309", "VSCODE_IPC_HOOK": "/run/1.34.0-main.sock", "VSCODE_CWD": "/"},
        {"VSCODE_CWD": "/mnt/c", "VSCODE_NLS_CONFIG": "{}", "WSL_DISTRO_NAME": "Ubuntu"},
    ],
    ids=["desktop", "WSL, which has no VSCODE_PID"],
)
def test_vs_code_may_embed_the_page(environment: dict[str, str]) -> None:
    options = list(Embedding.here(environment).options(4000))
    assert [parse_frame_ancestor(one) for one in values(options, "--frame-ancestor")] == [
        "vscode-webview:",
        "vscode-file:",
    ]


def test_colab_may_embed_the_page_of_its_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    output = ModuleType("google.colab.output")
    output.eval_js = lambda script: f"https://{script[script.index('(') + 1 :][:4]}-x.colab.dev/"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    embedding = Embedding.here({"COLAB_RELEASE_TAG": "release-colab_1", "COLAB_GPU": ""})
    assert embedding.url(4000) == "https://4000-x.colab.dev/"
    options = list(embedding.options(4000))
    assert [parse_origin(one) for one in values(options, "--cors-origin")] == [
        "https://4000-x.colab.dev"
    ]
    assert [parse_frame_ancestor(one) for one in values(options, "--frame-ancestor")] == [
        "https://colab.research.google.com",
        "https://*.googleusercontent.com",
    ]
