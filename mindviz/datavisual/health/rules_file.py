"""Reads rules from `mindviz.toml`. Errors name the line and the key."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rules import (
    TYPES,
    Parameter,
    Rule,
    Rules,
    default_rule,
    default_rules,
)
from mindviz.errors import InvalidQuery, StartError
from mindviz.expression import Expression
from mindviz.nearest_names import did_you_mean

FILE_NAME = "mindviz.toml"
"""In a log directory, it is read without an option."""
MAX_BYTES = 1_000_000
MAX_RULES = 100

LOG_KINDS = [kind for kind in AnomalyKind if kind not in TYPES]
"""Anomalies in how a series was logged; rules of these names can only be switched off."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ASSIGNMENT = re.compile(r"\s*([A-Za-z0-9_.\"' -]+?)\s*=")
_PLACE = re.compile(r"(.*) \(at (line \d+, column \d+|end of document)\)", re.DOTALL)
_TABLE = re.compile(r"\s*\[\s*([^\]]+?)\s*\]")


def read_rules(file: Path | None, base_dir: Path | str | None = None) -> Rules:
    """The rules of a file; without one, of `mindviz.toml` in a local base dir; else the defaults.

    Raises StartError.
    """
    if file is None:
        file = Path(base_dir, FILE_NAME) if isinstance(base_dir, Path) else None
        if file is None or not file.is_file():
            return default_rules()
    return parse_rules(_text(file), str(file))


def _text(file: Path) -> str:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise StartError(f"{str(file)!r} is not a file of rules.")
        if status.st_size > MAX_BYTES:
            raise StartError(f"{str(file)!r} has more than {MAX_BYTES:,} bytes.")
        return file.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StartError(f"Cannot read the rules in {str(file)!r}: {reason}.") from None


def parse_rules(text: str, name: str) -> Rules:
    """The rules in a text; `name` is that of its file, for messages. Raises StartError."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StartError(f"{name}{_placed(str(error), text)}.") from None
    return _Document(text, name).rules(document)


def _placed(message: str, text: str) -> str:
    """A message of `tomllib`, behind its place."""
    match = _PLACE.fullmatch(message)
    if match is None:
        return f": {message}"
    what, place = match.groups()
    if place == "end of document":
        end = text.rstrip("\r\n")
        place = f"line {end.count(chr(10)) + 1}, column {len(end) - end.rfind(chr(10))}"
    return f", {place}: {what}"


class _Document:
    """One file, for messages with its lines."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = text.split("\n")
        self._name = name

    def rules(self, document: Mapping[str, Any]) -> Rules:
        for key in document:
            if key != "rules":
                self._fail((), key, f"unknown table {key!r}; rules are tables [rules.NAME]")
        tables = document.get("rules", {})
        if not isinstance(tables, dict):
            self._fail((), "rules", "rules are tables [rules.NAME]")
        if len(tables) > MAX_RULES:
            self._fail((), "rules", f"at most {MAX_RULES} rules")
        rules = {rule.name: rule for rule in default_rules().all}
        silent: set[AnomalyKind] = set()
        for name, table in tables.items():
            if not isinstance(table, dict):
                self._fail(("rules",), name, f"a rule is a table [rules.{name}]")
            elif name in LOG_KINDS:
                if not self._log_kind_is_on(name, table):
                    silent.add(AnomalyKind(name))
            elif (rule := self._rule(name, table)) is None:
                rules.pop(name, None)
            else:
                rules[name] = rule
        return Rules(list(rules.values()), frozenset(silent))

    def _log_kind_is_on(self, name: str, table: Mapping[str, Any]) -> bool:
        for key in table:
            if key != "enabled":
                self._fail(("rules", name), key, f"{name} has no parameters, only `enabled`")
        return self._is_enabled(name, table)

    def _is_enabled(self, name: str, table: Mapping[str, Any]) -> bool:
        enabled = table.get("enabled", True)
        if not isinstance(enabled, bool):
            self._fail(("rules", name), "enabled", "must be true or false")
        return enabled

    def _rule(self, name: str, table: Mapping[str, Any]) -> Rule | None:
        """None if the rule is switched off."""
        if not _NAME.fullmatch(name):
            self._fail(("rules",), name, "names have up to 64 letters, digits, '_' and '-'")
        rule = default_rule(self._kind(name, table), name)
        parameters = dict(rule.parameters)
        known = TYPES[rule.kind].parameters
        for key, value in table.items():
            if key in known:
                parameters[key] = self._number(name, key, value, known[key])
            elif key in {"tags", "exclude"}:
                pattern = self._pattern(name, key, value)
                is_tags = key == "tags"
                rule = replace(rule, tags=pattern) if is_tags else replace(rule, exclude=pattern)
            elif key not in {"type", "enabled"}:
                keys = ["type", "enabled", "tags", "exclude", *known]
                hint = did_you_mean(key, keys)
                self._fail(
                    ("rules", name),
                    key,
                    f"unknown key of a {rule.kind.value} rule; keys: {', '.join(keys)}.{hint}",
                )
        if rule.kind is AnomalyKind.THRESHOLD and not {"above", "below"} & table.keys():
            self._fail(("rules",), name, "a threshold rule needs `above` or `below`")
        return replace(rule, parameters=parameters) if self._is_enabled(name, table) else None

    def _kind(self, name: str, table: Mapping[str, Any]) -> AnomalyKind:
        types = [kind.value for kind in TYPES]
        if "type" not in table:
            if name in types and name != AnomalyKind.THRESHOLD:
                return AnomalyKind(name)
            hint = did_you_mean(name, [*types, *LOG_KINDS])
            self._fail(
                ("rules",), name, f"an own rule needs a `type`, one of {', '.join(types)}.{hint}"
            )
        kind = table["type"]
        if kind not in types:
            hint = did_you_mean(str(kind), types)
            self._fail(("rules", name), "type", f"must be one of {', '.join(types)}.{hint}")
        if name in types and kind != name:
            self._fail(("rules", name), "type", f"the type of the rule {name} is {name!r}")
        return AnomalyKind(kind)

    def _number(self, name: str, key: str, value: Any, parameter: Parameter) -> float:
        what = "a whole number" if parameter.whole else "a number"
        # bool is an int.
        if isinstance(value, bool) or not isinstance(
            value, int if parameter.whole else int | float
        ):
            self._fail(("rules", name), key, f"must be {what}")
        low, high = parameter.minimum, parameter.maximum
        if not low <= value <= high:
            self._fail(("rules", name), key, f"must be {what} from {low:g} to {high:g}")
        return float(value)

    def _pattern(self, name: str, key: str, value: Any) -> str:
        if not isinstance(value, str):
            self._fail(("rules", name), key, "must be a regular expression")
        try:
            Expression(value)
        except InvalidQuery as error:
            self._fail(("rules", name), key, str(error))
        return value

    def _fail(self, table: tuple[str, ...], key: str, reason: str) -> NoReturn:
        path = ".".join((*table, key))
        line = self._line_of((*table, key))
        place = f"{self._name}, line {line}" if line else self._name
        end = "" if reason.endswith((".", "?")) else "."
        raise StartError(f"{place}, {path}: {reason}{end}")

    def _line_of(self, wanted: tuple[str, ...]) -> int:
        """The line of a key or of its table's header, from 1; 0 if it is written unusually."""
        current: tuple[str, ...] = ()
        for number, line in enumerate(self._lines, 1):
            path: tuple[str, ...] = ()
            if header := _TABLE.match(line):
                path = current = _parts(header[1])
            elif assignment := _ASSIGNMENT.match(line):
                path = (*current, *_parts(assignment[1]))
            if path[: len(wanted)] == wanted:
                return number
        return 0


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.strip("[] ").split("."))
