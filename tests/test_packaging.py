"""Packages are complete, and install with only Python and pip."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv", ".cache", ".build", ".*_cache", ".hypothesis", "*.egg-info", "*.so",
    "__pycache__", "node_modules", "dist",
)  # fmt: skip


def run(*command: object, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    result = subprocess.run(
        [str(part) for part in command],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@dataclass(frozen=True)
class Machine:
    """An environment with Python and pip, in which Node and the npm registry are forbidden."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        return inherited | {
            "PATH": f"{self.folder / 'alarms'}{os.pathsep}{os.environ['PATH']}",
            "npm_config_registry": "http://127.0.0.1:9/",
            # False, as pip names the opposite: modules are compiled when imported, most never are.
            "PIP_NO_COMPILE": "0",
        }

    def set_up(self) -> None:
        """Create the environment, with stand-ins that record calls of Node."""
        # `--without-pip`, and this Python's pip: unpacking another one takes seconds.
        run(sys.executable, "-m", "venv", "--without-pip", self.folder / "venv")
        alarms = self.folder / "alarms"
        alarms.mkdir()
        for name in ("node", "npm", "npx"):
            alarm = alarms / name
            alarm.write_text(f'#!/bin/sh\necho "{name} $*" >>"{alarms}/called"\nexit 1\n', "utf-8")
            alarm.chmod(0o755)

    def pip(self, *arguments: object, **variables: str) -> None:
        env = self.environment | variables
        pip = [sys.executable, "-m", "pip", "--python", self.python, "--disable-pip-version-check"]
        run(*pip, *arguments, env=env)

    def install(self, wheel: Path) -> None:
        """Replace mindviz by this wheel, unless it is installed; with dependencies at first."""
        installed = self.folder / "installed"
        if not installed.exists():
            self.pip("install", "--quiet", wheel)
        elif installed.read_text("utf-8") != str(wheel):
            self.pip("install", "--quiet", "--force-reinstall", "--no-deps", wheel)
        installed.write_text(str(wheel), "utf-8")

    def compiler(self) -> dict[str, str]:
        """Variables for builds that don't optimize: `make` has compiled the modules as users do."""
        compiler = shutil.which("cc")
        if compiler is None:
            return {}
        quick = self.folder / "cc"
        quick.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0\n', "utf-8")
        quick.chmod(0o755)
        return {"CC": str(quick)}

    def inspect(self) -> dict[str, object]:
        """Write demo logs with the installed mindviz and inspect them."""
        mindviz, logs = self.python.parent / "mindviz", self.folder / "logs"
        if not logs.exists():
            run(mindviz, "demo", logs, env=self.environment, cwd=self.folder)
        report = run(mindviz, "inspect", logs, "--json", env=self.environment, cwd=self.folder)
        answer: dict[str, object] = json.loads(report)
        return answer

    def asked_for_node(self) -> bool:
        return (self.folder / "alarms" / "called").exists()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.set_up()
    return machine


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of a copy of this checkout; builds the UI only if necessary."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "checkout", ignore=NOT_SOURCES, symlinks=True)
    if (built := ROOT / ".build" / "ui-built").exists():
        (folder / "checkout" / ".build").mkdir()
        shutil.copy(built, folder / "checkout" / ".build")
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder]
    run(*build, folder / "checkout", cwd=folder)
    (archive,) = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def source(sdist: Path, machine: Machine) -> Path:
    """The unpacked sdist."""
    with tarfile.open(sdist) as archive:
        archive.extractall(machine.folder / "source", filter="data")
    (folder,) = (machine.folder / "source").iterdir()
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, machine: Machine) -> Path:
    """The wheel that pip builds from the sdist."""
    folder = machine.folder / "wheel"
    options = ("--quiet", "--no-deps", "--wheel-dir", folder)
    machine.pip("wheel", *options, source, **machine.compiler())
    (archive,) = folder.glob("*.whl")
    return archive


@pytest.fixture(scope="module")
def pure_wheel(source: Path, wheel: Path, machine: Machine) -> Path:
    """The wheel of a machine without a compiler, from the C that `wheel` was built from."""
    assert wheel.exists()
    for built in (source / ".build").iterdir():
        if built.name != "cython":
            shutil.rmtree(built)
    folder = machine.folder / "pure"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
    run(*build, source, cwd=machine.folder, env=machine.environment | {"CC": "false"})
    (archive,) = folder.glob("*.whl")
    return archive


@pytest.fixture(scope="module")
def sdist_names(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def our_modules(suffix: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "mindviz").rglob(f"*{suffix}")}


