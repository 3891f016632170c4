"""Requests as texts, as `ui/src/api/snapshot/answer_key.ts` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

_IGNORED = frozenset({"since", "sample"})
"""Parameters on which no recorded answer depends."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request of the page."""

    route: str
    """Below `v1/mindviz/`, decoded once: names of plugins may be encoded."""
    query: Sequence[tuple[str, str]] = ()
    body: Mapping[str, Any] | None = None
    """Of a POST; None: a GET."""

    @property
    def path(self) -> str:
        """The route and query, encoded."""
        search = urlencode(self.query, errors="surrogatepass")
        return quote(self.route, safe="/") + (f"?{search}" if search else "")

    @property
    def key(self) -> str:
        """The same for equal requests, whatever the order of their parameters."""
        query = sorted(
            (list(pair) for pair in self.query if pair[0] not in _IGNORED),
            key=lambda pair: pair[0],
        )
        return json.dumps(
            [self.route, query, None if self.body is None else _sorted(self.body)],
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @property
    def whole(self) -> PageRequest:
        """The request for the whole answer, not for new steps or samples."""
        query = [pair for pair in self.query if pair[0] not in _IGNORED]
        return PageRequest(self.route, query, self.body)

    @classmethod
    def of(cls, path: str, body: Mapping[str, Any] | None = None) -> PageRequest:
        """The request to an encoded path below `v1/mindviz/`."""
        route, _, search = path.partition("?")
        pairs = parse_qsl(search, keep_blank_values=True)
        return cls(unquote(route), pairs, body)


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
