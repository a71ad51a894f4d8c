"""The objects of a running etcd by kind, at one revision: read page by page through its gateway."""

import json
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final

from hypershift.controlplane.etcd.snapshot import Tally
from hypershift.controlplane.etcd.snapshot.content import kind_of

#: Keys of a page; an object has at most 1.5 MB.
PAGE: Final = 200
SILENCE: Final = 60.0
#: A range from the first key to the last.
EVERYTHING: Final = b"\0"

#: Asks etcd one question of its gateway: path and body.
Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


def gateway(endpoint: str) -> Ask:
    """The JSON interface of an etcd on this machine."""

    def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - our own etcd, on the loopback
            f"{endpoint}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=SILENCE) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
            return found

    return ask


def entries(ask: Ask, revision: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield key and value of everything that was there at a revision."""
    start = EVERYTHING
    while True:
        found = ask(
            "/v3/kv/range",
            {
                "key": b64encode(start).decode(),
                "range_end": b64encode(EVERYTHING).decode(),
                "limit": PAGE,
                "revision": revision,
            },
        )
        page = found.get("kvs") or []
        for one in page:
            yield b64decode(one["key"]), b64decode(one.get("value", ""))
        if not page or not found.get("more"):
            return
        start = b64decode(page[-1]["key"]) + b"\0"


def tallies(found: Iterator[tuple[bytes, bytes]]) -> dict[str, Tally]:
    """Count and digest of the objects by kind."""
    kinds: dict[str, Tally] = {}
    for key, value in found:
        kind = kind_of(key)
        kinds[kind] = kinds.get(kind, Tally()).plus(key, value)
    return kinds


def value_of(ask: Ask, key: bytes, revision: int) -> bytes | None:
    """The value of one key at a revision; None when it was not there."""
    found = ask("/v3/kv/range", {"key": b64encode(key).decode(), "revision": revision})
    page = found.get("kvs") or []
    return b64decode(page[0].get("value", "")) if page else None
