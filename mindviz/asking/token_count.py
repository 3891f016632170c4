"""count_tokens: how many tokens a text has at most, without the tokenizer of a model."""

from __future__ import annotations

import re

_PIECE = re.compile(r"([A-Z]?[a-z]+|[A-Z]+)|([ ]+)|([\x00-\x7f])|([^\x00-\x7f]+)")
_LETTERS = 2
"""Of a word, per token; English words have four on average."""
_BLANKS = 4


def count_tokens(text: str) -> int:
    """An upper estimate for common tokenizers.

    Two letters of a word are a token (`trainLoss` is two words), and so is each digit, punctuation
    mark and line break. Blanks are a token per four. Other characters are a token per byte of
    UTF-8, the most that byte-level tokenizers take.
    """
    tokens = 0
    for piece in _PIECE.finditer(text):
        letters, blanks, mark, other = piece.groups()
        if letters:
            tokens += -(-len(letters) // _LETTERS)
        elif blanks:
            tokens += -(-len(blanks) // _BLANKS)
        elif mark:
            tokens += 1
        else:
            tokens += len(other.encode("utf-8", "surrogatepass"))
    return tokens
