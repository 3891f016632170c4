"""LiveCharts: reads new points while charts are visible."""

from __future__ import annotations

import logging
import threading
from typing import ClassVar, Protocol
from weakref import WeakKeyDictionary, ref

from mindviz.client.log_source import LogSource
from mindviz.errors import MindvizError

_LOGGER = logging.getLogger(__name__)

INTERVAL = 3.0
"""Seconds between reads."""


class LiveChart(Protocol):
    """A chart that shows new points."""

    def send_new_points(self) -> None:
        """Called from another thread than the kernel's, which may be busy."""


class LiveCharts:
    """The visible charts of one source, and the thread that reads for them."""

    _known: ClassVar[WeakKeyDictionary[LogSource, LiveCharts]] = WeakKeyDictionary()

    @classmethod
    def of(cls, source: LogSource) -> LiveCharts:
        """Those of a source; call it in the main thread."""
        return cls._known.setdefault(source, cls(source))

    def __init__(self, source: LogSource) -> None:
        self._source = ref(source)
        self._charts: set[LiveChart] = set()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, chart: LiveChart) -> None:
        """Send the chart new points until `forget`."""
        with self._lock:
            self._charts.add(chart)
            self._ended.clear()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="mindviz-charts", daemon=True
                )
                self._thread.start()

    def forget(self, chart: LiveChart) -> None:
        """Reading ends with the last chart."""
        with self._lock:
            self._charts.discard(chart)
            if not self._charts:
                self._ended.set()

    def _run(self) -> None:
        while True:
            self._ended.wait(INTERVAL)
            with self._lock:
                charts = list(self._charts)
                if not charts:
                    self._thread = None
                    return
            source = self._source()
            if source is None:
                return
            try:
                source.refresh()
            except MindvizError:
                continue  # tried again; charts show what they have
            finally:
                del source
            for chart in charts:
                try:
                    chart.send_new_points()
                except Exception:  # the other charts go on
                    _LOGGER.exception("Sending new points failed")
                    self.forget(chart)
