from __future__ import annotations

import json
from pathlib import Path

import pytest
from build_ui import NODE_REQUIREMENT, UiBuildError, UiSources, build_requirements

LOCK = {"name": "page", "lockfileVersion": 3, "requires": True, "packages": {"": {"name": "page"}}}
WRITE_BUNDLE = (
    "const fs = require('fs'); fs.mkdirSync('../mindviz/webui', {recursive: true}); "
    "fs.writeFileSync('../mindviz/webui/index.html', process.version)"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose UI has no packages and is built by a line of JavaScript."""
    ui = tmp_path / "ui"
    ui.mkdir()
    package = {"name": "page", "scripts": {"build": f'node -e "{WRITE_BUNDLE}"'}}
    (ui / "package.json").write_text(json.dumps(package), "utf-8")
    (ui / "package-lock.json").write_text(json.dumps(LOCK), "utf-8")
    (ui / "main.ts").write_text("let a = 1;\n", "utf-8")
    return tmp_path


def bundle_of(project: Path) -> Path:
    return project / "mindviz" / "webui" / "index.html"


def test_a_checkout_is_built_once_with_the_node_of_the_package_index(project: Path) -> None:
    sources = UiSources(project)
    assert sources.needs_build()
    sources.build()
    assert bundle_of(project).read_text("utf-8").startswith("v24.")
    assert not sources.needs_build()


def test_a_changed_source_or_a_missing_bundle_is_rebuilt(project: Path) -> None:
    sources = UiSources(project)
    sources.build()
    (project / "ui" / "main.ts").write_text("let a = 2;\n", "utf-8")
    assert sources.needs_build()
    sources.build()
    bundle_of(project).unlink()
    assert sources.needs_build()


def test_files_left_by_tools_are_not_a_change(project: Path) -> None:
    sources = UiSources(project)
    sources.build()
    (project / "ui" / "test-results").mkdir()
    (project / "ui" / "test-results" / "log.txt").write_text("ran", "utf-8")
    assert not sources.needs_build()


def test_an_sdist_has_its_bundle_and_never_needs_node(project: Path) -> None:
    UiSources(project).build()
    (project / ".build" / "ui-built").unlink()
    (project / "PKG-INFO").write_text("", "utf-8")
    assert build_requirements(project) == []


def test_node_is_required_if_the_ui_must_be_built(project: Path) -> None:
    assert build_requirements(project) == [NODE_REQUIREMENT]


def test_sources_without_a_ui_have_nothing_to_build(tmp_path: Path) -> None:
    assert not UiSources(tmp_path).needs_build()


def test_a_failing_build_is_an_error_that_names_the_command(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    package = {"name": "page", "scripts": {"build": "node -e 'throw new Error(`oh dear`)'"}}
    (project / "ui" / "package.json").write_text(json.dumps(package), "utf-8")
    with pytest.raises(UiBuildError, match=r"npm run .*build.* failed with exit code 1"):
        UiSources(project).build()
    assert "oh dear" in capfd.readouterr().err
    assert UiSources(project).needs_build()


def test_packages_that_cannot_be_fetched_are_an_error_that_names_the_registry(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    needed = {
        "version": "1.0.0",
        "resolved": "http://127.0.0.1:9/needed/-/needed-1.0.0.tgz",
        "integrity": "sha512-" + "A" * 86 + "==",
    }
    lock = LOCK | {
        "packages": {
            "": {"name": "page", "dependencies": {"needed": "1.0.0"}},
            "node_modules/needed": needed,
        }
    }
    package = {"name": "page", "dependencies": {"needed": "1.0.0"}, "scripts": {"build": "true"}}
    (project / "ui" / "package.json").write_text(json.dumps(package), "utf-8")
    (project / "ui" / "package-lock.json").write_text(json.dumps(lock), "utf-8")
    with pytest.raises(UiBuildError, match="needs the npm registry"):
        UiSources(project).build()
