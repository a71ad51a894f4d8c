"""Upgrades the machines of InPlace pools: new image and configuration on the same disk."""

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.api.conditions import (
    LocalMachineCondition,
    LocalMachineReason,
    NodeCondition,
    fails,
)
from hypershift.ignition import token
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.in_place import drain
from hypershift.operators.guest_config.in_place.plan import Sight, Target, plan, progress
from hypershift.runtime import (
    Context,
    Controller,
    Done,
    Outcome,
    Phase,
    Scope,
    Stop,
    Wait,
    Watch,
    condition_of,
    is_true,
    mapping,
)

NAME = "inplaceupgrader"
CURRENT = annotations.NODE_POOL_CURRENT_CONFIG_VERSION
TARGET = annotations.NODE_POOL_TARGET_CONFIG_VERSION
MAX_UNAVAILABLE = annotations.NODE_POOL_MAX_UNAVAILABLE
RUNNING = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_TRUE
FAILED = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_FALSE
RELEASE_VERSION = annotations.RELEASE_VERSION
LOCAL = "infrastructure.local.hypershift.io"
KUBECONFIG = "hcco-kubeconfig"
LOOK_AGAIN = timedelta(seconds=3)
#: All that is read of a node.
NODE_FIELDS = (
    *(("metadata", "annotations", name) for name in (drain.DRAINING, drain.LEFT)),
    ("spec", "unschedulable"),
    ("status", "conditions"),
    ("status", "nodeInfo", "bootID"),
)


@dataclass(slots=True)
class UpgradeScope(Scope):
    """One pass over a MachineSet."""

    guest: Client | None = None
    target: Target | None = None
    release_version: str = ""
    machines: dict[str, Manifest] = field(default_factory=dict)  # Cluster API's, by name
    sights: list[Sight] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        return self.key.namespace

    @property
    def marks(self) -> dict[str, str]:
        return annotations_of(self.object)


async def find_target(scope: UpgradeScope) -> Outcome:
    """Stop unless the pool wants another configuration than its machines have."""
    target = scope.marks.get(TARGET, "")
    if not target or target == scope.marks.get(CURRENT):
        await scope.context.remotes.drop(_connection(scope))
        return Stop("UpToDate")
    pool = scope.key.name
    secret = await scope.kube.find(kinds.SECRET, token.token_name(pool, target), scope.namespace)
    data = (secret or {}).get("data") or {}
    if token.PAYLOAD not in data:
        return Stop("NoPayload", "the payload of the target is not there yet", after=LOOK_AGAIN)
    reference = scope.spec["template"]["spec"]["infrastructureRef"]
    if reference["apiGroup"] != LOCAL:
        return Stop("AnotherPlatform", "machines of this platform upgrade by their own daemon")
    template = await scope.kube.find(
        kinds.LOCAL_MACHINE_TEMPLATE, reference["name"], scope.namespace
    )
    if template is None:
        return Stop("NoTemplate", after=LOOK_AGAIN)
    image = template["spec"]["template"]["spec"].get("image", "")
    scope.target = Target(target, token.user_data_name(pool, target), image)
    scope.release_version = b64decode(data.get(token.RELEASE_VERSION, "")).decode()
    return Done()


async def connect(scope: UpgradeScope) -> Outcome:
    """Reach the hosted API server, whose nodes have to be emptied."""
    secret = await scope.kube.find(kinds.SECRET, KUBECONFIG, scope.namespace)
    if secret is None:
        return Stop("NoKubeconfig", after=LOOK_AGAIN)
    kubeconfig = b64decode(secret["data"]["kubeconfig"])
    scope.guest = await scope.context.remotes.connect(_connection(scope), kubeconfig)
    return Done()


def _connection(scope: UpgradeScope) -> str:
    """The name of our own connection, which lasts as long as the upgrade of this set."""
    return f"{scope.namespace}/{scope.key.name}"


async def forget(scope: UpgradeScope) -> Outcome:
    """Let go of the hosted cluster when the set goes away."""
    await scope.context.remotes.drop(_connection(scope))
    return Done()


async def look(scope: UpgradeScope) -> Outcome:
    """See how far each machine of the set is."""
    if scope.guest is None:
        return Done()
    uid = scope.object["metadata"]["uid"]
    found = await scope.guest.list(kinds.NODE, only=NODE_FIELDS)
    nodes = {node["metadata"]["name"]: node for node in found}
    for machine in await scope.kube.list(kinds.MACHINE, scope.namespace):
        owners = machine["metadata"].get("ownerReferences") or ()
        node = ((machine.get("status") or {}).get("nodeRef") or {}).get("name", "")
        if node and any(one.get("uid") == uid for one in owners):
            name = machine["spec"]["infrastructureRef"]["name"]
            local = await scope.kube.find(kinds.LOCAL_MACHINE, name, scope.namespace)
            if local is not None:
                scope.machines[name] = machine
                scope.sights.append(sight(local, nodes.get(node) or {}, node))
    return Done()


