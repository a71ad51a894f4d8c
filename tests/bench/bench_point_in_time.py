"""Whether a cluster could be restored to a moment between two backups (docs/adr/0037).

A recorder watches all keys from a snapshot on and keeps what it is told in segments. Then etcd
is killed and its disk is lost; the snapshot is restored and the segments are played into it, one
transaction for each revision. Measured: what is missing, what it costs, how fast it is played.
"""

import base64
import http.client
import json
import os
import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.bench.bench_backup import Etcd, an_etcd
from tests.bench.figure import Figure

from hypershift import parts

SECONDS, KEYS, VALUE = 20.0, 400, 2048
RATE = 200
#: Seconds between two times at which a segment goes to its store.
FLUSH = 1.0
EVERYTHING = {"key": "AA==", "range_end": "AA=="}
LEASED = "/registry/events/"


def _text(word: bytes | str) -> str:
    raw = word.encode() if isinstance(word, str) else word
    return base64.b64encode(raw).decode()


class Api:
    """One connection to etcd's gateway."""

    def __init__(self, etcd: Etcd) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", etcd.port, timeout=60)

    def __call__(self, path: str, body: Any) -> dict[str, Any]:
        self._connection.request("POST", f"/v3/{path}", json.dumps(body))
        answer = self._connection.getresponse()
        found: dict[str, Any] = json.loads(answer.read())
        assert answer.status == http.client.OK, found
        return found


@dataclass
class Recorder:
    """Watches everything; a segment is in the store once it was flushed."""

    etcd: Etcd
    file: Path
    since: int
    cpu: float = 0.0
    #: The newest revision that was told, and the newest that is in the store.
    told: int = 0
    stored: int = 0
    ready: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.etcd.port)
        wanted = {**EVERYTHING, "start_revision": self.since + 1}
        connection.request("POST", "/v3/watch", json.dumps({"create_request": wanted}))
        answer = connection.getresponse()
        flushed = time.monotonic()
        with self.file.open("wb") as target:
            try:
                while line := answer.readline():
                    if b'"events"' in line[:4096]:
                        target.write(line)
                        self.told = _revision_of(line)
                    else:
                        self.ready.set()
                    if time.monotonic() - flushed >= FLUSH:
                        target.flush()
                        os.fsync(target.fileno())
                        self.stored, flushed = self.told, time.monotonic()
            except (OSError, http.client.HTTPException):
                pass
            self.cpu = time.thread_time()


def _revision_of(line: bytes) -> int:
    return int(json.loads(line)["result"]["events"][-1]["kv"]["mod_revision"])


@dataclass
class Writer:
    """Writes as API servers do: single keys, deletions, a few keys that end by a lease."""

    etcd: Etcd
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        api, chance = Api(self.etcd), random.Random(7)  # noqa: S311
        lease = api("lease/grant", {"TTL": 3600})["ID"]
        try:
            while not self.stop.is_set():
                begin = time.monotonic()
                answer = api("kv/txn", {"success": list(_some_writes(chance, lease))})
                self.acknowledged.append((int(answer["header"]["revision"]), time.monotonic()))
                time.sleep(max(0.0, begin + 1 / RATE - time.monotonic()))
        except (OSError, http.client.HTTPException, ValueError):
            return


def _some_writes(chance: random.Random, lease: str) -> Iterator[dict[str, Any]]:
    for _ in range(chance.choice((1, 1, 1, 3))):
        key = f"/registry/configmaps/{chance.randrange(KEYS)}"
        if chance.random() < 0.1:
            yield {"requestDeleteRange": {"key": _text(key)}}
            return
        value = _text(chance.randbytes(chance.randrange(1, 2 * VALUE)))
        if chance.random() < 0.2:
            event = f"{LEASED}{chance.randrange(10**9)}"
            yield {"requestPut": {"key": _text(event), "value": value, "lease": lease}}
            return
        yield {"requestPut": {"key": _text(key), "value": value}}
        return


