"""Imports have no side effects and load only what is used."""

from __future__ import annotations

import ast
import importlib.metadata
import itertools
import json
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "mindviz"

HEAVY = {
    "PIL",
    "flask",
    "flask_smorest",
    "google.protobuf",
    "inotify_simple",
    "numpy",
    "pyarrow",
    "rich",
    "scipy",
    "sqlalchemy",
    "uvicorn",
}
"""Modules that `import mindviz` alone must not load."""

BROUGHT = {
    "google": "notebooks in Colab, which has `google.colab`",
    "matplotlib": "recording one of its figures",
}
"""Optional packages, and the modules that import them."""

UNLISTED = {
    "h11": "uvicorn",
    "werkzeug": "flask",
    "webargs": "flask-smorest",
    "pydantic": "mcp",
    "traitlets": "anywidget",
    "IPython": "anywidget",
}
"""Packages that come with a dependency, as part of its interface."""

IMPORTED_ELSEWHERE = {
    "psycopg": "sqlalchemy imports it for addresses that name it",
}
"""Dependencies that our code does not import, with the reason."""

ADAPTERS = PACKAGE / "summary" / "adapters"
FRAMEWORKS = {"keras", "lightning", "mindspore", "torch", "transformers"}
"""Frameworks of adapters: not dependencies, and imported nowhere else."""

# Imports every given module and prints side effects: started threads, and events caused by our
# code. Files that the import system or other packages read are ignored.
WATCH_IMPORTS = """
import importlib, json, sys, threading

seen = []
WATCHED = {"open", "os.mkdir", "os.remove", "os.rename", "os.listdir", "os.scandir", "os.system",
           "socket.__new__", "socket.connect", "sqlite3.connect", "subprocess.Popen"}

def blamed():
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("importlib") or "importlib" in frame.f_code.co_filename:
            return None
        if name.split(".")[0] == "mindviz":
            return name
        frame = frame.f_back
    return None

def hook(event, arguments):
    if event in WATCHED and (module := blamed()):
        seen.append(f"{module}: {event}{arguments!r:.200}")

sys.addaudithook(hook)
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
seen += [f"thread {thread.name}" for thread in threading.enumerate()[1:]]
print(json.dumps(seen))
"""


NEEDS = {
    "mindviz.cli.mcp_server": "mcp",
    "mindviz.notebook.chart": "anywidget",
    "mindviz.notebook.magic": "IPython",
}
"""Modules that need an extra, and its package."""


def module_names() -> list[str]:
    """All modules except adapters, which need their frameworks, and those of missing extras."""
    paths = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != ADAPTERS)
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    missing = {name for name, package in NEEDS.items() if find_spec(package) is None}
    return [
        name.removesuffix(".__init__")
        for name in names
        if not name.endswith("__main__") and name not in missing
    ]


def in_new_process(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_importing_every_module_starts_no_thread_and_touches_nothing() -> None:
    assert json.loads(in_new_process(WATCH_IMPORTS, json.dumps(module_names()))) == []


@pytest.mark.parametrize(
    "deed",
    [
        "open(__file__).close()",
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
    ],
)
def test_the_watch_detects_side_effects(deed: str, tmp_path: Path) -> None:
    (tmp_path / "mindviz").mkdir()
    (tmp_path / "mindviz" / "__init__.py").write_text(deed, "utf-8")
    watch = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{WATCH_IMPORTS}"
    assert json.loads(in_new_process(watch, '["mindviz"]')) != []


def test_importing_mindviz_loads_nothing_heavy() -> None:
    loaded = json.loads(
        in_new_process("import mindviz, sys, json; print(json.dumps(list(sys.modules)))")
    )
    assert HEAVY.isdisjoint(loaded)


def named_by(node: ast.AST) -> list[str]:
    """The modules that code imports, by a statement or by `import_module("...")`."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(
            func=ast.Name("import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(str(module)), *_],
        ):
            return [module]
    return []


def imported_packages() -> dict[str, set[str]]:
    """Top-level package -> our files that import it."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for name in named_by(node):
                google = name.startswith("google.protobuf")
                top = "google.protobuf" if google else name.split(".")[0]
                found.setdefault(top, set()).add(str(path.relative_to(ROOT)))
    ours_and_pythons = sys.stdlib_module_names | {"mindviz", "__future__", "_typeshed"}
    return {name: files for name, files in found.items() if name not in ours_and_pythons}


def canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def declared() -> dict[str, set[str]]:
    """Distribution -> the names it is imported by."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = (
        one for name, one in project["optional-dependencies"].items() if name not in ("all", "dev")
    )
    listed = [*project["dependencies"], *itertools.chain.from_iterable(extras)]
    found: dict[str, set[str]] = {
        canonical(re.split(r"[^\w.-]", text)[0]): set() for text in listed
    }
    for top, distributions in importlib.metadata.packages_distributions().items():
        for name in {canonical(name) for name in distributions} & found.keys():
            found[name].add("google.protobuf" if name == "protobuf" else top)
    # One that is not installed is for another system.
    return {name: tops or {name.replace("-", "_")} for name, tops in found.items()}


def test_every_dependency_is_used() -> None:
    imported = imported_packages()
    unused = {name for name, tops in declared().items() if tops.isdisjoint(imported)}
    assert unused <= set(IMPORTED_ELSEWHERE)


def test_everything_imported_is_a_dependency() -> None:
    listed = declared()
    allowed = set().union(*listed.values()) | {top for top, by in UNLISTED.items() if by in listed}
    allowed |= BROUGHT.keys()
    others = {top: files for top, files in imported_packages().items() if top not in allowed}
    assert others.keys() <= FRAMEWORKS
    files = {Path(file) for files in others.values() for file in files}
    assert {file.parent for file in files} <= {ADAPTERS.relative_to(ROOT)}
