"""Configs that are logged as one JSON text, such as the `args` of Hugging Face's Trainer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mindviz.datavisual.series.lineage_facts import CutFacts, Fact, LineageFacts

MAX_BYTES = 1024 * 1024
MAX_FIELDS = 500
MAX_DEPTH = 8
MAX_CHARACTERS = 1_000
"""Of a name or value. What exceeds a limit is left out."""

# torch and tensorboardX append to the tag.
_TAG = re.compile(
    rb"(?:args|arguments|cfg|config|hparams|hyper_?parameters|params|training_args)"
    rb"(?:/text_summary)?"
)
_FENCE = "```"
_EXACT = 1 << 53
"""JavaScript has all integers up to this."""


def is_config_tag(tag: bytes) -> bool:
    """Whether texts with this tag may be a config."""
    return _TAG.fullmatch(tag) is not None


def config_facts(text: bytes) -> LineageFacts | CutFacts | None:
    """The fields of a JSON object as hyperparameters; None for other texts.

    Names of nested fields are joined with dots. Lists are JSON texts.
    """
    if text.lstrip()[:1] not in (b"{", b"`"):
        return None
    if len(text) > MAX_BYTES:
        detail = f"A config of {len(text)} bytes, more than {MAX_BYTES}, is not read."
        return CutFacts(LineageFacts(), detail)
    try:
        parsed = json.loads(_without_fence(text.decode()))
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, dict):
        return None
    values: dict[str, Fact] = {}
    left_out = 0
    for name, value in _fields(parsed):
        fact = _fact(value)
        if fact is None:
            continue
        is_long = len(name) > MAX_CHARACTERS or (
            isinstance(fact, str) and len(fact) > MAX_CHARACTERS
        )
        if is_long or len(values) >= MAX_FIELDS:
            left_out += 1
        else:
            values[name] = fact
    facts = LineageFacts(hyper_parameters=values)
    if not left_out:
        return facts if values else None
    fields = "1 field" if left_out == 1 else f"{left_out} fields"
    return CutFacts(facts, f"{fields} of a config left out: too many or too long.")


def _without_fence(text: str) -> str:
    """The text without the marks of a block of code in Markdown."""
    text = text.strip()
    if text.startswith(_FENCE):
        text = text.removeprefix(_FENCE).removeprefix("json")
    return text.removesuffix(_FENCE)


def _fields(
    parsed: Mapping[str, Any], prefix: str = "", depth: int = 1
) -> Iterator[tuple[str, Any]]:
    for key, value in parsed.items():
        if isinstance(value, dict) and value and depth < MAX_DEPTH:
            yield from _fields(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value


def _fact(value: Any) -> Fact:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and abs(value) > _EXACT:
        return str(value)
    return value
