"""House rules about files: where they are, their names, their sizes."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = (".py", ".pyx", ".pxd", ".ts", ".vue")

TOP_LEVEL = {
    "benchmarks",
    "build",
    "docs",
    "examples",
    "mindviz",
    "tests",
    "ui",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
}

ADAPTERS = "mindviz/summary/adapters"

TESTED_ELSEWHERE: dict[str, str] = {
    f"{ADAPTERS}/keras.py": "tests/peers/test_keras.py",
    f"{ADAPTERS}/lightning.py": "tests/peers/test_lightning.py",
    f"{ADAPTERS}/transformers.py": "tests/peers/test_transformers.py",
    f"{ADAPTERS}/mindspore.py": "tests/peers/test_mindspore_collector.py",
    f"{ADAPTERS}/mindspore_training.py": "tests/peers/test_mindspore_collector.py",
    f"{ADAPTERS}/torch.py": "tests/peers/test_torch_collector.py",
    f"{ADAPTERS}/torch_data.py": "tests/peers/test_torch_collector.py",
    f"{ADAPTERS}/torch_graph.py": "tests/peers/test_torch_collector.py",
    f"{ADAPTERS}/torch_training.py": "tests/peers/test_torch_collector.py",
    "mindviz/summary/collecting/training.py": "tests/summary/collecting/test_collector.py",
    "mindviz/__init__.py": "tests/test_public_names.py",
    "mindviz/notebook/page_process.py": "tests/notebook/test_page_servers.py",
    "mindviz/__main__.py": "tests/cli/test_cli.py",
    "mindviz/datavisual/sql/dask_workers.py": "tests/test_import_faults.py",
    **{
        f"mindviz/datavisual/sql/{name}.py": (f"tests/datavisual/sql/{tests}.py")
        for tests, names in {
            "test_sql_store": (
                "catalog job_cache latest_cache stored_jobs stored_series summaries"
            ),
            "test_importer": "decoded_job pieces writer",
            "test_table_reader": "column_transfer queries sampled_rows tables",
        }.items()
        for name in names.split()
    },
    **{
        f"mindviz/{name}.py": "tests/stored_lists/test_sql_lists.py"
        for name in (
            "lineagemgr/run_lists",
            "stored_lists/lists_of",
            *(
                f"stored_lists/sql_{part}"
                for part in (
                    *("catalog", "columns", "comparisons", "overview", "totals"),
                    *("values", "view"),
                )
            ),
            "stored_lists/column_arrays",
        )
    },
    **{
        f"mindviz/datavisual/logs/loading/{name}.py": (
            "tests/datavisual/logs/loading/test_cache_manager.py"
        )
        for name in ("cached_job", "versions")
    },
    "mindviz/datavisual/logs/loading/job_numbers.py": (
        "tests/datavisual/logs/loading/test_job_totals.py"
    ),
    **{
        f"mindviz/datavisual/logs/loading/{name}.py": (
            "tests/datavisual/logs/loading/test_unpacked_jobs.py"
        )
        for name in ("job_extras", "listed_snapshot", "packed_files", "recent_snapshots")
    },
    "mindviz/datavisual/logs/directories/same_directories.py": (
        "tests/datavisual/logs/directories/test_directory_tree.py"
    ),
    "mindviz/datavisual/logs/reading/tag_statistics.py": (
        "tests/datavisual/logs/loading/test_unpacked_jobs.py"
    ),
    "mindviz/datavisual/logs/loading/file_head.py": (
        "tests/datavisual/logs/loading/test_file_loader.py"
    ),
    "mindviz/datavisual/logs/loading/file_columns.py": (
        "tests/datavisual/logs/loading/test_keeper.py"
    ),
    "mindviz/datavisual/logs/loading/scan_options.py": (
        "tests/datavisual/logs/loading/test_file_loader.py"
    ),
    "mindviz/datavisual/logs/loading/later_part.py": (
        "tests/datavisual/logs/loading/test_file_loader.py"
    ),
    "mindviz/lineagemgr/run_view.py": "tests/lineagemgr/test_run_table.py",
    "mindviz/datavisual/series/value_table.py": "tests/export/test_series_table.py",
    "mindviz/datavisual/series/time_series.py": ("tests/datavisual/plugins/test_audio.py"),
    **{
        f"mindviz/asking/{name}.py": "tests/asking/test_answers.py"
        for name in (
            *("health_answers", "known_runs", "list_answers", "nearest_question", "run_answers"),
            "series_answers",
        )
    },
    "mindviz/cli/log_sources.py": "tests/cli/test_ask.py",
    "mindviz/cli/saved_snapshot.py": "tests/cli/test_snapshot.py",
    **{
        f"mindviz/{name}.py": "tests/snapshots/test_snapshot.py"
        for name in (
            *("client/server_answers", "snapshots/data_file"),
            *("snapshots/recorder", "snapshots/scalar_parts"),
        )
    },
    "mindviz/snapshots/answer_key.py": "tests/snapshots/test_page_columns.py",
    "mindviz/cli/mcp_server.py": "tests/cli/test_mcp.py",
    "mindviz/datavisual/health/event_sizes.py": "tests/cli/test_check.py",
    "mindviz/datavisual/kept_results.py": "tests/datavisual/logs/warm/test_packed_results.py",
    "mindviz/summary/values/traced_graph.py": "tests/peers/test_summary_writer.py",
}
"""Module -> the test module that covers it, if it is not the mirroring one."""

ACROSS_MODULES: dict[str, str] = {
    "tests/test_data_classes.py": "what series are made of, from the log to the provider",
    "tests/test_databases.py": "databases, from the import to the HTTP answer",
    "tests/test_documented_answers.py": "the answers in docs/asking.md",
    "tests/test_documented_notebooks.py": "the code in docs/notebooks.md",
    "tests/test_documented_examples.py": "the examples of the documents, run",
    "tests/test_docs.py": "the documents against the code",
    "tests/test_extending.py": "plugins and formats that are not ours",
    "tests/test_plugin_names.py": "names of plugins in all modules",
    "tests/test_memory.py": "the memory of a server, from the loader to the answers",
    "tests/test_imports.py": "what every module does at import",
    "tests/test_layout.py": "the tree itself",
    "tests/test_odd_numbers.py": "numbers at the ends of floats, through every answer",
    "tests/test_live_logs.py": "logs that change, all the way from file to HTTP answer",
    "tests/test_hostile_values.py": "values that claim what they do not hold, asked of every route",
    "tests/test_life_of_a_record.py": "the modules that a scalar passes on its way to the answer",
    "tests/test_odd_lineages.py": "lineage, from any log to every answer",
    "tests/test_packaging.py": "wheel and sdist",
    "tests/test_hostile_logs.py": "every route, export and command over logs that do harm",
    "tests/test_odd_names.py": "names on disk that are not UTF-8",
    "tests/test_object_imports.py": "imports from object stores, from the requests to the database",
    "tests/test_object_stores.py": "object stores, from the command to the HTTP answer",
    "tests/test_team_example.py": "the example of docs/scaling.md, all parts of it",
    "tests/test_unreadable_logs.py": "system calls that fail while a server reads",
}
"""Test modules that mirror no module, and their subjects."""

LINES = 400
"""Maximum length of a module, tests included."""

MEANINGLESS = re.compile(r"(^|_)(utils?|common|helpers?|tools|misc)$|^base_")


def tracked(folder: str = ".") -> list[Path]:
    """The project's files below a folder, relative to its root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", folder], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("needs a git checkout, to tell the project's files from others")
    paths = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if (ROOT / path).exists()]


