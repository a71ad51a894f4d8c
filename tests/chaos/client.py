"""Clients of a hosted cluster that go on through all faults and note what they met."""

import http.client
import json
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.e2e.embedded import Kubectl
from tests.e2e.traffic import PATH, Traffic, WayIn, way_in

from hypershift import parts

QUIET = 60
GONE = 410
#: Between two commands in a pod.
EVERY = 5.0


class Writer(Traffic):
    """Writes numbered objects, and remembers when each was acknowledged."""

    def __init__(self, kubeconfig: Path, name: str) -> None:
        super().__init__(kubeconfig, name=name, pause=0.1)
        self.moments: list[float] = []

    def _do(self, number: int) -> None:
        before = len(self.log.acknowledged)
        super()._do(number)
        if len(self.log.acknowledged) > before:
            self.moments.append(time.monotonic())

    def longest_gap(self, begin: float, end: float) -> float:
        """The longest time without an acknowledged write that touches this span."""
        spans = pairwise([*self.moments, time.monotonic()])
        return max((b - a for a, b in spans if b > begin and a < end), default=0.0)


@dataclass
class Watcher:
    """Watches what a writer writes, as an informer does: list, then every event from there on."""

    kubeconfig: Path
    label: str
    seen: set[str] = field(default_factory=set)
    #: Lists after the first: what happened before one is known by it, not by events.
    lists: int = 0
    _version: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(2 * QUIET)

    def _run(self) -> None:
        way = way_in(self.kubeconfig)
        while not self._stop.is_set():
            try:
                self._follow(way)
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.2)

    def _follow(self, way: WayIn) -> None:
        """One connection: a list where nothing is known, then a watch until it ends."""
        if not self._version:
            self._list(way)
        query = f"labelSelector=traffic%3D{self.label}&watch=1&allowWatchBookmarks=true"
        path = f"{PATH}?{query}&timeoutSeconds={QUIET}&resourceVersion={self._version}"
        connection = http.client.HTTPSConnection(way.host, timeout=QUIET, context=way.context)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            if answer.status == GONE:
                self._version = ""
                return
            while not self._stop.is_set() and (line := answer.readline()):
                self._take(json.loads(line))
        finally:
            connection.close()

    def _take(self, event: dict[str, Any]) -> None:
        found = event["object"]
        if event["type"] == "ERROR":
            self._version = ""
            return
        self._version = found["metadata"]["resourceVersion"]
        if event["type"] != "BOOKMARK":
            self.seen.add(found["metadata"]["name"])

    def _list(self, way: WayIn) -> None:
        connection = http.client.HTTPSConnection(way.host, timeout=QUIET, context=way.context)
        try:
            connection.request("GET", f"{PATH}?labelSelector=traffic%3D{self.label}")
            answer = connection.getresponse()
            found = json.loads(answer.read())
            if answer.status != http.client.OK:
                raise OSError(found)
        finally:
            connection.close()
        self.seen.update(item["metadata"]["name"] for item in found["items"])
        self._version = found["metadata"]["resourceVersion"]
        self.lists += 1


@dataclass
class Commands:
    """Runs a command in a pod again and again: through API server, tunnel and kubelet."""

    guest: Kubectl
    pod: str
    namespace: str
    done: int = 0
    failed: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(30)

    def works(self) -> bool:
        """Run one command."""
        argv = (
            *(str(parts.path("kubectl")), f"--kubeconfig={self.guest.kubeconfig}"),
            *("exec", "-n", self.namespace, self.pod, "--request-timeout=10s", "--", "true"),
        )
        with suppress(subprocess.TimeoutExpired):
            return not subprocess.run(argv, check=False, capture_output=True, timeout=15).returncode
        return False

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            if self.works():
                self.done += 1
            else:
                self.failed += 1
