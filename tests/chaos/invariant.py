"""What must hold when everything that was broken is mended again."""

import json
import time
from collections.abc import Callable

from tests.chaos.client import Commands, Watcher, Writer
from tests.chaos.target import Fleet
from tests.e2e.embedded import Manifest
from tests.e2e.hosted import Hosted

#: A fleet that is mended comes to rest in this time.
HEALS = 600.0
REST = 45.0
HEALTHY = {"Available": "True", "Degraded": "False"}

Problems = list[str]


def await_healed(fleet: Fleet) -> Problems:
    """Wait until nodes, control planes and pools are whole; tell what is not."""
    end = time.monotonic() + HEALS
    while (found := _problems(lambda: _ill(fleet))) and time.monotonic() < end:
        time.sleep(2)
    return found


def at_rest(fleet: Fleet) -> Problems:
    """Whatever writes without need, restarts or rolls while nobody breaks or asks anything."""
    before = _movements(fleet)
    time.sleep(REST)
    after = _movements(fleet)
    return [
        f"{name} still moves: {before.get(name)} -> {count}"
        for name, count in after.items()
        if count != before.get(name)
    ]


def contained(fleet: Fleet, before: dict[str, Manifest]) -> Problems:
    """Policies and pod security are what they were before the faults."""
    after = containment(fleet)
    names = sorted({*before, *after})
    return [f"{name} is not as before" for name in names if before.get(name) != after.get(name)]


def containment(fleet: Fleet) -> dict[str, Manifest]:
    """What keeps each control plane in: its policies, and the security of each workload."""
    found: dict[str, Manifest] = {}
    for hosted in fleet.hosted:
        for policy in fleet.management.get("networkpolicies", "-n", hosted.plane):
            found[f"{hosted.name} policy {policy['metadata']['name']}"] = policy["spec"]
        for kind in ("deployments", "statefulsets"):
            for workload in fleet.management.get(kind, "-n", hosted.plane):
                found[f"{hosted.name} {kind} {workload['metadata']['name']}"] = _security(workload)
    return found


def kept(writer: Writer, watcher: Watcher, name: str) -> Problems:
    """No acknowledged write is lost, and each was seen by the watch."""
    lost = writer.lost()
    acknowledged = {f"{name}-{number}" for number in writer.log.acknowledged}
    missed = acknowledged - watcher.seen
    problems = [f"{name}: no write was acknowledged"] if not acknowledged else []
    problems += [f"{name}: {len(lost)} acknowledged writes are lost: {lost[:5]}"] if lost else []
    problems += (
        [f"{name}: {len(missed)} events were not seen: {sorted(missed)[:5]}"] if missed else []
    )
    return problems


def works(commands: Commands) -> Problems:
    """A command in a pod of a node, through the tunnel."""
    return [] if commands.works() else [f"exec in {commands.pod} fails"]


def _ill(fleet: Fleet) -> Problems:
    problems = [
        f"management node {node['metadata']['name']} is not ready"
        for node in fleet.management.get("nodes")
        if not _is(node, "Ready")
    ]
    for hosted in fleet.hosted:
        problems += _ill_plane(hosted)
        problems += _ill_pool(hosted)
    return problems


def _ill_plane(hosted: Hosted) -> Problems:
    seen = {kind: found.get("status") for kind, found in hosted.conditions().items()}
    problems = [
        f"{hosted.name}: {kind} is {seen.get(kind)}"
        for kind, wanted in HEALTHY.items()
        if seen.get(kind) != wanted
    ]
    problems += [
        f"{hosted.name}: pod {pod['metadata']['name']} is not ready"
        for pod in hosted.pods()
        if pod["status"].get("phase") != "Succeeded" and not _is(pod, "Ready")
    ]
    return problems


def _ill_pool(hosted: Hosted) -> Problems:
    pool = hosted.management.get("nodepool", hosted.name, "-n", hosted.namespace)
    ready = sum(_is(node, "Ready") for node in hosted.get("nodes"))
    wanted, machines = pool["spec"]["replicas"], pool["status"].get("replicas", 0)
    fits = ready == wanted == machines == len(hosted.get("nodes"))
    return [] if fits else [f"{hosted.name}: {ready} nodes ready, {machines} made, {wanted} wanted"]


def _movements(fleet: Fleet) -> dict[str, str]:
    """Generations of what rolls, restarts of pods, versions of what an operator writes."""
    found = {}
    for hosted in fleet.hosted:
        for pod in hosted.pods():
            restarts = sum(c["restartCount"] for c in pod["status"].get("containerStatuses", ()))
            found[f"{hosted.name} pod {pod['metadata']['name']}"] = f"{restarts} restarts"
        for kind in (
            "deployments",
            "statefulsets",
            "controlplanecomponents",
            "hostedcontrolplanes",
        ):
            for one in hosted.management.get(kind, "-n", hosted.plane):
                name = f"{hosted.name} {kind} {one['metadata']['name']}"
                found[name] = one["metadata"]["resourceVersion"]
    return found


def _security(workload: Manifest) -> Manifest:
    pod = workload["spec"]["template"]["spec"]
    containers = [*pod.get("initContainers", ()), *pod["containers"]]
    return {
        "pod": pod.get("securityContext"),
        "containers": {one["name"]: one.get("securityContext") for one in containers},
    }


def _is(found: Manifest, kind: str) -> bool:
    if "deletionTimestamp" in found["metadata"]:
        return False
    conditions = found.get("status", {}).get("conditions", ())
    return any((one["type"], one["status"]) == (kind, "True") for one in conditions)


def _problems(look: Callable[[], Problems]) -> Problems:
    """What a look finds; an API that does not answer is a problem as well."""
    try:
        return look()
    except (AssertionError, json.JSONDecodeError, KeyError) as error:
        return [f"cannot be asked: {str(error)[-300:]}"]