def modules() -> list[Path]:
    generated = re.compile(r"_pb2\.pyi?$")
    return [p for p in tracked("mindviz") if p.suffix == ".py" and not generated.search(p.name)]


def has_behaviour(path: Path) -> bool:
    """Whether a module has behavior: plain data and abstract classes need no tests."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, functions) and not all(says_nothing(line) for line in node.body):
            return True
    return False


def says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def mirror(module: Path) -> Path:
    """Where the tests of a module are; a package's tests have its name."""
    parts = module.relative_to("mindviz").with_suffix("").parts
    name = module.parent.name if module.name == "__init__.py" else parts[-1]
    return Path("tests", *parts[:-1], f"test_{name.strip('_')}.py")


def test_the_top_level_is_what_readers_expect() -> None:
    visible = {path.parts[0] for path in tracked() if not path.parts[0].startswith(".")}
    assert visible == TOP_LEVEL


def test_every_module_has_its_tests_at_the_mirrored_place() -> None:
    missing = {
        str(module): str(wanted)
        for module in modules()
        if has_behaviour(module)
        and str(module) not in TESTED_ELSEWHERE
        and not (ROOT / (wanted := mirror(module))).exists()
    }
    assert missing == {}


def test_every_test_module_mirrors_a_module_or_has_a_subject() -> None:
    mirrors = {str(mirror(module)) for module in modules()} | set(TESTED_ELSEWHERE.values())
    unit_tests = [
        str(path)
        for path in tracked("tests")
        if path.match("test_*.py") and path.parts[1] not in {"e2e", "peers", "fuzz", "build"}
    ]
    strangers = set(unit_tests) - mirrors
    assert {test for test in strangers if not is_part(test, mirrors)} == set(ACROSS_MODULES)


