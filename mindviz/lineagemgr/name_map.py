"""NameMap: rules that rename the tags and parameters of one run to those of another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from mindviz.errors import InvalidQuery

CONFIG = "config:"
"""Prefix of rules for parameters; others are for tags."""
MAX_RULES = 100


@dataclass(frozen=True, slots=True)
class NameRule:
    """Renames `name` to `new_name`; `*` in both is the same text."""

    text: str
    """As written by the user."""
    name: str
    new_name: str
    """Empty to leave the name out."""

    def renamed(self, name: str) -> str | None:
        """The new name, empty to leave it out; None if the rule does not match."""
        before, star, after = self.name.partition("*")
        if not star:
            return self.new_name if name == self.name else None
        is_long = len(name) >= len(before) + len(after)
        if not (is_long and name.startswith(before) and name.endswith(after)):
            return None
        return self.new_name.replace("*", name[len(before) : len(name) - len(after)])


@dataclass(frozen=True, slots=True)
class Renaming:
    """Rules in order; the first that matches a name applies."""

    rules: tuple[NameRule, ...] = ()

    def of(self, name: str) -> str | None:
        """The new name, itself if no rule matches; None to leave it out."""
        for rule in self.rules:
            new_name = rule.renamed(name)
            if new_name is not None:
                return new_name or None
        return name

    def applied(self, names: Iterable[str]) -> dict[str, str]:
        """New name -> name. Raises InvalidQuery if two names get the same one."""
        originals: dict[str, str] = {}
        for name in names:
            new_name = self.of(name)
            if new_name is not None:
                other = originals.setdefault(new_name, name)
                if other != name:
                    raise InvalidQuery(
                        f"The rules give {other!r} and {name!r} the same name, {new_name!r}."
                    )
        return originals

    def kept(self, names: Iterable[str]) -> list[str]:
        """The names that no rule leaves out; for the run that is not renamed."""
        dropping = Renaming(tuple(rule for rule in self.rules if not rule.new_name))
        return [name for name in names if dropping.of(name) is not None]

    def unused(self, names: Collection[str]) -> list[NameRule]:
        """The rules that match none of the names."""
        return [rule for rule in self.rules if all(rule.renamed(name) is None for name in names)]


@dataclass(frozen=True, slots=True)
class NameMap:
    """How the names of a run become those of another."""

    tags: Renaming = Renaming()
    config: Renaming = Renaming()


def parse_rules(lines: Iterable[str], source: str = "rule") -> NameMap:
    """Parse a rule per line: `NAME=NEW_NAME`, with the prefix `config:` for parameters.

    Empty lines and those that begin with `#` are skipped. Raises InvalidQuery, which names `source`
    and the number of the line.
    """
    rules = list(_rules(lines, source))
    if len(rules) > MAX_RULES:
        raise InvalidQuery(f"There are {len(rules)} rules, more than {MAX_RULES}.")
    return NameMap(
        Renaming(tuple(rule for rule in rules if not rule.text.startswith(CONFIG))),
        Renaming(tuple(rule for rule in rules if rule.text.startswith(CONFIG))),
    )


def _rules(lines: Iterable[str], source: str) -> Iterator[NameRule]:
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                yield _rule(text)
            except InvalidQuery as error:
                raise InvalidQuery(f"{source} {number}, {text!r}: {error}") from None


def _rule(text: str) -> NameRule:
    names = text.removeprefix(CONFIG)
    # With spaces around it, names may contain `=`.
    separator = " = " if " = " in names else "="
    name, found, new_name = (part.strip() for part in names.partition(separator))
    if not found:
        raise InvalidQuery("expected NAME=NEW_NAME.")
    if not name:
        raise InvalidQuery("the name before '=' is missing.")
    if name.count("*") > 1 or new_name.count("*") > 1:
        raise InvalidQuery("at most one '*' is allowed on each side.")
    if "*" in new_name and "*" not in name:
        raise InvalidQuery("a '*' in the new name requires one in the name.")
    return NameRule(text, name, new_name)
