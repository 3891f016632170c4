"""Everything is documented, and documents only name what exists."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import tomllib
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import click
import pytest

from mindviz.backend.errors import (
    ANSWERS,
    API_NOT_FOUND,
    METHOD_NOT_ALLOWED,
    UNKNOWN,
    Reason,
)
from mindviz.backend.openapi import answer_descriptions
from mindviz.cli import cli
from mindviz.cli.data_server import data_server
from mindviz.config import environment_variable
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.plugins import plugins
from tests.documented_names import (
    FLAGS,
    NAME,
    PATH,
    code_spans,
    is_file,
    is_route,
    names_in_code,
    python_names,
    words,
)
from tests.peers.deliberate_differences import DELIBERATE

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("build/*.md")]
    if path.is_file()
)
each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
each_current_document = pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if path.name not in {"CHANGELOG.md", "rest-reference.md"}],
    ids=lambda path: str(path.relative_to(ROOT)),
)
"""Without the history and generated documents."""
OTHERS_NAMES = {
    *("SequentialCell", "unstack", "retryPolicy", "settrace", "monitoring", "egg_info", "Strict"),
    *("ps", "cibuildwheel", "heatmap", "train_id_offsets"),
}
"""Names that occur in no source: those of other projects, and composed ones."""
OTHERS_OPTIONS = {"--randomly-seed", "--grpc_creds_type", "--load_fast", "--dist", "--height"}
"""Options of pytest, TensorBoard and `%mindviz`."""


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


COMMANDS = {
    name: set(chain.from_iterable(option.opts + option.secondary_opts for option in command.params))
    for name, command in [*commands(), ("data server", data_server)]
}


def headings(document: Path) -> set[str]:
    """The anchors of a document's headings, as forges generate them."""
    titles = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in titles)
    return {heading.replace(" ", "-") for heading in plain}


@each_document
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


@each_current_document
def test_every_path_exists(document: Path) -> None:
    """Files, folders, routes and parts of them; patterns with `*` or `<` are ignored."""
    paths = [text for text in code_spans(document) if PATH.fullmatch(text)]
    assert [text for text in paths if not (is_file(text) or is_route(text))] == []


@each_current_document
def test_every_name_in_code_spans_occurs_in_code(document: Path) -> None:
    spans = [text for text in code_spans(document) if NAME.fullmatch(text) and not is_file(text)]
    names = {name for text in spans for name in words(text)}
    assert names - names_in_code() - OTHERS_NAMES == set()


@each_current_document
def test_every_mindviz_command_in_documents_is_valid(document: Path) -> None:
    blocks = re.findall(r"^```.*?^```", document.read_text("utf-8"), FLAGS)
    code = "\n".join([*blocks, *code_spans(document)])
    invalid = []
    for line in re.findall(r"^mindviz ([a-z][^\n#]*)", code, re.MULTILINE):
        name, *arguments = line.split()
        options = {argument.partition("=")[0] for argument in arguments if argument[:2] == "--"}
        if name not in COMMANDS or not options <= COMMANDS[name] | {"--help"}:
            invalid.append(line)
    assert invalid == []


@each_current_document
def test_every_option_and_variable_in_documents_exists(document: Path) -> None:
    known = set.union(*COMMANDS.values()) | {"--help", "--version"}
    named = {text.split("=")[0].split()[0] for text in code_spans(document) if text[:2] == "--"}
    assert named - known - OTHERS_OPTIONS == set()
    variables = {environment_variable(name.lstrip("-").replace("-", "_")) for name in known}
    variables_named = set(re.findall(r"\bMINDVIZ_[A-Z_]+\b", document.read_text("utf-8")))
    assert {name for name in variables_named - variables if name not in names_in_code()} == set()


@each_current_document
def test_every_url_of_the_rest_interface_is_a_route(document: Path) -> None:
    text = re.sub(r"\s", " ", document.read_text("utf-8"))
    urls = re.findall(r"(?<!\w)/?(v1/(?:mindviz|mindinsight)/[\w<>{}./-]+)", text)
    assert [url for url in urls if not is_route(f"/{url.rstrip('/.')}")] == []


@each_current_document
def test_python_examples_use_what_exists(document: Path) -> None:
    """Imported modules and names, and attributes of their results."""
    ours = {"mindviz"}
    for block in re.findall(r"^```python\n(.*?)^```", document.read_text("utf-8"), FLAGS):
        nodes = list(ast.walk(ast.parse(block)))
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mindviz"):
                spec = importlib.util.find_spec(node.module or "")
                assert spec is not None
                assert spec.origin is not None
                assert {alias.name for alias in node.names} <= python_names(Path(spec.origin))
                ours |= {alias.asname or alias.name for alias in node.names}
        for node in nodes:
            value, target = None, None
            if isinstance(node, ast.Assign):
                value, target = node.value, node.targets[0]
            elif isinstance(node, ast.withitem):
                value, target = node.context_expr, node.optional_vars
            if isinstance(target, ast.Name) and isinstance(value, ast.Call):
                called = value.func.value if isinstance(value.func, ast.Attribute) else value.func
                ours |= {target.id} if getattr(called, "id", "") in ours else set()
        attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
        named = {node.attr for node in attributes if getattr(node.value, "id", "") in ours}
        assert named - names_in_code() - OTHERS_NAMES == set()