def is_part(test: str, mirrors: set[str]) -> bool:
    """Whether tests cover one aspect of a module: `test_scan_damage.py` of `scan.py`."""
    path = Path(test)
    words = path.stem.split("_")
    return any(
        str(path.with_name("_".join(words[:end]) + ".py")) in mirrors
        for end in range(2, len(words))
    )


def test_exceptions_are_about_files_that_exist() -> None:
    named = [*TESTED_ELSEWHERE, *TESTED_ELSEWHERE.values(), *ACROSS_MODULES]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_no_file_or_folder_has_a_vague_name() -> None:
    guilty = {
        str(path)
        for path in tracked()
        for part in [*path.parts[:-1], path.name.split(".")[0]]
        if MEANINGLESS.search(part.lower())
    }
    assert guilty == set()


def test_modules_are_short() -> None:
    too_large = {}
    for path in tracked():
        if path.suffix in SCRIPTS and "_pb2" not in path.name:
            lines = (ROOT / path).read_text("utf-8").count("\n")
            if lines > LINES:
                too_large[str(path)] = lines
    assert too_large == {}


def test_setup_py_has_no_metadata_and_fits_on_a_screen() -> None:
    text = (ROOT / "setup.py").read_text("utf-8")
    assert text.count("\n") <= 40
    assert re.findall(r"\b(name|version|install_requires|packages)=", text) == []


def test_build_is_no_package() -> None:
    """With an `__init__.py`, `python -m build` would import our folder instead of the program."""
    assert not (ROOT / "build" / "__init__.py").exists()


def test_only_config_reads_the_environment() -> None:
    reads = re.compile(r"\bos\.(environ|getenv)\b|from os import .*\b(environ|getenv)\b")
    readers = {str(p) for p in modules() if reads.search((ROOT / p).read_text("utf-8"))}
    assert readers <= {"mindviz/config.py"}


def test_exactly_one_class_of_the_pipeline_opens_files() -> None:
    opens = re.compile(r"(?<![\w.])open\(|\bos\.open\(|\.read_bytes\(|\.open\(")
    pipeline = [p for p in modules() if p.is_relative_to("mindviz/datavisual/logs")]
    openers = {p.name for p in pipeline if opens.search((ROOT / p).read_text("utf-8"))}
    assert openers <= {"log_file.py", "pack.py"}


def test_text_files_end_with_a_newline_without_tabs_or_trailing_blanks() -> None:
    guilty = set()
    for path in tracked():
        if path.suffix in {*SCRIPTS, ".md", ".toml", ".cfg"} and path.parts[:2] != (
            "tests",
            "golden",
        ):
            text = (ROOT / path).read_text("utf-8")
            if text and (not text.endswith("\n") or re.search(r"[ \t]$|\t", text, re.MULTILINE)):
                guilty.add(str(path))
    assert guilty == set()
