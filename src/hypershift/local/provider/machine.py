"""LocalMachine: from an object to a running machine, and back to nothing.

owner ─> bootstrap data ─> made ─> in place: other image or user data ─> power ─> status
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from hypershift.api.conditions import LocalMachineCondition, LocalMachineReason, Owner, false, true
from hypershift.kit import Key, Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.local.machine import Machine, State, Status
from hypershift.local.provider import names, placement, template
from hypershift.local.provider.bootstrap import read_user_data
from hypershift.local.provider.fleet import Fleet, Order, addresses_of
from hypershift.runtime import Context, Controller, Done, Outcome, Phase, Scope, Stop, Wait, Watch

#: How often a running machine is checked: no event reports its end.
LOOK: Final = timedelta(seconds=5)


@dataclass(slots=True)
class MachineScope(Scope):
    """What one pass over a LocalMachine knows."""

    fleet: Fleet
    #: The Machine that this one serves, and its Cluster.
    owner: Manifest | None = None
    cluster: Manifest | None = None
    machine: Machine | None = None

    @property
    def annotations(self) -> dict[str, str]:
        """The object's annotations."""
        return annotations_of(self.object)

    @property
    def image(self) -> str:
        """The image to boot from: an in-place upgrade's, else the spec's."""
        return self.annotations.get(names.DESIRED_IMAGE) or str(self.spec.get("image") or "")

    @property
    def user_data(self) -> str:
        """The Secret to boot from: an in-place upgrade's, else the owner's."""
        bootstrap = (self.owner or {}).get("spec", {}).get("bootstrap", {})
        return self.annotations.get(names.DESIRED_USER_DATA) or bootstrap.get("dataSecretName", "")

    def not_ready(self, reason: LocalMachineReason, message: str = "") -> Stop:
        """Return why there is no running machine, and end the pass."""
        self.status["ready"] = False
        self.conditions.set(false(LocalMachineCondition.READY, reason, message))
        return Stop(reason, message)

    async def annotate(self, **changes: str) -> None:
        """Write annotations of ours, and see them in this pass."""
        marks = {f"{names.GROUP}/{name.replace('_', '-')}": text for name, text in changes.items()}
        if not all(self.annotations.get(name) == text for name, text in marks.items()):
            await self.write({"metadata": {"annotations": marks}})

    async def write(self, patch: Manifest) -> None:
        """Change the object itself; what is left of this pass speaks of the changed one."""
        key = self.key
        answer = await self.kube.patch(kinds.LOCAL_MACHINE, key.name, patch, key.namespace)
        self.object["metadata"] = answer["metadata"]
        self.object["spec"] = answer["spec"]


async def find_owner(scope: MachineScope) -> Outcome:
    """The Machine that this one serves; without it, or while paused, nothing is done."""
    if names.PAUSED in scope.annotations:
        return Stop(LocalMachineReason.PAUSED)
    for reference in scope.object["metadata"].get("ownerReferences") or ():
        if reference["kind"] == kinds.MACHINE.kind:
            name, namespace = reference["name"], scope.key.namespace
            scope.owner = await scope.kube.find(kinds.MACHINE, name, namespace)
    if scope.owner is None:
        return scope.not_ready(
            LocalMachineReason.WAITING_FOR_OWNER, "Cluster API has not set the owner yet"
        )
    return Done()


async def await_cluster(scope: MachineScope) -> Outcome:
    """Machines are made once their cluster's ground is provisioned, and not while it is paused."""
    name = _cluster_name(scope)
    scope.cluster = await scope.kube.find(kinds.CAPI_CLUSTER, name, scope.key.namespace)
    if scope.cluster is None:
        return scope.not_ready(
            LocalMachineReason.WAITING_FOR_CLUSTER, f"there is no Cluster {name}"
        )
    if scope.cluster["spec"].get("paused"):
        return Stop(LocalMachineReason.PAUSED)
    initialization = scope.cluster.get("status", {}).get("initialization", {})
    if not initialization.get("infrastructureProvisioned"):
        return scope.not_ready(LocalMachineReason.WAITING_FOR_CLUSTER_INFRASTRUCTURE)
    return Done()


async def make_machine(scope: MachineScope) -> Outcome:
    """Write the machine down with its address, zone, image and user data."""
    scope.machine = scope.fleet.find(scope.key)
    if scope.machine is not None:
        return Done()
    if not scope.user_data:
        return scope.not_ready(LocalMachineReason.WAITING_FOR_BOOTSTRAP_DATA)
    if not scope.image:
        return scope.not_ready(LocalMachineReason.NO_IMAGE, "spec.image names no machine-os image")
    scope.machine = await scope.fleet.make(await _order(scope))
    await scope.annotate(current_image=scope.image, current_user_data=scope.user_data)
    scope.log.info("machine made", address=scope.machine.spec.network.address)
    return Done()


async def publish_identity(scope: MachineScope) -> Outcome:
    """Write the provider id, by which Cluster API finds the node."""
    wanted = _made(scope).spec.metadata.provider_id
    if scope.spec.get("providerID") != wanted:
        await scope.write({"spec": {"providerID": wanted}})
    return Done()


async def upgrade_in_place(scope: MachineScope) -> Outcome:
    """Another image or configuration for the same disk, when its object asks for it."""
    machine, marks = _made(scope), scope.annotations
    wanted = (scope.image, scope.user_data)
    if wanted == (marks.get(names.CURRENT_IMAGE), marks.get(names.CURRENT_USER_DATA)):
        return Done()
    if names.DESIRED_IMAGE not in marks and names.DESIRED_USER_DATA not in marks:
        return Done()
    data = await read_user_data(scope.kube, scope.user_data, scope.key.namespace)
    await scope.fleet.reprovision(machine, scope.image, data)
    await scope.annotate(current_image=scope.image, current_user_data=scope.user_data)
    scope.log.info("machine upgraded in place", image=scope.image)
    return Done()


