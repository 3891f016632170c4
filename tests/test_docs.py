"""What exists is documented, and what the documents name exists."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mindviz.backend.errors import (
    ANSWERS,
    API_NOT_FOUND,
    METHOD_NOT_ALLOWED,
    TAG_CODES,
    UNKNOWN,
    Reason,
)
from mindviz.backend.openapi import answer_descriptions
from mindviz.cli import cli
from mindviz.cli.data_server import data_server
from mindviz.config import environment_variable
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.plugins import plugins
from tests.peers.deliberate_differences import DELIBERATE

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("build/*.md")]
    if path.is_file()
)


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command


def options() -> Iterator[tuple[str, str]]:
    for name, command in commands():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield name, max(parameter.opts, key=len)


def headings(document: Path) -> set[str]:
    """The anchors of a document's headings, as forges make them."""
    found = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in found)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(document: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        if not file.exists() or (anchor and anchor not in headings(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    examples = {"acme.py", "encode_acme.py"}
    named = set(re.findall(r"`([\w./-]*\w\.(?:py|pyx|ts|vue|toml))`", document.read_text("utf-8")))
    folders = [ROOT / top for top in ("mindviz", "tests", "build", "benchmarks", "ui/src")]
    missing = {
        name
        for name in named - examples
        if Path(name).name not in examples
        and not (ROOT / name).exists()
        and not any(next(folder.glob(f"**/{name}"), None) for folder in folders)
    }
    assert missing == set()


def test_no_document_is_an_orphan() -> None:
    """Each can be reached from the README by following links."""
    seen: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        document = todo.pop()
        if document in seen or not document.exists():
            continue
        seen.add(document)
        links = re.findall(r"\]\(([^)\s#:]+\.md)", document.read_text("utf-8"))
        todo += [(document.parent / link).resolve() for link in links]
    assert set(DOCUMENTS) - seen == set()


def test_every_command_and_option_is_documented() -> None:
    text = text_of("docs/command-line.md")
    missing = [name for name, _ in commands() if f"## mindviz {name}" not in text]
    missing += [f"{name} {option}" for name, option in options() if f"`{option}" not in text]
    assert missing == []


def test_every_option_of_the_data_server_is_documented() -> None:
    text = text_of("docs/tensorboard.md")
    named = [name for option in data_server.params for name in option.opts]
    assert [name for name in named if name.startswith("--") and f"`{name}" not in text] == []


def test_documented_options_and_variables_exist() -> None:
    text = text_of("docs/command-line.md") + text_of("README.md")
    text = re.sub(r"\b(tensorboard|visualdl) --logdir", "", text)  # not ours
    known = {option for _, option in options()} | {"--help", "--version"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known
    variables = {environment_variable(option.lstrip("-").replace("-", "_")) for option in known}
    assert set(re.findall(r"\bMINDVIZ_[A-Z_]+\b", text)) <= variables


def test_every_plugin_is_in_the_table_of_the_readme() -> None:
    table = text_of("README.md")
    assert [name for name in plugins() if f"`{name}`" not in table] == []


def test_every_format_is_in_the_table_of_the_readme() -> None:
    table = text_of("README.md").lower()
    assert [one.name for one in log_formats() if f"| **{one.name}**" not in table] == []


def test_every_route_has_a_description_of_its_answer() -> None:
    paths = json.loads(text_of("docs/openapi.json"))["paths"]
    routes = {
        f"{method.upper()} {path.removeprefix('/v1/mindviz')}"
        for path, item in paths.items()
        for method in item.keys() - {"parameters"}
    }
    assert set(answer_descriptions()) == routes


def test_every_plugin_is_in_the_tables_of_series_columns() -> None:
    text = answer_descriptions()["GET /series/{plugin_name}"]
    assert [
        name for name in plugins() if not re.search(rf"^\| {name} \|", text, re.MULTILINE)
    ] == []


def test_the_table_of_error_codes_is_complete() -> None:
    """Every code with every status that it is answered with."""
    rows = re.findall(
        r"^\| ([0-9A-F]{8}) \| ([\d, ]*) \| ([\d, ]*) \|", text_of("docs/rest-api.md"), re.MULTILINE
    )
    table = {
        code: (set(contract.split(", ")), set(own.split(", "))) for code, contract, own in rows
    }
    assert {*TAG_CODES.values(), *Reason} <= table.keys()
    assert {UNKNOWN, API_NOT_FOUND, METHOD_NOT_ALLOWED} <= table.keys()
    for answer in ANSWERS.values():
        contract, own = table[answer.error_code]
        assert str(answer.contract_status) in contract
        assert str(answer.own_status) in own


def test_what_differs_from_mindinsight_on_purpose_has_a_reason() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", text_of("docs/mindinsight-compatibility.md"), re.MULTILINE)
    assert set(DELIBERATE) <= set(rows)


def test_the_make_verbs_that_documents_name_exist() -> None:
    verbs = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    named = {
        verb
        for document in DOCUMENTS
        for block in re.findall(r"`{1,3}[^`]+`{1,3}", document.read_text("utf-8"))
        for verb in re.findall(r"(?:^|[`\n]|&& )make ([a-z-]+)", block)
    }
    assert {"run", "test"} <= named <= verbs


def test_the_index_of_decisions_is_complete() -> None:
    notes = {path.name for path in (ROOT / "docs" / "decisions").glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", text_of("docs/decisions/README.md"))) == notes


def test_every_dependency_has_its_reason_written_down() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    names = [re.split(r"[^\w-]", requirement)[0] for requirement in project["dependencies"]]
    reasons = text_of("docs/decisions/dependencies.md")
    assert [
        name for name in names if not re.search(rf"^\|.*\b{name}\b", reasons, re.MULTILINE)
    ] == []


def test_the_changelog_speaks_of_this_version() -> None:
    version = tomllib.loads(text_of("pyproject.toml"))["project"].get("version")
    assert version is None  # it is mindviz.__version__
    import mindviz

    assert re.search(
        rf"^## {re.escape(mindviz.__version__)}\b", text_of("CHANGELOG.md"), re.MULTILINE
    )


def parity_rows() -> list[tuple[str, str, list[str]]]:
    """Feature, where it is, and the browser tests that show it, of every row of the tables."""
    rows = []
    for line in text_of("docs/ui-parity.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "feature":
            *_, where, tests = cells
            rows.append((cells[0], where, [test for test in tests.split(", ") if test.strip("|")]))
    return rows


def test_every_browser_test_that_the_list_of_features_names_is_there() -> None:
    specs = {path.name.removesuffix(".spec.ts") for path in (ROOT / "tests/e2e").glob("*.spec.ts")}
    rows = parity_rows()
    assert len(rows) > 90
    assert {test for _, _, tests in rows for test in tests} - specs == set()


def test_a_feature_without_a_browser_test_is_said_not_to_be_here_and_why() -> None:
    silent = [
        feature for feature, where, tests in parity_rows() if not tests and where[:4] != "not "
    ]
    assert silent == []
