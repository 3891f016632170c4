"""A connection to a notebook's page that keeps what the kernel sends."""

from __future__ import annotations

from queue import Queue
from typing import Any

from comm.base_comm import BaseComm

PATIENCE = 60.0
"""Seconds: only a failure takes as long."""

Sent = tuple[dict[str, Any], list[bytes]]


class RecordedComm(BaseComm):
    """Passes messages of the page on, and keeps the kernel's own ones."""

    def __init__(self) -> None:
        self.sent: Queue[Sent] = Queue()
        super().__init__()

    def publish_msg(
        self,
        msg_type: str,
        data: dict[str, Any] | None = None,
        metadata: dict[str, Any] | None = None,
        buffers: list[bytes] | None = None,
        **_: object,
    ) -> None:
        if data and data.get("method") == "custom":
            self.sent.put((data["content"], buffers or []))

    def tell(self, **content: Any) -> None:
        """A message of the page to the widget."""
        data = {"method": "custom", "content": content}
        self.handle_msg({"content": {"data": data}, "buffers": []})

    def next(self) -> Sent:
        """What the kernel sends next."""
        return self.sent.get(timeout=PATIENCE)
