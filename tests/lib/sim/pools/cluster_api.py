"""A Cluster API for the simulation: deployments make sets, sets make machines, machines take time.

It keeps the promises that node pools lean on (surge and unavailability, oldest machines first,
finalizers until a machine is gone) and invents nothing else.
"""

import asyncio
import math
import random
from contextlib import suppress
from typing import Any

from tests.lib.sim.server import SimServer

from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import ApiError, Client, Resource, kinds
from hypershift.kube.compare import digest
from hypershift.operators.hypershift.node_pool import names

FINALIZER = "machine.cluster.x-k8s.io"
BOOT, GOODBYE = (1.0, 6.0), (0.5, 4.0)
_PAUSED = "cluster.x-k8s.io/paused"
#: What Cluster API fills in where a deployment does not say how it rolls.
_DEFAULTED: Manifest = {
    "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
}
#: What machines are made of; other fields of a template reach them without a rollout.
_ROLLS = ("clusterName", "bootstrap", "infrastructureRef", "version", "failureDomain")


class ClusterApi:
    """Looks at everything from time to time, as controllers with slow queues would."""

    def __init__(self, server: SimServer, kube: Client, rng: random.Random) -> None:
        """Act through `kube`."""
        self._server, self._kube, self._rng = server, kube, rng
        self._due: dict[str, float] = {}

    async def run(self) -> None:
        """Work for ever; what fails is tried again at the next look."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.2, 1.0))
            for kind, work in (
                (kinds.MACHINE_DEPLOYMENT, self._deployment),
                (kinds.MACHINE_SET, self._set),
                (kinds.MACHINE, self._machine),
            ):
                for found in self._server.all(kind):
                    with suppress(ApiError):
                        await work(found)

    # Deployments

    async def _deployment(self, deployment: Manifest) -> None:
        if _idle(deployment):
            return
        template, wanted = deployment["spec"]["template"], deployment["spec"].get("replicas") or 0
        mark = digest({name: template["spec"].get(name) for name in _ROLLS})[:8]
        sets = owned(self._server, kinds.MACHINE_SET, deployment)
        name = f"{deployment['metadata']['name']}-{mark}"
        newest = next((one for one in sets if one["metadata"]["name"] == name), None)
        if newest is None:
            await self._kube.create(_machine_set(deployment, name))
            return
        older = [one for one in sets if one is not newest]
        await self._roll(deployment, newest, older, wanted)
        for one in older:
            if not one["spec"]["replicas"] and not owned(self._server, kinds.MACHINE, one):
                await self._kube.delete(kinds.MACHINE_SET, one["metadata"]["name"], _place(one))
        await self._count(deployment, newest, older, wanted)

    async def _roll(
        self, deployment: Manifest, newest: Manifest, older: list[Manifest], wanted: int
    ) -> None:
        strategy = deployment["spec"].get("rollout", _DEFAULTED)["strategy"]
        total = sum(one["spec"]["replicas"] for one in (newest, *older))
        have = newest["spec"]["replicas"]
        if strategy["type"] == "OnDelete":
            for one in older:
                left = len([m for m in owned(self._server, kinds.MACHINE, one) if not _dying(m)])
                await self._scale(one, min(one["spec"]["replicas"], left))
            await self._scale(newest, max(0, wanted - (total - have)))
            return
        surge, unavailable = limits(strategy, wanted)
        room = wanted + surge - total
        await self._scale(newest, min(wanted, have + max(0, room)) if have <= wanted else wanted)
        ready = [ready_machines(self._server, one) for one in (newest, *older)]
        least = wanted - unavailable
        spare = total - least - max(0, have - ready[0])
        kept = [one["spec"]["replicas"] for one in older]
        for place, serving in enumerate(ready[1:]):  # first what serves nobody
            less = max(0, min(spare, kept[place] - serving))
            kept[place], spare = kept[place] - less, spare - less
        spare = min(spare, sum(ready) - least)
        for place, left in enumerate(kept):
            less = max(0, min(spare, left))
            kept[place], spare = left - less, spare - less
        for one, left in zip(older, kept, strict=True):
            await self._scale(one, left)

    async def _scale(self, machine_set: Manifest, replicas: int) -> None:
        if machine_set["spec"]["replicas"] != replicas:
            name = machine_set["metadata"]["name"]
            patch = {"spec": {"replicas": replicas}}
            await self._kube.patch(kinds.MACHINE_SET, name, patch, _place(machine_set))

    async def _count(
        self, deployment: Manifest, newest: Manifest, older: list[Manifest], wanted: int
    ) -> None:
        sets = (newest, *older)
        machines = [m for one in sets for m in owned(self._server, kinds.MACHINE, one)]
        ready = sum(ready_machines(self._server, one) for one in sets)
        fresh = [m for m in owned(self._server, kinds.MACHINE, newest) if not _dying(m)]
        enough = ready >= wanted
        status = {
            "observedGeneration": deployment["metadata"]["generation"],
            "replicas": len(machines),
            "readyReplicas": ready,
            "availableReplicas": ready,
            "upToDateReplicas": len(fresh),
            "deprecated": {"v1beta1": {"updatedReplicas": len(fresh), "availableReplicas": ready}},
            "conditions": [{"type": "Available", "status": str(enough), "reason": "Counted"}],
        }
        await self._status(kinds.MACHINE_DEPLOYMENT, deployment, status)

    async def _status(self, resource: Resource, manifest: Manifest, status: Manifest) -> None:
        if manifest.get("status") != status:
            name = manifest["metadata"]["name"]
            await self._kube.patch(
                resource, name, {"status": status}, _place(manifest), subresource="status"
            )

    # Sets

    async def _set(self, machine_set: Manifest) -> None:
        if _idle(machine_set):
            return
        wanted = machine_set["spec"].get("replicas") or 0
        machines = owned(self._server, kinds.MACHINE, machine_set)
        alive = [one for one in machines if not _dying(one)]
        for number in range(len(alive), wanted):
            del number
            await self._kube.create(_new_machine(machine_set, self._rng))
        for one in sorted(alive, key=_is_ready)[: max(0, len(alive) - wanted)]:
            await self._kube.delete(kinds.MACHINE, one["metadata"]["name"], _place(one))
        if names.TARGET_CONFIG_VERSION in annotations_of(machine_set):
            await self._upgrade_in_place(machine_set)
            ready = sum(map(_is_ready, alive))
            await self._status(
                kinds.MACHINE_SET,
                machine_set,
                {
                    "replicas": len(machines),
                    "readyReplicas": ready,
                    "availableReplicas": ready,
                    "conditions": [{"type": "MachinesReady", "status": str(ready >= wanted)}],
                },
            )

    async def _upgrade_in_place(self, machine_set: Manifest) -> None:
        """What the in-place upgrader does, after a while."""
        marks = annotations_of(machine_set)
        target = marks[names.TARGET_CONFIG_VERSION]
        if marks.get(names.CURRENT_CONFIG_VERSION) != target and self._is_due(
            f"{machine_set['metadata']['uid']}/{target}", BOOT
        ):
            patch = {"metadata": {"annotations": {names.CURRENT_CONFIG_VERSION: target}}}
            name = machine_set["metadata"]["name"]
            await self._kube.patch(kinds.MACHINE_SET, name, patch, _place(machine_set))

    # Machines

    async def _machine(self, machine: Manifest) -> None:
        metadata = machine["metadata"]
        if _dying(machine):
            if self._is_due(f"{metadata['uid']}/goodbye", GOODBYE):
                patch = {"metadata": {"finalizers": None}}
                await self._kube.patch(kinds.MACHINE, metadata["name"], patch, _place(machine))
            return
        if not _is_ready(machine) and self._is_due(metadata["uid"], BOOT):
            conditions = [
                {"type": kind, "status": "True", "reason": "Simulated"}
                for kind in ("Ready", "InfrastructureReady", "NodeHealthy")
            ]
            info = {"kubeletVersion": f"v{machine['spec'].get('version', '')}"}
            status = {"conditions": conditions, "nodeInfo": info}
            await self._status(kinds.MACHINE, machine, status)

    def _is_due(self, what: str, span: tuple[float, float]) -> bool:
        """Whether the time that something takes has passed since it was first asked for."""
        now = asyncio.get_running_loop().time()
        return now >= self._due.setdefault(what, now + self._rng.uniform(*span))


def _idle(manifest: Manifest) -> bool:
    return _dying(manifest) or _PAUSED in annotations_of(manifest)


def _dying(manifest: Manifest) -> bool:
    return bool(manifest["metadata"].get("deletionTimestamp"))


def _place(manifest: Manifest) -> str:
    namespace: str = manifest["metadata"]["namespace"]
    return namespace


def _is_ready(machine: Manifest) -> bool:
    conditions = (machine.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def owned(server: SimServer, resource: Resource, owner: Manifest) -> list[Manifest]:
    """What an object owns, by uid."""
    uid = owner["metadata"]["uid"]
    return [
        one
        for one in server.all(resource)
        if any(ref["uid"] == uid for ref in one["metadata"].get("ownerReferences") or ())
    ]


def ready_machines(server: SimServer, machine_set: Manifest) -> int:
    """How many machines of a set serve."""
    machines = owned(server, kinds.MACHINE, machine_set)
    return sum(_is_ready(one) and not _dying(one) for one in machines)


def limits(strategy: Manifest, wanted: int) -> tuple[int, int]:
    """How many more and how many less there may be; both zero would never end."""
    rolling = strategy.get("rollingUpdate") or {}
    surge = _amount(rolling.get("maxSurge", 1), wanted, math.ceil)
    unavailable = _amount(rolling.get("maxUnavailable", 0), wanted, math.floor)
    return (surge, unavailable) if surge or unavailable else (0, 1)


def _amount(value: int | str, wanted: int, rounded: Any) -> int:
    if isinstance(value, str):
        return int(rounded(wanted * int(value.removesuffix("%")) / 100))
    return value


def _owner(manifest: Manifest) -> list[Manifest]:
    reference = {
        "apiVersion": manifest["apiVersion"],
        "kind": manifest["kind"],
        "name": manifest["metadata"]["name"],
        "uid": manifest["metadata"]["uid"],
        "controller": True,
    }
    return [reference]


def _machine_set(deployment: Manifest, name: str) -> Manifest:
    return {
        "apiVersion": kinds.MACHINE_SET.api_version,
        "kind": "MachineSet",
        "metadata": {
            "name": name,
            "namespace": _place(deployment),
            "labels": {names.DEPLOYMENT_NAME: deployment["metadata"]["name"]},
            "ownerReferences": _owner(deployment),
        },
        "spec": {
            "clusterName": deployment["spec"]["clusterName"],
            "replicas": 0,
            "selector": deployment["spec"]["selector"],
            "template": deployment["spec"]["template"],
        },
    }


def _new_machine(machine_set: Manifest, rng: random.Random) -> Manifest:
    template = machine_set["spec"]["template"]
    return {
        "apiVersion": kinds.MACHINE.api_version,
        "kind": "Machine",
        "metadata": {
            "name": f"{machine_set['metadata']['name']}-{rng.getrandbits(32):08x}",
            "namespace": _place(machine_set),
            "labels": labels_of(template),
            "annotations": annotations_of(template),
            "ownerReferences": _owner(machine_set),
            "finalizers": [FINALIZER],
        },
        "spec": template["spec"],
    }