def _content(api: Api, revision: int) -> dict[str, Any]:
    """Every key as it was at a revision, with its own revisions."""
    found = api("kv/range", {**EVERYTHING, "revision": revision}).get("kvs", [])
    return {one.pop("key"): one for one in found}


def _events(file: Path, until: int) -> list[dict[str, Any]]:
    """What was recorded up to a revision; a line that was cut by the end is no event."""
    found: list[dict[str, Any]] = []
    for line in file.read_bytes().splitlines():
        try:
            found += json.loads(line)["result"]["events"]
        except ValueError:
            break
    return [one for one in found if int(one["kv"]["mod_revision"]) <= until]


def _play(api: Api, events: list[dict[str, Any]]) -> int:
    """One transaction for each revision, so that revisions are what they were."""
    leases: set[str] = set()
    count = 0
    for _, group in groupby(events, key=lambda one: one["kv"]["mod_revision"]):
        steps = []
        for one in group:
            kv = one["kv"]
            if one.get("type") == "DELETE":
                steps.append({"requestDeleteRange": {"key": kv["key"]}})
                continue
            put = {"key": kv["key"], "value": kv.get("value", "")}
            if lease := kv.get("lease"):
                if lease not in leases:
                    api("lease/grant", {"ID": lease, "TTL": 3600})
                    leases.add(lease)
                put["lease"] = lease
            steps.append({"requestPut": put})
        api("kv/txn", {"success": steps})
        count += 1
    return count


def _etcdutl(*words: str | Path) -> None:
    argv = [str(parts.path("etcdutl")), *map(str, words)]
    subprocess.run(argv, check=True, capture_output=True)


def figures() -> Iterator[Figure]:
    """The loss of a disk in the middle of writes, and the way back."""
    with tempfile.TemporaryDirectory(prefix="hs-bench-") as folder:
        place = Path(folder)
        snapshot, segment = place / "snapshot.db", place / "segment"
        with an_etcd(place) as etcd:
            etcd.fill(KEYS * VALUE)
            api = Api(etcd)
            argv = (str(parts.path("etcdctl")), f"--endpoints={etcd.endpoint}")
            subprocess.run((*argv, "snapshot", "save", snapshot), check=True, capture_output=True)
            base = int(api("kv/range", {"key": "AA=="})["header"]["revision"])
            recorder, writer = Recorder(etcd, segment, base), Writer(etcd)
            threads = [threading.Thread(target=one.run, daemon=True) for one in (recorder, writer)]
            threads[0].start()
            assert recorder.ready.wait(10)
            threads[1].start()
            time.sleep(SECONDS)
            moment = writer.acknowledged[-1][0]
            wanted = _content(api, moment)
            time.sleep(FLUSH / 2)
            etcd.kill()
            for thread in threads:
                thread.join(30)
        stored = recorder.stored
        last, ended = writer.acknowledged[-1]
        kept = [at for revision, at in writer.acknowledged if revision <= stored]
        yield Figure("point in time: revisions recorded", recorder.told - base, "")
        yield Figure("point in time: told to the recorder, missing", last - recorder.told, "writes")
        yield Figure("point in time: in the store, missing", last - stored, "writes")
        yield Figure("point in time: in the store, missing", ended - kept[-1], "s")
        size, count = segment.stat().st_size, recorder.told - base
        yield Figure("point in time: segment per write", size / count, "B")
        yield Figure("point in time: recorder's processor", recorder.cpu / count * 1e6, "us/write")

        events = _events(segment, moment)
        restored = place / "back"
        restored.mkdir()
        _etcdutl("snapshot", "restore", snapshot, f"--data-dir={restored / 'data'}")
        with an_etcd(restored) as etcd:
            api = Api(etcd)
            begin = time.perf_counter()
            played = _play(api, events)
            took = time.perf_counter() - begin
            found = _content(api, 0)
            wrong = sum(wanted.get(key) != found.get(key) for key in wanted.keys() | found.keys())
            yield Figure("point in time: played back", played / took, "revisions/s")
            yield Figure("point in time: keys", len(wanted), "")
            yield Figure("point in time: keys that differ", wrong, "", most=0)
