"""Everything that etcd has at a revision is read, however many pages that are."""

from base64 import b64decode, b64encode
from typing import Any

import pytest

from hypershift.controlplane.etcd.proof import stored


class Etcd:
    """Answers ranges as etcd's gateway does."""

    def __init__(self, found: dict[bytes, bytes]) -> None:
        self.found = dict(sorted(found.items()))
        self.asked = 0

    def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        assert path == "/v3/kv/range"
        assert body["revision"] == 7
        self.asked += 1
        start = b64decode(body["key"])
        if "range_end" not in body:
            match = [start] if start in self.found else []
        else:
            match = [key for key in self.found if key >= start]
        page = match[: body.get("limit", 1)]
        kvs = [
            {"key": b64encode(key).decode(), "value": b64encode(self.found[key]).decode()}
            for key in page
        ]
        return {"kvs": kvs, "more": len(page) < len(match)} if kvs else {}


@pytest.mark.parametrize("count", [0, 1, stored.PAGE, stored.PAGE * 2 + 1])
def test_every_object_is_read_once(count: int) -> None:
    found = {f"/registry/configmaps/a/{n:06}".encode(): str(n).encode() for n in range(count)}
    etcd = Etcd(found)
    assert dict(stored.entries(etcd.ask, 7)) == found
    assert etcd.asked == max(1, -(-count // stored.PAGE))


def test_objects_are_added_up_by_kind() -> None:
    found = {b"/registry/secrets/a/b": b"1", b"/registry/secrets/a/c": b"2", b"/registry/x/y": b""}
    kinds = stored.tallies(stored.entries(Etcd(found).ask, 7))
    assert {kind: tally.count for kind, tally in kinds.items()} == {"secrets": 2, "x": 1}


def test_one_value_is_found_or_not() -> None:
    etcd = Etcd({b"/a": b"1"})
    assert stored.value_of(etcd.ask, b"/a", 7) == b"1"
    assert stored.value_of(etcd.ask, b"/b", 7) is None
