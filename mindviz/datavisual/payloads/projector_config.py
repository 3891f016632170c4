"""Parses projector_config.pbtxt, TensorBoard's ProjectorConfig as text, for file names.

Sources: tensorboard/plugins/projector/projector_config.proto; protobuf's text format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mindviz.errors import DamagedValue

CONFIG = "projector_config.pbtxt"
"""The file's name."""

_ESCAPE = r"""\\(?:[abfnrtv\\'"]|[0-3]?[0-7]{1,2}|x[0-9a-fA-F]{1,2})"""
_TOKEN = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*"
    r'(?:([A-Za-z_]\w*)|([{}<>:,;\[\]])|"((?:[^"\\]|\\.)*)"|(-?\d+))',
    re.DOTALL,
)
_ESCAPED = re.compile(rf"(?:[^\\]|{_ESCAPE})*", re.DOTALL)
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_STEP = re.compile(r":(\d{1,18})$")


@dataclass(frozen=True, slots=True)
class ProjectedFiles:
    """The files of one embedding."""

    tensor_name: str
    tensor_path: str
    metadata_path: str = ""
    sprite_path: str = ""
    shape: tuple[int, ...] = ()
    """Shape of the vectors in a `.bytes` file."""
    sprite_size: tuple[int, int] = (0, 0)
    """Width and height of one image of the sprite."""

    @property
    def tag(self) -> str:
        """The name without its step."""
        return _STEP.sub("", self.tensor_name)

    @property
    def step(self) -> int:
        """0 if the name has none."""
        match = _STEP.search(self.tensor_name)
        return int(match[1]) if match else 0


def read_configuration(text: str) -> list[ProjectedFiles]:
    """The embeddings of a configuration, in order; other fields are skipped.

    Raises DamagedValue.
    """
    embeddings = []
    for name, fields in _message(_tokens(text)):
        if name != "embeddings" or isinstance(fields, str):
            continue
        texts = {key: value for key, value in fields if isinstance(value, str)}
        sprite = next((value for key, value in fields if key == "sprite"), ())
        sprite_fields = [] if isinstance(sprite, str) else list(sprite)
        dims = _integers(sprite_fields, "single_image_dim")
        paths = [v for k, v in sprite_fields if k == "image_path" and isinstance(v, str)]
        embeddings.append(
            ProjectedFiles(
                texts.get("tensor_name", ""),
                _path(texts.get("tensor_path", "")),
                _path(texts.get("metadata_path", "")),
                _path(paths[0] if paths else ""),
                tuple(_integers(fields, "tensor_shape")),
                (dims[0], dims[1]) if len(dims) == 2 else (0, 0),
            )
        )
    return embeddings


def _path(text: str) -> str:
    """With the separators of this system, wherever it was written."""
    return text.replace("\\", "/")


_Field = tuple[str, "str | Sequence[_Field]"]


def _integers(fields: Sequence[_Field], name: str) -> list[int]:
    texts = [value for key, value in fields if key == name and isinstance(value, str)]
    for text in texts:
        if not _INTEGER.fullmatch(text):
            raise DamagedValue(f"{CONFIG} has {text[:20]!r} instead of a size.")
    return list(map(int, texts))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """(kind, text) of each token: `name`, `sign` or `value`."""
    at, end = 0, len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            raise DamagedValue(f"{CONFIG} has a syntax error at character {at}.")
        at = token.end()
        if token[1] is not None:
            yield "name", token[1]
        elif token[2] is not None:
            yield "sign", token[2]
        elif token[3] is not None:
            yield "value", _string(token[3])
        else:
            yield "value", token[4]


def _string(text: str) -> str:
    from google.protobuf.text_encoding import CUnescape  # noqa: PLC0415 - few logs have one

    if _ESCAPED.fullmatch(text):
        value = CUnescape(text).decode("utf-8", "replace")
        if value.isprintable() or "\\" not in text:
            return value
    # torch writes Windows paths without escaping: `00001\default\tensors.tsv`.
    return text.replace("\\", "/")


def _message(tokens: Iterator[tuple[str, str]], depth: int = 0) -> list[_Field]:
    fields: list[_Field] = []
    name = ""
    for kind, text in tokens:
        if kind == "sign" and text in "}>":
            return fields
        if kind == "sign" and text in "{<":
            if depth > 4:
                raise DamagedValue(f"{CONFIG} is nested too deeply.")
            fields.append((name, _message(tokens, depth + 1)))
        elif kind == "value":
            fields.append((name, text))
        elif kind == "name":
            name = text
    return fields
