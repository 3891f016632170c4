"""Extracts code spans from documents and checks that the names in them exist."""

from __future__ import annotations

import ast
import functools
import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKS = (Path(__file__), ROOT / "tests" / "test_docs.py")
"""They contain names that don't exist."""
GENERATED_FOLDERS = {"node_modules", "webui", "dist", "results", "test-results", "__pycache__"}
FLAGS = re.MULTILINE | re.DOTALL
NAME = re.compile(r"[A-Za-z_][\w.]*(\([^)]*\))?")
PATH = re.compile(r"[\w.-]*(/[\w.-]*)+|[\w-]+\.(md|json|toml|html|css|ts|vue|py|pyx|pxd|proto|cfg)")
EXAMPLE_PATHS = {
    *("mindviz.toml", "val/loss", "train/loss"),
    *("acme.py", "encode_acme.py"),
    *(
        "./",
        "./a/b",
        "a/b",
        "./resnet/lr_0.1",
        "loss/scalar",
        "loss/scalar/scalar",
        "_hparams_/...",
    ),
    *("loss/auto", "input_data/auto", "__model_graph__/tag", "run/validation", "scalar/..."),
    *("metric/", "user_defined/", "images_files/", "inference.json", "application/json"),
    *("mindviz/webui/", "ui/node_modules", ".cache/fuzz", "docs/openapi.json", ".build/"),
}
"""Paths in examples, tags, columns, media types, and what is generated."""


def code_spans(document: Path) -> list[str]:
    """Inline code, without blocks."""
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=FLAGS)
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w+", text))


@functools.cache
def source_files() -> list[Path]:
    found: list[Path] = []
    for top in ("mindviz", "tests", "build", "benchmarks", "ui"):
        for folder, folders, names in os.walk(ROOT / top):
            folders[:] = set(folders) - GENERATED_FOLDERS
            found += [Path(folder) / name for name in names]
    return found


@functools.cache
def names_in_code() -> set[str]:
    """Names and words of strings in sources, without comments and docstrings."""
    found = {
        *words((ROOT / "Makefile").read_text("utf-8")),
        *words((ROOT / "pyproject.toml").read_text("utf-8")),
    }
    for path in source_files():
        if path.suffix == ".py" and path not in CHECKS:
            found |= python_names(path)
        elif path.suffix in {".pyx", ".pxd", ".h", ".ts", ".vue", ".proto", ".css", ".js", ".mjs"}:
            text = path.read_text("utf-8")
            found |= words(re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", "", text, flags=FLAGS))
    return found


def python_names(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = {
        text
        for node in nodes
        if id(node) not in docstrings
        for text in vars(node).values()
        if isinstance(text, str)
    }
    return words("\n".join(texts))


@functools.cache
def known_paths() -> set[str]:
    """Every path in the repository, and every suffix of it."""
    paths = [
        path.relative_to(ROOT)
        for path in [
            *source_files(),
            *(found for place in ("*", "docs/**/*", "examples/*") for found in ROOT.glob(place)),
        ]
    ]
    paths += [folder for path in paths for folder in path.parents]
    return {"/".join(path.parts[start:]) for path in paths for start in range(len(path.parts))}


def is_file(text: str) -> bool:
    return text.strip("/").removeprefix("./") in known_paths() or text in EXAMPLE_PATHS


@functools.cache
def routes() -> list[list[str]]:
    paths = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"]
    return [path.removeprefix("/v1/mindviz").strip("/").split("/") for path in paths]


def is_route(text: str) -> bool:
    """Whether this is a route, with any values for its variables.

    Without a leading slash, parts of a route are accepted, too.
    """
    path = re.sub(r"^/v1/(mindviz|mindinsight)\b", "", text)
    parts = path.strip("/").split("/")
    return path.strip("/") in {"", "docs"} or any(
        parts[0] == route[start]
        and all(
            one == other or other[0] == "{"
            for one, other in zip(parts, route[start:], strict=False)
        )
        for route in routes()
        for start in range(1 if path[0] == "/" else len(route) - len(parts) + 1)
        if len(parts) <= len(route) - start
    )
