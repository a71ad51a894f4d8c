"""Kubelets, workload controllers and a cloud, as much of them as operators can see.

Deployments and StatefulSets roll one replica after the other; a replica that is replaced serves
for a while yet. What a replica mounts is what its Secret held when it started.
"""

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import yaml

from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, kinds

TICK, STARTING, ENDING = 0.5, 1.0, 4.0
ADDRESS = "192.0.2.7"
HELD = "example.com/kubelet"
PLAIN = "plain"
SERVER, ENCRYPTION = "kube-apiserver", "kas-secret-encryption-config"


@dataclass(slots=True)
class Replica:
    """One pod: what it was made from, which keys it reads with, and since or until when."""

    template: str
    keys: tuple[str, ...]
    moment: float


@dataclass(slots=True)
class Rollout:
    """The replicas of one workload, and those that are about to end."""

    running: list[Replica] = field(default_factory=list)
    ending: dict[str, Replica] = field(default_factory=dict)
    names: int = 0
    namespace: str = ""  # of an API server
    is_finished: bool = False  # as many replicas as wanted run, ready, as the template says


class Workloads:
    """Plays what runs on the management cluster's nodes."""

    def __init__(
        self,
        client: Client,
        changes: Callable[[], int] | None = None,
        *,
        names: bool = False,
    ) -> None:
        """Act as `client`; with `names`, load balancers have names as on AWS.

        `changes` counts what was written: without a new write, nothing is to be done. A story is
        quiet most of its time, and half of its cost was to look whether it still is.
        """
        self._client, self._changes, self._names = client, changes, names
        self._rested_at = -1
        self._rollouts: dict[str, Rollout] = {}
        self._present: set[str] = set()
        #: What must never be and was: replicas that cannot read what others write.
        self.complaints: list[str] = []

    async def run(self) -> None:
        """Play for ever."""
        while True:
            await asyncio.sleep(TICK)
            before = self._changes() if self._changes else -1
            if before >= 0 and before == self._rested_at:
                continue
            await self._balance()
            self._present.clear()
            for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT):
                for workload in await self._client.list(resource):
                    self._present.add(workload["metadata"]["uid"])
                    await self._roll(workload)
            await self._let_go()
            self.complaints += self._unreadable()
            # A write of this very round, or of another one meanwhile, is looked at in the next one.
            self._rested_at = before if self._is_at_rest() else -1

    def _is_at_rest(self) -> bool:
        """True if no replica starts, ends or waits: only a write can begin anything."""
        return all(
            not rollout.ending and (uid not in self._present or rollout.is_finished)
            for uid, rollout in self._rollouts.items()
        )

    def servers(self, namespace: str) -> list[Replica]:
        """The API servers of a control plane that answer, those that are about to end included."""
        return [
            replica
            for uid, rollout in self._rollouts.items()
            if rollout.namespace == namespace and uid in self._present
            for replica in (*rollout.running, *rollout.ending.values())
        ]

    async def _balance(self) -> None:
        for service in await self._client.list(kinds.SERVICE):
            known = (service.get("status") or {}).get("loadBalancer")
            if service["spec"].get("type") == "LoadBalancer" and not known:
                name = f"a{service['metadata']['uid']}-0123.elb.us-east-1.amazonaws.com"
                entry = {"hostname": name} if self._names else {"ip": ADDRESS}
                await self._report(service, {"loadBalancer": {"ingress": [entry]}})

    async def _roll(self, workload: Manifest) -> None:
        now = asyncio.get_running_loop().time()
        metadata = workload["metadata"]
        place = metadata["namespace"] if metadata["name"] == SERVER else ""
        rollout = self._rollouts.setdefault(metadata["uid"], Rollout(namespace=place))
        template = json.dumps(workload["spec"]["template"], sort_keys=True)
        wanted: int = workload["spec"].get("replicas", 1)
        ready = all(now - one.moment >= STARTING for one in rollout.running)
        outdated = [one for one in rollout.running if one.template != template]
        if len(rollout.running) < wanted:
            rollout.running += await self._started(workload, template, now)
        elif len(rollout.running) > wanted or (outdated and ready):
            old = outdated[0] if outdated else rollout.running[-1]
            rollout.running.remove(old)
            await self._end(workload, rollout, old, now)
        status = _status(workload, rollout, template, now)
        rollout.is_finished = status["readyReplicas"] == status["updatedReplicas"] == wanted
        await self._report(workload, status)

    async def _started(self, workload: Manifest, template: str, now: float) -> list[Replica]:
        """One more replica; none while a Secret that it mounts is not there."""
        keys: tuple[str, ...] = (PLAIN,)
        if workload["metadata"]["name"] == SERVER and f'"{ENCRYPTION}"' in template:
            namespace = workload["metadata"]["namespace"]
            secret = await self._client.find(kinds.SECRET, ENCRYPTION, namespace)
            if secret is None:
                return []
            keys = keys_of(secret) or keys
        return [Replica(template, keys, now)]

    async def _end(self, workload: Manifest, rollout: Rollout, old: Replica, now: float) -> None:
        """Let a replica serve its last requests, under a pod that can be seen to end."""
        rollout.names += 1
        metadata = workload["metadata"]
        name, namespace = f"{metadata['name']}-{rollout.names}", metadata["namespace"]
        if metadata["name"] != SERVER:
            return
        labels = {"app": SERVER}
        pod = {"name": name, "namespace": namespace, "labels": labels, "finalizers": [HELD]}
        with suppress(ApiError):
            await self._client.create({"apiVersion": "v1", "kind": "Pod", "metadata": pod})
            await self._client.delete(kinds.POD, name, namespace)
            rollout.ending[f"{namespace}/{name}"] = Replica(old.template, old.keys, now + ENDING)

    async def _let_go(self) -> None:
        now = asyncio.get_running_loop().time()
        due = {
            key
            for rollout in self._rollouts.values()
            for key, one in rollout.ending.items()
            if one.moment <= now
        }
        for key in sorted(due):
            namespace, _, name = key.partition("/")
            free = {"metadata": {"finalizers": None}}
            with suppress(ApiError):
                await self._client.patch(kinds.POD, name, free, namespace)
        for rollout in self._rollouts.values():
            rollout.ending = {k: one for k, one in rollout.ending.items() if k not in due}

    async def _report(self, found: Manifest, status: Manifest) -> None:
        known = found.get("status") or {}
        if all(known.get(name) == value for name, value in status.items()):
            return
        name, namespace = found["metadata"]["name"], found["metadata"]["namespace"]
        with suppress(ApiError):
            await self._client.patch(
                kinds.resource_of(found), name, {"status": status}, namespace, subresource="status"
            )

    def _unreadable(self) -> Iterator[str]:
        for rollout in self._rollouts.values():
            replicas = (*rollout.running, *rollout.ending.values())
            for writer in replicas:
                if any(writer.keys[0] not in reader.keys for reader in replicas):
                    told = sorted({" ".join(one.keys) for one in replicas})
                    yield f"one replica cannot read what another writes: {told}"


def keys_of(secret: Manifest | None) -> tuple[str, ...]:
    """The keys of an encryption configuration, the one that writes first."""
    text = ((secret or {}).get("data") or {}).get("config.yaml")
    if not text:
        return ()
    found: list[str] = []
    for one in yaml.safe_load(b64decode(text))["resources"][0]["providers"]:
        found += [key["name"] for key in (one.get("aescbc") or {}).get("keys", ())]
        found += [PLAIN] if "identity" in one else []
    return tuple(found)


def _status(workload: Manifest, rollout: Rollout, template: str, now: float) -> Manifest:
    ready = sum(now - one.moment >= STARTING for one in rollout.running)
    status: Manifest = {
        "replicas": len(rollout.running),
        "readyReplicas": ready,
        "availableReplicas": ready,
        "updatedReplicas": sum(one.template == template for one in rollout.running),
        "observedGeneration": workload["metadata"].get("generation", 1),
    }
    if workload["kind"] == "Deployment":
        wanted = workload["spec"].get("replicas", 1)
        enough = ready >= max(1, wanted - 1)
        status["unavailableReplicas"] = max(0, wanted - ready)
        status["conditions"] = [{"type": "Available", "status": "True" if enough else "False"}]
    return status
