"""A client that writes to an API all the time, and tells afterwards what it met.

Every write has a number and makes an object of that name, so that what was acknowledged can be
compared with what is there. One request is on its way at a time: a gap is the time between two
answers.
"""

import base64
import http.client
import json
import ssl
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import yaml

CREATED, EXISTS = 201, 409
#: Longer than a request takes that waits for a new leader of etcd, shorter than anybody's patience.
TIMEOUT = 5.0
PATH = "/api/v1/namespaces/default/configmaps"
RESET = "reset:"
#: Failures that are told one by one: enough to see which of them belong together.
MOST_TOLD = 40


@dataclass
class Log:
    """What the client met."""

    acknowledged: list[int] = field(default_factory=list)
    #: Requests that failed even when a reset connection was tried once more.
    failed: list[str] = field(default_factory=list)
    #: Seconds between two answers that were longest, and when they ended.
    longest_gap: float = 0.0
    gap_ended: float = 0.0

    def __str__(self) -> str:
        some = [*self.failed[:MOST_TOLD], "..."] if len(self.failed) > MOST_TOLD else self.failed
        gap = f"longest gap {self.longest_gap:.2f} s (until {self.gap_ended:.0f} s)"
        summary = f"{len(self.acknowledged)} answered, {gap}, {len(self.failed)} failed"
        return "\n  ".join((summary, *some))


class Traffic:
    """Writes from the moment it is entered until it is left."""

    # one that was written before its connection broke is there already
    FINE: tuple[int, ...] = (CREATED, EXISTS)
    #: The collection that is written to.
    COLLECTION = PATH

    def __init__(self, kubeconfig: Path, *, name: str = "traffic", pause: float = 0.05) -> None:
        self.log = Log()
        self._name, self._pause = name, pause
        self._way_in, self._stale = way_in(kubeconfig), False
        self._connection: http.client.HTTPSConnection | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._start = self._last = time.monotonic()

    def __enter__(self) -> Self:
        self._start = self._last = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(4 * TIMEOUT)
        self._close()
        self._note_gap()

    def renew(self, kubeconfig: Path) -> None:
        """Use other credentials from the next connection on, as clients that reload theirs do."""
        found = way_in(kubeconfig)
        if found.words != self._way_in.words:
            self._way_in, self._stale = found, True

    def lost(self) -> list[int]:
        """The numbers of acknowledged writes that are not there; asked after the traffic."""
        names = {item["metadata"]["name"] for item in self._list()}
        return [number for number in self.log.acknowledged if self._object(number) not in names]

    def _run(self) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            self._do(number)
            time.sleep(self._pause)

    def _do(self, number: int) -> None:
        problem = self._try(number)
        if problem.startswith(RESET):
            problem = self._try(number)
        if problem:
            self.log.failed.append(f"{time.monotonic() - self._start:.1f} s: {number}: {problem}")
        else:
            self._note_gap()
            self._last = time.monotonic()
            self.log.acknowledged.append(number)

    def _note_gap(self) -> None:
        gap = time.monotonic() - self._last
        if gap > self.log.longest_gap:
            self.log.longest_gap, self.log.gap_ended = gap, time.monotonic() - self._start

    def _try(self, number: int) -> str:
        """What went wrong, or nothing."""
        try:
            status, answer = self._send(number)
        except (ConnectionError, http.client.BadStatusLine, ssl.SSLEOFError) as error:
            self._close()
            return f"{RESET} {type(error).__name__} {error}"
        except (OSError, http.client.HTTPException) as error:
            self._close()
            return f"{type(error).__name__} {error}"
        return "" if status in self.FINE else f"{status} {answer[:200]!r}"

    def _send(self, number: int) -> tuple[int, bytes]:
        body = {"metadata": {"name": self._object(number), "labels": {"traffic": self._name}}}
        return self._ask("POST", self.COLLECTION, json.dumps(body))

    def _ask(self, verb: str, path: str, body: str | None = None) -> tuple[int, bytes]:
        if self._stale:
            self._stale = False
            self._close()
        if self._connection is None:
            self._connection = http.client.HTTPSConnection(
                self._way_in.host, timeout=TIMEOUT, context=self._way_in.context
            )
        headers = {"Content-Type": "application/json", **self._way_in.headers}
        self._connection.request(verb, path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _list(self) -> list[Any]:
        chosen = f"traffic%3D{self._name}"
        status, body = self._ask("GET", f"{self.COLLECTION}?labelSelector={chosen}")
        self._close()
        assert status == http.client.OK, body
        items: list[Any] = json.loads(body)["items"]
        return items

    def _object(self, number: int) -> str:
        return f"{self._name}-{number}"


class Questions(Traffic):
    """Asks instead, which is cheap enough to be done often: so it meets moments of milliseconds."""

    FINE = (http.client.OK,)

    def _send(self, number: int) -> tuple[int, bytes]:
        del number
        return self._ask("GET", "/version")


@dataclass(frozen=True)
class WayIn:
    """Where an API is, and who asks."""

    words: str  # the kubeconfig
    host: str
    context: ssl.SSLContext
    headers: Mapping[str, str]


def way_in(kubeconfig: Path) -> WayIn:
    """The host and the credentials of a kubeconfig: a certificate or a token."""
    words = kubeconfig.read_text()
    document = yaml.safe_load(words)
    cluster, user = document["clusters"][0]["cluster"], document["users"][0]["user"]
    authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
    context = ssl.create_default_context(cadata=authority)
    host = urlsplit(cluster["server"]).netloc
    if token := user.get("token"):
        return WayIn(words, host, context, {"Authorization": f"Bearer {token}"})
    with tempfile.NamedTemporaryFile() as pair:
        for part in ("client-certificate-data", "client-key-data"):
            pair.write(base64.b64decode(user[part]) + b"\n")
        pair.flush()
        context.load_cert_chain(pair.name)
    return WayIn(words, host, context, {})
