from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rules import TYPES, default_rules, parameters_text
from mindviz.datavisual.health.rules_file import MAX_BYTES, parse_rules, read_rules
from mindviz.errors import StartError


def test_parameters_tags_and_own_rules() -> None:
    rules = parse_rules(
        """
        [rules.spike]
        z = 12
        tags = "^loss$"

        [rules.plateau]
        enabled = false

        [rules.restart]
        enabled = false

        [rules."lr_high"]
        type = "threshold"
        above = 0.1
        points = 3
        tags = "^lr$"
        """,
        "mindviz.toml",
    )
    named = {rule.name: rule for rule in rules.all}
    assert named["spike"].parameters == {"z": 12.0, "window": 48, "recovery": 32}
    assert "plateau" not in named
    assert rules.silent == {AnomalyKind.RESTART}
    assert named["lr_high"].kind is AnomalyKind.THRESHOLD
    assert [rule.name for rule in rules.of_tag("lr")] == [
        "nan", "infinity", "throughput", "lr_high",
    ]  # fmt: skip
    assert [rule.name for rule in rules.of_tag("other")] == ["nan", "infinity", "throughput"]


def test_an_empty_file_changes_nothing() -> None:
    assert parse_rules("", "mindviz.toml").all == default_rules().all


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = ", "f, line 1, column 5: Invalid value."),
        ("x = 1\r\ny =\r\n\r\n", "f, line 2, column 4: Invalid value."),
        ("a = 1\n b c", "f, line 2, column 4: Expected '=' after a key in a key/value pair."),
        (
            "\n[rules.spike\n",
            "f, line 2, column 13: Expected ']' at the end of a table declaration.",
        ),
        ("\n\nrule.a = 1", "f, line 3, rule: unknown table 'rule'; rules are tables [rules.NAME]."),
        ("rules = 3", "f, line 1, rules: rules are tables"),
        ("[rules]\nspike = 3", "f, line 2, rules.spike: a rule is a table [rules.spike]."),
        ("\n[rules.spkie]\nz = 3", "f, line 2, rules.spkie: an own rule needs a `type`"),
        ("[rules.spike]\nzz = 3", "f, line 2, rules.spike.zz: unknown key of a spike rule; keys: "),
        ("[rules.spike]\nwindw = 3", "Did you mean 'window'?"),
        ("[rules.spike]\n# a\nz = 'a'", "f, line 3, rules.spike.z: must be a number."),
        ("[rules.spike]\nz = 0", "f, line 2, rules.spike.z: must be a number from 1 to 1e+06."),
        ("[rules.spike]\nz = nan", "f, line 2, rules.spike.z: must be a number from"),
        ("[rules.spike]\nwindow = 9.5", "f, line 2, rules.spike.window: must be a whole number."),
        ("[rules.spike]\nwindow = true", "f, line 2, rules.spike.window: must be a whole number."),
        ("[rules.spike]\nenabled = 1", "f, line 2, rules.spike.enabled: must be true or false."),
        ("[rules.spike]\ntags = '('", "f, line 2, rules.spike.tags: '(' is no regular expression"),
        ("[rules.spike]\ntags = 3", "f, line 2, rules.spike.tags: must be a regular expression."),
        ("[rules.gap]\nz = 3", "f, line 2, rules.gap.z: gap has no parameters, only `enabled`."),
        ("[rules.mine]\ntype = 'spik'", "f, line 2, rules.mine.type: must be one of nan, "),
        ("[rules.nan]\ntype = 'spike'", "f, line 2, rules.nan.type: the type of the rule nan is"),
        ("[rules.a]\ntype = 'threshold'", "f, line 1, rules.a: a threshold rule needs `above`"),
        ("[rules.'a b']\ntype = 'spike'", "f, line 1, rules.a b: names have up to 64 letters"),
        ("rules = {spike = {z = 0}}", "f, rules.spike.z: must be"),
    ],
)
def test_errors_name_line_and_key(text: str, message: str) -> None:
    with pytest.raises(StartError) as caught:
        parse_rules(text, "f")
    assert message in str(caught.value)


def test_a_base_dir_may_have_its_rules(tmp_path: Path) -> None:
    assert read_rules(None, tmp_path).all == default_rules().all
    assert read_rules(None, "s3://bucket/prefix").all == default_rules().all
    (tmp_path / "mindviz.toml").write_text("[rules.nan]\nenabled = false")
    assert "nan" not in [rule.name for rule in read_rules(None, tmp_path).all]
    (tmp_path / "other.toml").write_text("")
    assert "nan" in [rule.name for rule in read_rules(tmp_path / "other.toml", tmp_path).all]


def test_files_that_cannot_be_rules(tmp_path: Path) -> None:
    large, binary, pipe = tmp_path / "large", tmp_path / "binary", tmp_path / "pipe"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    binary.write_bytes(b"\xff\xfe")
    os.mkfifo(pipe)
    for path in (large, binary, pipe, tmp_path, tmp_path / "missing"):
        with pytest.raises(StartError, match=path.name):
            read_rules(path)


DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "anomalies.md"


def test_the_documented_file_and_error_are_real() -> None:
    text = DOCUMENT.read_text("utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    names = [rule.name for rule in parse_rules(example, "mindviz.toml").all]
    assert names[-1] == "lr_too_high"
    with pytest.raises(StartError) as caught:
        parse_rules("[rules.spike]\nz = 12\nwindw = 3", "logs/mindviz.toml")
    assert f"mindviz: {caught.value}\n" in text


def test_every_rule_is_documented_with_its_defaults() -> None:
    text = DOCUMENT.read_text("utf-8")
    for kind, of in TYPES.items():
        parameters = ", ".join(
            f"`{key}`" if math.isinf(default) else f"`{key}` ({default:g})"
            for key, default, _ in parameters_text(kind)
        )
        assert f"| `{kind}` | {of.about}" in text
        assert f"| {parameters} |\n" in text
