"""Only a plugin's file names the plugin."""

from __future__ import annotations

import ast
from pathlib import Path

from mindviz.datavisual.plugins import plugins

ROOT = Path(__file__).resolve().parent.parent

NAMED_ELSEWHERE = {
    "asking/answer.py": "a form of answers",
    "asking/page_link.py": "pages of the web UI",
    "backend/datavisual/contract_tags.py": "keys that every answer of the contract has",
    "backend/datavisual/histograms_api.py": "a key of the contract's answers",
    "backend/datavisual/scalar_formulas_api.py": "a key of its answers, an argument",
    "backend/datavisual/scalars_api.py": "a key of the contract's answers",
    "backend/datavisual/tensors_api.py": "keys and an argument of the contract",
    "backend/lineagemgr/lineages_api.py": "a key of its answers",
    "backend/new_events.py": "the key that chats show",
    "cli/demo": "writes data of every plugin",
    "cli/export.py": "images are files next to a CSV file",
    "cli/parse_summary.py": "what MindInsight's command prints",
    "cli/summary_dump.py": "files that MindInsight's command writes",
    "client/logs.py": "defaults of the methods for scalars, tensors, histograms and images",
    "client/series_selection.py": "names of these methods",
    "client/served_series.py": "the points of scalars are compared",
    "datavisual/generic/packed_answer.py": "a key of packed answers",
    "datavisual/graph/logged_graphs.py": "a form of logged graphs",
    "datavisual/logs/formats/": "fields of log formats",
    "datavisual/logs/warm/kept_file.py": "the names that stores give to data classes",
    "datavisual/logs/wire_schema.py": "the kind of all fields with numbers",
    "datavisual/payloads/graph_message.py": "a form of logged graphs",
    "datavisual/rendered_text.py": "a rule of the Markdown parser",
    "datavisual/series/time_series.py": "the names that stores give to data classes",
    "datavisual/series/value_table.py": "a kind of column",
    "datavisual/sql/catalog.py": "a kind of value, and a prefix of column names",
    "datavisual/sql/layout_migration.py": "a table of the layout before",
    "datavisual/sql/column_transfer.py": "a type of PostgreSQL",
    "datavisual/sql/stored_jobs.py": "a kind of file",
    "datavisual/sql/tables.py": "tables of data classes",
    "export/series_table.py": "the table of all numbers",
    "notebook/still_chart.py": "the points of scalars are drawn",
    "lineagemgr/lineage_table.py": "a prefix of column names",
    "lineagemgr/run_filter.py": "a kind of token",
    "lineagemgr/run_lists.py": "the tags of scalars, which are fields of runs",
    "lineagemgr/run_table.py": "the tags of scalars, which are fields of runs",
    "stored_lists/sql_catalog.py": "the tags of scalars, which are fields of runs",
    "summary/": "the recorder chooses under which names it writes",
    "wire/": "encoders of the recorder and of the demo",
    "snapshots/": "scalars are kept as columns; the links and requests of pages name plugins",
}
"""Modules with a string that equals a plugin's name, and what it means there."""


IMPORTED_BY = {
    "backend/app.py": "the service that builds graphs",
    "backend/datavisual/": "the contract has routes per plugin",
    "backend/tensor_files_api.py": "NumPy files hold tensors",
    "datavisual/declared_plugin.py": "undeclared names are shown as scalars or tensors",
    "export/series_table.py": "scalars are exported as columns",
    "rpc/data_provider_service.py": "TensorBoard reads hyperparameters under their generic name",
}
"""Modules that import a plugin's module, and why."""


def imports_a_plugin(path: Path) -> bool:
    """Whether a module imports the module of a plugin."""
    package = "mindviz.datavisual.plugins"
    names = {
        f"{node.module}.{alias.name}."
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = tuple(f"{package}.{plugin}." for plugin in plugins())
    return any(name.startswith(modules) for name in names)


def test_few_modules_import_a_plugin() -> None:
    package = ROOT / "mindviz"
    importing = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.parent != package / "datavisual" / "plugins" and imports_a_plugin(path)
    }
    allowed = tuple(IMPORTED_BY)
    assert [path for path in sorted(importing) if not path.startswith(allowed)] == []
    assert [name for name in allowed if not any(path.startswith(name) for path in importing)] == []


def strings_in(path: Path) -> set[str]:
    """String literals of a module, except docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    }


GENERAL_WORDS = {"scalar", "image", "histogram", "tensor", "text", "graph", "audio"}
"""The only names that other modules use, besides fields of formats and encoders."""


def test_only_a_plugins_file_names_it() -> None:
    names = set(plugins())
    for plugin in plugins().values():
        for series in plugin.generic_names:
            names |= {series.name, *(one.name for one in series.companions)}
    package = ROOT / "mindviz"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.parent != package / "datavisual" / "plugins" and strings_in(path) & names
    }
    allowed = tuple(NAMED_ELSEWHERE)
    assert [path for path in sorted(found) if not path.startswith(allowed)] == []
    unused = [one for one in allowed if not any(path.startswith(one) for path in found)]
    assert unused == []
    free = ("summary/", "wire/", "cli/demo", "datavisual/logs/formats/")
    exact = {
        "datavisual/graph/logged_graphs.py",
        "datavisual/payloads/graph_message.py",
        "snapshots/values.py",  # by the names of their routes
    }
    used = {
        word.removesuffix("s")
        for path in found - exact - {"backend/datavisual/contract_tags.py"}
        if not path.startswith(free)
        for word in strings_in(package / path) & names
    }
    assert used <= GENERAL_WORDS
