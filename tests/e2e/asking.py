"""A client of a web server that asks all the time, and tells afterwards what it met."""

import threading
import time
import urllib.error
from types import TracebackType
from typing import Self

from tests.e2e.reaching import fetch

#: Failures that are told one by one: enough to see which of them belong together.
MOST_TOLD = 40


class Asking:
    """A client of the shop: one question after the other, each of which must be answered."""

    def __init__(self, url: str) -> None:
        self.url, self.answered, self.failed = url, 0, list[str]()
        self._began, self._last = time.monotonic(), ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __str__(self) -> str:
        some = [*self.failed[:MOST_TOLD], "..."] if len(self.failed) > MOST_TOLD else self.failed
        return "\n  ".join((f"{self.answered} answers, {len(self.failed)} failures", *some))

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
                self._last = fetch(self.url)
                self.answered += 1
            except urllib.error.HTTPError as error:
                self._complain(f"{error}, {error.headers.get('Server')}: {error.read(80)!r}")
            except OSError as error:
                self._complain(str(error))
            time.sleep(0.1)

    def _complain(self, what: str) -> None:
        """Note a failure with who answered last: it tells which server or way went away."""
        moment = time.monotonic() - self._began
        self.failed.append(f"{moment:.1f} s: {what} (before that {self._last})")
