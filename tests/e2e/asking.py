"""A client of a web server that asks all the time, and tells afterwards what it met."""

import threading
import time
from types import TracebackType
from typing import Self

from tests.e2e.reaching import fetch


class Asking:
    """A client of the shop: one question after the other, each of which must be answered."""

    def __init__(self, url: str) -> None:
        self.url, self.answered, self.failed = url, 0, list[str]()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __str__(self) -> str:
        some = "; ".join(self.failed[:3])
        return f"{self.answered} answers, {len(self.failed)} failures {some}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(30)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                fetch(self.url)
                self.answered += 1
            except OSError as error:
                self.failed.append(f"{time.monotonic():.1f} {error}")
            time.sleep(0.1)