_FAILED = (LocalMachineReason.BOOT_FAILED, LocalMachineReason.MACHINE_FELL)


def sight(local: Manifest, node: Manifest, name: str) -> Sight:
    """What is seen of one machine."""
    marks = annotations_of(local)
    spec = local.get("spec") or {}
    ready = condition_of(local, LocalMachineCondition.READY) or {}
    failed = fails(ready) and ready.get("reason") in _FAILED
    return Sight(
        name=local["metadata"]["name"],
        node=name,
        current_user_data=marks.get(f"{LOCAL}/current-user-data", ""),
        current_image=marks.get(f"{LOCAL}/current-image") or spec.get("image", ""),
        desired_user_data=marks.get(f"{LOCAL}/desired-user-data", ""),
        desired_image=marks.get(f"{LOCAL}/desired-image", ""),
        cordoned=bool((node.get("spec") or {}).get("unschedulable")),
        draining_for=annotations_of(node).get(drain.DRAINING, ""),
        boot=drain.boot_of(node),
        node_ready=is_true(node, NodeCondition.READY),
        rebooted=drain.rebooted(node),
        failure=f"{ready.get('reason')}: {ready.get('message', '')}" if failed else "",
    )


async def upgrade(scope: UpgradeScope) -> Outcome:
    """Drain and reprovision what may be away, take back what has returned, tell how far it is."""
    if scope.guest is None or scope.target is None:
        return Done()
    most = int(scope.marks.get(MAX_UNAVAILABLE) or 1)
    todo = plan(scope.sights, scope.target, most)
    if todo.complete:
        await _mark(scope, {CURRENT: scope.target.config_hash, RUNNING: None, FAILED: None})
        await _mark_machines(scope, todo.done)
        return Done()
    by_name = {one.name: one for one in scope.sights}
    try:
        for name in todo.drain:
            await _replace(scope, scope.guest, by_name[name], scope.target)
        for name in todo.uncordon:
            await drain.uncordon(scope.guest, by_name[name].node)
    except ApiError as error:
        return Wait("GuestUnavailable", after=LOOK_AGAIN, message=str(error))
    await _mark_machines(scope, todo.done)
    await _tell(scope, scope.target, by_name, todo.failed, len(todo.done))
    return Wait("Upgrading", after=LOOK_AGAIN)


async def _replace(scope: UpgradeScope, guest: Client, one: Sight, target: Target) -> None:
    if one.draining_for != target.config_hash or not one.cordoned:
        await drain.cordon(guest, one.node, target.config_hash)
    if not await drain.drained(guest, one.node):
        return
    await drain.note_boot(guest, one.node, one.boot)
    marks = {
        f"{LOCAL}/desired-image": target.image,
        f"{LOCAL}/desired-user-data": target.user_data,
    }
    patch = {"metadata": {"annotations": marks}}
    await scope.kube.patch(kinds.LOCAL_MACHINE, one.name, patch, scope.namespace)


async def _tell(
    scope: UpgradeScope,
    target: Target,
    by_name: dict[str, Sight],
    failed: Sequence[str],
    done: int,
) -> None:
    if failed:
        one = by_name[failed[0]]
        message = f"Node {one.node} in nodepool degraded: {one.failure}"
        await _mark(scope, {FAILED: message, RUNNING: None})
        return
    text = progress(target, len(scope.sights), done)
    await _mark(scope, {RUNNING: text, FAILED: None})


async def _mark(scope: UpgradeScope, marks: dict[str, str | None]) -> None:
    changed: dict[str, Any] = {
        name: value for name, value in marks.items() if scope.marks.get(name) != value
    }
    if changed:
        patch = {"metadata": {"annotations": changed}}
        await scope.kube.patch(kinds.MACHINE_SET, scope.key.name, patch, scope.namespace)


async def _mark_machines(scope: UpgradeScope, done: Sequence[str]) -> None:
    """Note the release that an upgraded machine runs."""
    for name in done:
        machine = scope.machines[name]
        if annotations_of(machine).get(RELEASE_VERSION) != scope.release_version:
            patch = {"metadata": {"annotations": {RELEASE_VERSION: scope.release_version}}}
            await scope.kube.patch(
                kinds.MACHINE, machine["metadata"]["name"], patch, scope.namespace
            )


NORMAL: Sequence[Phase[UpgradeScope]] = (find_target, connect, look, upgrade)
DELETE: Sequence[Phase[UpgradeScope]] = (forget,)


def controller(namespace: str = "") -> Controller[UpgradeScope]:
    """The in-place upgrader of one control plane namespace, or of all."""

    def scope(machine_set: Manifest, context: Context) -> UpgradeScope:
        return UpgradeScope(machine_set, context)

    return Controller(
        name=NAME,
        resource=kinds.MACHINE_SET,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        namespace=namespace,
        watches=(Watch(kinds.MACHINE, keys=mapping.by_owner(kinds.MACHINE_SET), optional=True),),
        manages_status=False,
        honour_pause=False,
        timeout=GUEST_PASS,
    )
