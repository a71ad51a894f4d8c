"""An in-place upgrade, pass by pass, with the machines' part played by the test."""

import base64
import random
from typing import Any, cast

from tests.lib.memory import MemoryClient

from hypershift.ignition import token
from hypershift.kit import Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.guest_config.in_place import drain
from hypershift.operators.guest_config.in_place.look import find_target, look
from hypershift.operators.guest_config.in_place.machines import upgrade
from hypershift.operators.guest_config.in_place.scope import CURRENT, TARGET, UpgradeScope
from hypershift.runtime import Context
from hypershift.runtime.logs import logger

NAMESPACE, POOL = "clusters-demo", "workers"
OLD, NEW = "4ed0fc38", "beb349e6"
CAPI = "cluster.x-k8s.io/v1beta2"
LOCAL = "infrastructure.local.hypershift.io"


def a_set() -> Manifest:
    reference = {"apiGroup": LOCAL, "kind": "LocalMachineTemplate", "name": "template"}
    return {
        "apiVersion": CAPI,
        "kind": "MachineSet",
        "metadata": {
            "name": POOL,
            "namespace": NAMESPACE,
            "uid": "set",
            "annotations": {CURRENT: OLD, TARGET: NEW},
        },
        "spec": {"template": {"spec": {"infrastructureRef": reference}}},
    }


def a_management_cluster() -> MemoryClient:
    payload = {token.PAYLOAD: "", token.RELEASE_VERSION: base64.b64encode(b"1.35.8").decode()}
    template = {
        "apiVersion": f"{LOCAL}/v1beta1",
        "kind": "LocalMachineTemplate",
        "metadata": {"name": "template", "namespace": NAMESPACE},
        "spec": {"template": {"spec": {"image": "os:2"}}},
    }
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": token.token_name(POOL, NEW), "namespace": NAMESPACE},
        "data": payload,
    }
    return MemoryClient(
        a_set(), template, secret, *(one for at in range(2) for one in a_machine(at))
    )


def a_machine(at: int) -> tuple[Manifest, Manifest]:
    metadata = {"name": f"m{at}", "namespace": NAMESPACE}
    marks = {f"{LOCAL}/current-user-data": "old", f"{LOCAL}/current-image": "os:1"}
    machine = {
        "apiVersion": CAPI,
        "kind": "Machine",
        "metadata": metadata | {"ownerReferences": [{"kind": "MachineSet", "uid": "set"}]},
        "spec": {"infrastructureRef": {"name": f"m{at}"}},
        "status": {"nodeRef": {"name": f"n{at}"}},
    }
    local = {
        "apiVersion": f"{LOCAL}/v1beta1",
        "kind": "LocalMachine",
        "metadata": metadata | {"annotations": marks},
        "spec": {"image": "os:1"},
    }
    return machine, local


def a_node(at: int) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"n{at}"},
        "status": {
            "nodeInfo": {"bootID": f"first-{at}"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


async def one_pass(kube: MemoryClient, guest: MemoryClient) -> None:
    context = Context(
        kube=kube,
        live=kube,
        clock=SystemClock(),
        events=cast("Any", None),
        log=logger(),
        remotes=cast("Any", None),
        rng=random.Random(0),  # noqa: S311 - a test's own
    )
    live = await kube.get(kinds.MACHINE_SET, POOL, NAMESPACE)
    scope = UpgradeScope(live, context, guest=guest)
    for phase in (find_target, look, upgrade):
        await phase(scope)


async def cordoned(guest: MemoryClient) -> list[str]:
    nodes = await guest.list(kinds.NODE)
    return [n["metadata"]["name"] for n in nodes if n.get("spec", {}).get("unschedulable")]


async def boot(kube: MemoryClient, guest: MemoryClient, at: int, *, back: bool) -> None:
    """What the provider does with a machine that it is told to upgrade; at first nobody notices."""
    marks = (await kube.get(kinds.LOCAL_MACHINE, f"m{at}", NAMESPACE))["metadata"]["annotations"]
    assert marks[f"{LOCAL}/desired-image"] == "os:2"
    now = {name: marks[f"{LOCAL}/desired-{name}"] for name in ("user-data", "image")}
    current = {f"{LOCAL}/current-{name}": value for name, value in now.items()}
    patch = {"metadata": {"annotations": current}}
    await kube.patch(kinds.LOCAL_MACHINE, f"m{at}", patch, NAMESPACE)
    if back:
        node = await guest.get(kinds.NODE, f"n{at}")
        node["status"]["nodeInfo"]["bootID"] = f"second-{at}"
        guest.put(node)


async def test_the_next_node_leaves_only_when_the_one_before_is_back() -> None:
    kube, guest = a_management_cluster(), MemoryClient(a_node(0), a_node(1))
    await one_pass(kube, guest)
    assert await cordoned(guest) == ["n0"]
    await boot(kube, guest, 0, back=False)
    for _ in range(3):  # it still counts as Ready from before
        await one_pass(kube, guest)
        assert await cordoned(guest) == ["n0"]
    await boot(kube, guest, 0, back=True)
    await one_pass(kube, guest)
    assert await cordoned(guest) == []
    await one_pass(kube, guest)
    assert await cordoned(guest) == ["n1"]
    await boot(kube, guest, 1, back=True)
    for _ in range(2):
        await one_pass(kube, guest)
    live = await kube.get(kinds.MACHINE_SET, POOL, NAMESPACE)
    assert live["metadata"]["annotations"][CURRENT] == NEW
    for node in await guest.list(kinds.NODE):
        assert not {drain.LEFT, drain.DRAINING} & set(node["metadata"].get("annotations") or {})
