"""The world of a LocalMachine in memory: its owner, cluster and Secret, and a pretended host."""

import base64
import random
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any, cast

from tests.lib.memory import MemoryClient

from hypershift.kit import Key, Manifest, Secret, SystemClock
from hypershift.kube import kinds
from hypershift.local.machine import Attachment, Machine, MachineSpec, Metadata, State, Status
from hypershift.local.provider.fleet import Fleet, Order, name_of, provider_id
from hypershift.local.provider.machine import NORMAL, MachineScope
from hypershift.local.provider.settings import Settings
from hypershift.runtime import Context, Events
from hypershift.runtime.logs import logger
from hypershift.runtime.phases import Report, run

KEY = Key("clusters-demo", "worker-1")

SETTINGS = Settings(
    kubeconfig=Path("/k"),
    machines=Path("/machines"),
    trees=Path("/trees"),
    scope="test",
    bridge="b",
    network=IPv4Network("10.0.0.0/19"),
    pool=IPv4Network("10.0.16.0/20"),
    gateway="10.0.0.1",
    resolvers=("10.0.0.1",),
    zones=("a", "b"),
)


@dataclass
class Pretended:
    """A machine that remembers what was done to it."""

    spec: MachineSpec
    state: State = State.STOPPED
    fell: bool = False
    failure: str = ""
    done: list[str] = field(default_factory=list)
    console: Path = Path("/console")

    def status(self) -> Status:
        return Status(self.state, failure=self.failure, fell=self.fell)

    async def boot(self) -> None:
        if self.state is State.STOPPED:
            self.done.append("boot")
            self.state, self.fell = State.RUNNING, False

    async def shutdown(self, grace: float) -> None:
        del grace
        if self.state is not State.STOPPED:
            self.done.append("shutdown")
        self.state, self.fell = State.STOPPED, False

    def pause(self) -> None:
        self.done.append("pause")
        self.state = State.PAUSED

    def resume(self) -> None:
        self.done.append("resume")
        self.state = State.RUNNING


@dataclass
class PretendedFleet:
    """Machines in memory."""

    settings: Settings = SETTINGS
    machines: dict[Key, Pretended] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    provisions: list[tuple[str, bytes]] = field(default_factory=list)

    def find(self, key: Key) -> Machine | None:
        return cast("Machine | None", self.machines.get(key))

    async def make(self, order: Order) -> Machine:
        self.orders.append(order)
        spec = MachineSpec(
            name=name_of(order.key),
            scope="test",
            os_tree=Path("/tree"),
            directory=Path("/machines") / name_of(order.key),
            network=Attachment(bridge="b", address="10.0.16.9/19"),
            metadata=Metadata(
                hostname=order.key.name,
                provider_id=provider_id(order.cluster, order.key.name),
                zone="a",
            ),
        )
        self.machines[order.key] = Pretended(spec)
        return cast("Machine", self.machines[order.key])

    async def reprovision(self, machine: Machine, image: str, user_data: Secret[bytes]) -> None:
        await machine.shutdown(1)
        self.provisions.append((image, user_data.reveal()))
        await machine.boot()

    async def remove(self, key: Key) -> None:
        self.machines.pop(key, None)


def a_local_machine(**annotations: str) -> Manifest:
    marks = {
        f"infrastructure.local.hypershift.io/{k.replace('_', '-')}": v
        for k, v in annotations.items()
    }
    return {
        "apiVersion": "infrastructure.local.hypershift.io/v1beta1",
        "kind": "LocalMachine",
        "metadata": {
            "name": KEY.name,
            "namespace": KEY.namespace,
            "annotations": marks,
            "ownerReferences": [
                {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "name": "worker-1"}
            ],
        },
        "spec": {"cpu": "1", "memory": "1Gi", "image": "registry.example/machine-os:1"},
    }


def a_machine(**spec: Any) -> Manifest:
    return {
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Machine",
        "metadata": {"name": "worker-1", "namespace": KEY.namespace},
        "spec": {
            "clusterName": "demo",
            "bootstrap": {"dataSecretName": "user-data"},
            "infrastructureRef": {"kind": "LocalMachine", "name": "worker-1"},
            **spec,
        },
    }


def a_cluster(**spec: Any) -> Manifest:
    return {
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": "demo", "namespace": KEY.namespace},
        "spec": spec,
        "status": {"initialization": {"infrastructureProvisioned": True}},
    }


def a_secret(name: str = "user-data", value: bytes = b"{}") -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": KEY.namespace},
        "data": {"value": base64.b64encode(value).decode()},
    }


@dataclass
class Told:
    """Events that were sent."""

    warnings: list[str]

    async def warning(self, reason: str, message: str) -> None:
        self.warnings.append(f"{reason}: {message}")


@dataclass
class World:
    """The API and the host; `go` runs one pass."""

    kube: MemoryClient
    fleet: PretendedFleet = field(default_factory=PretendedFleet)
    status: dict[str, Any] = field(default_factory=dict)
    events: "Told" = field(default_factory=lambda: Told([]))

    async def go(self) -> Report:
        manifest = await self.kube.get(kinds.LOCAL_MACHINE, KEY.name, KEY.namespace)
        manifest["status"] = self.status
        clock = SystemClock()
        context = Context(
            kube=self.kube,
            live=self.kube,
            clock=clock,
            events=cast("Events", self.events),
            log=logger(),
            remotes=cast("Any", None),
            rng=random.Random(0),  # noqa: S311 - a test's own
        )
        scope = MachineScope(manifest, context, cast("Fleet", self.fleet))
        report = await run(NORMAL, scope)
        self.status = scope.status
        return report

    @property
    def reason(self) -> str:
        (condition,) = self.status["conditions"]
        return str(condition["reason"])

    @property
    def machine(self) -> Pretended:
        return self.fleet.machines[KEY]


def a_world(*objects: Manifest) -> World:
    plain = (a_local_machine(), a_machine(), a_cluster(), a_secret())
    given = {one["kind"] for one in objects}
    return World(MemoryClient(*objects, *(one for one in plain if one["kind"] not in given)))
