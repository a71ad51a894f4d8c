"""What hosted clusters store, and with which key each object was written.

Behind the API servers that `Workloads` rolls there is one memory per cluster. Whoever writes does
so through one of the servers, with the key that this one writes with; a server that cannot read
what is stored says so, and that is a complaint.
"""

import asyncio
import json
import random
from dataclasses import dataclass, field

import yaml
from tests.lib.workloads import Replica, Workloads

from hypershift.kit import Manifest
from hypershift.kube import Client, Request, Response, kinds

TICK = 0.4
NAMES = tuple(f"secret-{number}" for number in range(12))
UNAVAILABLE, BROKEN, GONE = 503, 500, 404


@dataclass(slots=True)
class Memory:
    """The Secrets of one cluster, by name: the key that each was written with."""

    uid: str  # of the control plane namespace: a new one is a new cluster
    secrets: dict[str, str] = field(default_factory=dict)


class Stored:
    """The memories of all hosted clusters."""

    def __init__(self, workloads: Workloads, client: Client, rng: random.Random) -> None:
        """Look at namespaces through `client`."""
        self._workloads, self._client, self._rng = workloads, client, rng
        self._memories: dict[str, Memory] = {}
        #: Whether requests fail now and then.
        self.moody = True
        #: What must never be and was: something stored that an API server cannot read.
        self.complaints: list[str] = []

    async def run(self) -> None:
        """Write and read for ever, as the users of hosted clusters do."""
        while True:
            await asyncio.sleep(TICK)
            for namespace in await self._client.list(kinds.NAMESPACE):
                name, uid = namespace["metadata"]["name"], namespace["metadata"]["uid"]
                if self._memories.setdefault(name, Memory(uid)).uid != uid:
                    self._memories[name] = Memory(uid)
                self._use(name)

    def keys(self, namespace: str) -> set[str]:
        """The keys that something is stored with."""
        found = self._memories.get(namespace)
        return set(found.secrets.values()) if found else set()

    def secrets(self, namespace: str) -> dict[str, str]:
        """What is stored."""
        found = self._memories.get(namespace)
        return found.secrets if found else {}

    def server(self, namespace: str) -> Replica | None:
        """The API server that a request comes to; it must be able to read everything."""
        servers = self._workloads.servers(namespace)
        for one in servers:
            if unread := self.keys(namespace) - set(one.keys):
                self.complaints.append(f"{sorted(unread)} is stored, a server has {one.keys}")
        return self._rng.choice(servers) if servers else None

    def _use(self, namespace: str) -> None:
        server = self.server(namespace)
        if server is not None and namespace in self._memories:
            self._memories[namespace].secrets[self._rng.choice(NAMES)] = server.keys[0]

    def connect(self, kubeconfig: bytes) -> Client:
        """A client of the cluster that a kubeconfig is for."""
        server = yaml.safe_load(kubeconfig)["clusters"][0]["cluster"]["server"]
        namespace = server.partition("://")[2].split(".")[1]
        return Client(Guest(self, namespace, self._rng), manager="guest", rng=self._rng)


@dataclass(slots=True)
class Guest:
    """The transport to one hosted cluster: it lists Secrets, and stores one anew."""

    stored: Stored
    namespace: str
    rng: random.Random

    async def request(self, request: Request) -> Response:
        """Answer as an API server would, sometimes with an error."""
        await asyncio.sleep(self.rng.uniform(0.001, 0.05))
        server = self.stored.server(self.namespace)
        unlucky = self.rng.random() < 0.05
        if server is None or (unlucky and self.stored.moody):
            return _failure(UNAVAILABLE)
        secrets = self.stored.secrets(self.namespace)
        if request.method == "GET":
            return _answer(
                {
                    "kind": "SecretList",
                    "metadata": {"resourceVersion": "1"},
                    "items": [_secret(name) for name in secrets],
                }
            )
        name = request.path.rpartition("/")[2]
        if name not in secrets:
            return _failure(GONE)
        secrets[name] = server.keys[0]
        return _answer(_secret(name))

    async def close(self) -> None:
        """Nothing to let go of."""


def _secret(name: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": "shop"}}


def _answer(body: Manifest) -> Response:
    return Response(200, body=json.dumps(body).encode())


def _failure(status: int) -> Response:
    reason = {UNAVAILABLE: "ServiceUnavailable", GONE: "NotFound"}.get(status, "InternalError")
    body = {"kind": "Status", "code": status, "reason": reason, "message": "as the test wants"}
    return Response(status, body=json.dumps(body).encode())