def test_the_sdist_is_enough_to_build_test_and_change_mindviz(
    sdist_names: set[str],
) -> None:
    wanted = {
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "build/build_backend.py",
        "build/build_native.py",
        "build/build_ui.py",
        "docs/life-of-a-record.md",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "tests/test_packaging.py",
        "ui/package-lock.json",
        "ui/package.json",
    }
    assert wanted | our_modules(".py") | our_modules(".pyx") | our_modules(".pxd") <= sdist_names


def test_the_sdist_has_no_generated_files_except_the_ui(sdist_names: set[str]) -> None:
    assert "mindviz/webui/index.html" in sdist_names
    assert any(name.startswith("mindviz/webui/assets/") for name in sdist_names)
    refuse = (".so", ".pyc", ".log")
    folders = ("ui/node_modules/", ".build/", ".cache/", ".venv/")
    generated = {n for n in sdist_names if n.endswith(refuse) or n.startswith(folders)}
    assert {name for name in generated if not name.startswith("tests/golden/")} == set()


def test_the_wheel_has_only_the_package_and_the_built_ui(
    wheel_names: set[str],
) -> None:
    assert our_modules(".py") | {"mindviz/py.typed", "mindviz/webui/index.html"} <= wheel_names
    assert any(name.startswith("mindviz/webui/assets/") for name in wheel_names)
    top = {name.split("/")[0] for name in wheel_names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"mindviz"}
    assert {
        name for name in wheel_names if name.endswith((".pyx", ".pxd", ".c", ".h", ".map"))
    } == set()


NOT_BUNDLED = {
    # Build tools.
    "@babel/helper-string-parser", "@babel/helper-validator-identifier", "@babel/parser",
    "@babel/types", "@jridgewell/sourcemap-codec", "@vue/compiler-core", "@vue/compiler-dom",
    "@vue/compiler-sfc", "@vue/compiler-ssr", "@vue/server-renderer", "entities", "estree-walker",
    "magic-string", "nanoid", "picocolors", "postcss", "source-map-js",
    # Types only.
    "@intlify/devtools-types", "csstype",
    # For developers of pages.
    "@vue/devtools-api", "@vue/devtools-kit", "@vue/devtools-shared", "birpc", "hookable",
    "nostics", "perfect-debounce",
    # Reports installations.
    "@scarf/scarf",
    # Re-exports of @vue/runtime-dom.
    "vue",
}  # fmt: skip
"""Transitive dependencies of the page that don't reach a browser."""


def test_every_package_in_the_page_and_its_workers_has_its_license_listed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read("mindviz/webui/THIRD_PARTY_LICENSES.md").decode()
    listed = set(re.findall(r"^## (\S+) - \d", text, re.MULTILINE))
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text("utf-8"))
    installed = {
        path.rpartition("node_modules/")[2]
        for path, package in lock["packages"].items()
        if path and not package.get("dev") and not package.get("devOptional")
    }
    assert listed == installed - NOT_BUNDLED
    assert "(EPL-2.0 OR GPL-3.0-or-later)" in text


def test_the_wheel_installs_without_node_and_serves_the_page(wheel: Path, machine: Machine) -> None:
    machine.install(wheel)
    report = machine.inspect()
    has_compiler = shutil.which("cc") is not None
    assert report["scanner"] == ("native" if has_compiler else "python")
    output = run(machine.python, ROOT / "build" / "check_wheel.py", env=machine.environment)
    assert output.endswith("page served\n")
    assert not machine.asked_for_node()


def test_without_a_compiler_the_wheel_is_pure_and_works(pure_wheel: Path, machine: Machine) -> None:
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    machine.install(pure_wheel)
    report = machine.inspect()
    assert report["scanner"] == "python"
    assert report["train_jobs"]
    assert not machine.asked_for_node()


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode())


def test_links_of_the_long_description_are_absolute(wheel: Path) -> None:
    metadata = metadata_of(wheel)
    assert metadata["Description-Content-Type"] == "text/markdown"
    targets = re.findall(r"\]\(([^)\s]+)\)", str(metadata.get_payload()))
    assert len(targets) > 5
    assert [one for one in targets if not one.startswith(("https://", "#"))] == []


def test_the_extra_all_names_every_other_extra_for_users(wheel: Path) -> None:
    metadata = metadata_of(wheel)
    extras = set(metadata.get_all("Provides-Extra") or ()) - {"all", "dev"}
    (everything,) = (
        re.findall(r"mindviz\[(.+?)\]", one)[0]
        for one in metadata.get_all("Requires-Dist") or ()
        if one.startswith("mindviz[")
    )
    assert set(everything.split(",")) == extras