def test_the_architecture_names_every_package_and_module() -> None:
    text = text_of("docs/architecture.md")
    missing = []
    for folder in ("mindviz", "mindviz/datavisual"):
        for path in sorted((ROOT / folder).iterdir()):
            name = f"{folder}/{path.name}{'/' if path.is_dir() else ''}"
            code = path.suffix == ".py" or (path / "__init__.py").exists()
            if code and not path.name.startswith("__") and f"`{name}" not in text:
                missing.append(name)
    assert missing == []


@pytest.mark.parametrize(
    ("heading", "folder"),
    [("Inside logs", "mindviz/datavisual/logs"), ("Inside summary", "mindviz/summary")],
)
def test_the_architecture_names_the_parts_of_packages(heading: str, folder: str) -> None:
    section = text_of("docs/architecture.md").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [row.strip("|").split(" | ") for row in section.splitlines() if row.startswith("| `")]
    packages = {name for row in rows for name in re.findall(r"`([^`]+)`", row[0])}
    parts = {
        f"{path.name}{'/' if path.is_dir() else ''}"
        for path in (ROOT / folder).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert packages == parts - {"__init__.py"}
    for name, *_, modules in (row for row in rows if len(row) > 2):
        package = ROOT / folder / name.strip(" `")
        modules_there = {path.name.partition(".")[0] for path in package.glob("*")}
        named = {module.partition(".")[0] for module in re.findall(r"`(\w[\w.]*)`", modules)}
        assert named <= modules_there


def test_the_layers_of_the_architecture_are_those_of_the_contracts() -> None:
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    levels = {
        contract["containers"][0]: {
            name: level
            for level, layer in enumerate(contract["layers"])
            for name in re.findall(r"\w+", layer)
        }
        for contract in contracts
        if contract["type"] == "layers"
    }
    section = text_of("docs/architecture.md").partition("## Who may import whom\n")[2]
    block = section.split("```")[1]
    for line in filter(None, block.splitlines()):
        container, _, chain = line.rpartition(": ")
        known = levels[f"mindviz.{container}" if container else "mindviz"]
        layers = [[known[name] for name in layer.split(" | ")] for layer in chain.split(" -> ")]
        assert all(max(high) <= min(low) for high, low in pairwise(layers)), line


def test_every_extra_is_in_the_table_of_the_readme() -> None:
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    table = text_of("README.md").partition("## Extras\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(extras) - {"dev"}


def test_no_document_is_an_orphan() -> None:
    """All are reachable from the README by links."""
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


def test_every_plugin_is_in_the_table_of_the_readme() -> None:
    table = text_of("README.md")
    assert [name for name in plugins() if f"`{name}`" not in table] == []


def test_every_format_is_in_the_table_of_the_readme() -> None:
    table = text_of("README.md").lower()
    assert [form.name for form in log_formats() if f"| **{form.name}**" not in table] == []


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
    """Every code with all of its statuses."""
    rows = re.findall(
        r"^\| ([0-9A-F]{8}) \| ([\d, ]*) \| ([\d, ]*) \|", text_of("docs/rest-api.md"), re.MULTILINE
    )
    table = {
        code: (set(contract.split(", ")), set(own.split(", "))) for code, contract, own in rows
    }
    assert {*(plugin.error_code for plugin in plugins().values()), *Reason} <= table.keys()
    assert {UNKNOWN, API_NOT_FOUND, METHOD_NOT_ALLOWED} <= table.keys()
    for answer in ANSWERS.values():
        contract, own = table[answer.error_code]
        assert str(answer.contract_status) in contract
        assert str(answer.own_status) in own


def test_every_deliberate_difference_has_a_reason() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", text_of("docs/mindinsight-compatibility.md"), re.MULTILINE)
    assert set(DELIBERATE) <= set(rows)


def test_documented_make_verbs_exist() -> None:
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


def test_the_changelog_has_this_version() -> None:
    version = tomllib.loads(text_of("pyproject.toml"))["project"].get("version")
    assert version is None  # it is mindviz.__version__
    import mindviz

    assert re.search(
        rf"^## {re.escape(mindviz.__version__)}\b", text_of("CHANGELOG.md"), re.MULTILINE
    )


def parity_rows() -> list[tuple[str, str, list[str]]]:
    """Feature, location and browser tests of every row of the tables."""
    rows = []
    for line in text_of("docs/ui-parity.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "feature":
            *_, where, tests = cells
            rows.append((cells[0], where, [test for test in tests.split(", ") if test.strip("|")]))
    return rows


def test_browser_tests_of_the_feature_list_exist() -> None:
    specs = {path.name.removesuffix(".spec.ts") for path in (ROOT / "tests/e2e").glob("*.spec.ts")}
    rows = parity_rows()
    assert len(rows) > 90
    assert {test for _, _, tests in rows for test in tests} - specs == set()


def test_features_without_a_browser_test_are_marked_as_missing() -> None:
    silent = [
        feature for feature, where, tests in parity_rows() if not tests and where[:4] != "not "
    ]
    assert silent == []
