"""The phases that find what a pool wants, and see how far each machine of it is."""

from base64 import b64decode

from hypershift.api.conditions import (
    LocalMachineCondition,
    LocalMachineReason,
    NodeCondition,
    fails,
)
from hypershift.ignition import token
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.operators.guest_config.in_place import drain
from hypershift.operators.guest_config.in_place.rules.plan import Sight, Target
from hypershift.operators.guest_config.in_place.scope import (
    CURRENT,
    LOCAL,
    LOOK_AGAIN,
    TARGET,
    UpgradeScope,
)
from hypershift.runtime import (
    Done,
    Outcome,
    Stop,
    condition_of,
    connect_guest,
    is_true,
)

#: All that is read of a node.
NODE_FIELDS = (
    *(("metadata", "annotations", name) for name in (drain.DRAINING, drain.LEFT)),
    ("spec", "unschedulable"),
    ("status", "conditions"),
    ("status", "nodeInfo", "bootID"),
)


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
    scope.guest = await connect_guest(scope, name=_connection(scope))
    return Done() if scope.guest else Stop("NoKubeconfig", after=LOOK_AGAIN)


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