async def set_power(scope: MachineScope) -> Outcome:
    """Switch the machine as asked; one that failed stays down until a reboot is requested."""
    machine, power = _made(scope), scope.annotations.get(names.POWER, names.ON)
    if power == names.OFF:
        await machine.shutdown(scope.fleet.settings.grace)
        return scope.not_ready(LocalMachineReason.POWERED_OFF, "as asked")
    if power == names.PAUSED_POWER:
        if machine.status().state is State.RUNNING:
            machine.pause()
        return scope.not_ready(LocalMachineReason.PAUSED, "the machine stands still, as asked")
    if power != names.ON:
        return scope.not_ready(LocalMachineReason.UNKNOWN_POWER, f"{names.POWER} is {power!r}")
    return await _switch_on(scope, machine)


async def _switch_on(scope: MachineScope, machine: Machine) -> Outcome:
    asked = scope.annotations.get(names.REBOOT, "")
    status = machine.status()
    if asked != scope.annotations.get(names.REBOOTED, ""):
        await machine.shutdown(scope.fleet.settings.grace)
        await machine.boot()
        await scope.annotate(rebooted=asked)
    elif status.state is State.PAUSED:
        machine.resume()
    elif status.state is State.STOPPED and status.fell:
        return await _fallen(scope, status)
    elif status.state is State.STOPPED:
        await machine.boot()
    return Done()


async def report(scope: MachineScope) -> Outcome:
    """Show what Cluster API and a user want to know of the machine."""
    spec = _made(scope).spec
    host = spec.metadata.hostname
    scope.status["addresses"] = [
        *({"type": "InternalIP", "address": each} for each in addresses_of(spec) if each),
        {"type": "Hostname", "address": host},
        {"type": "InternalDNS", "address": host},
    ]
    if spec.metadata.zone:
        scope.status["failureDomain"] = spec.metadata.zone
    scope.status["initialization"] = {"provisioned": True}
    scope.status["ready"] = True
    scope.conditions.set(true(LocalMachineCondition.READY, reason=LocalMachineReason.RUNNING))
    return Wait("Watching", after=LOOK)


async def remove_machine(scope: MachineScope) -> Outcome:
    """Shut the machine down and remove every trace of it."""
    await scope.fleet.remove(scope.key)
    scope.log.info("machine removed")
    return Done()


NORMAL: Sequence[Phase[MachineScope]] = (
    find_owner,
    await_cluster,
    make_machine,
    publish_identity,
    upgrade_in_place,
    set_power,
    report,
)
DELETE: Sequence[Phase[MachineScope]] = (remove_machine,)


def controller(fleet: Fleet) -> Controller[MachineScope]:
    """The controller of LocalMachines."""
    return Controller(
        name=Owner.LOCAL_MACHINE.value,
        resource=kinds.LOCAL_MACHINE,
        scope=partial(_scope, fleet),
        normal=NORMAL,
        delete=DELETE,
        finalizer=names.MACHINE_FINALIZER,
        watches=(
            Watch(kinds.MACHINE, keys=served_by),
            Watch(kinds.CAPI_CLUSTER, keys=lambda _: ()),
        ),
        honour_pause=False,
    )


def served_by(machine: Manifest) -> Iterator[Key]:
    """The LocalMachine that a Machine refers to."""
    reference = machine["spec"].get("infrastructureRef", {})
    if reference.get("kind") == kinds.LOCAL_MACHINE.kind:
        yield Key(machine["metadata"]["namespace"], reference["name"])


def _scope(fleet: Fleet, manifest: Manifest, context: Context) -> MachineScope:
    return MachineScope(manifest, context, fleet)


async def _order(scope: MachineScope) -> Order:
    spec, owner = scope.spec, scope.owner or {}
    ground = (scope.cluster or {})["spec"].get("infrastructureRef", {}).get("name", "")
    local = await scope.kube.find(kinds.LOCAL_CLUSTER, ground, scope.key.namespace)
    domains = (local or {}).get("status", {}).get("failureDomains") or ()
    return Order(
        key=scope.key,
        cluster=_cluster_name(scope),
        image=scope.image,
        user_data=await read_user_data(scope.kube, scope.user_data, scope.key.namespace),
        limits=placement.limits(
            str(spec.get("cpu") or template.CPU), str(spec.get("memory") or template.MEMORY)
        ),
        zones=(spec.get("zone"), owner["spec"].get("failureDomain")),
        choice=tuple(domain["name"] for domain in domains) or scope.fleet.settings.zones,
    )


async def _fallen(scope: MachineScope, status: Status) -> Stop:
    message = status.failure or "the machine ended without having been asked to"
    reason = LocalMachineReason.BOOT_FAILED if status.failure else LocalMachineReason.MACHINE_FELL
    if scope.conditions.get(LocalMachineCondition.READY) is None or scope.conditions.is_true(
        LocalMachineCondition.READY
    ):
        scope.log.warning("machine fell", console=str(_made(scope).console), why=status.failure)
        await scope.events.warning(reason, message)
    return scope.not_ready(reason, message)


def _made(scope: MachineScope) -> Machine:
    if scope.machine is None:
        raise RuntimeError("the machine is made before the phases that use it")
    return scope.machine


def _cluster_name(scope: MachineScope) -> str:
    return str((scope.owner or {})["spec"]["clusterName"])
