"""Node pools: what the operator refuses, and machines that do not become nodes."""

from collections.abc import Iterator

from hypershift.api import NodePool, read
from hypershift.api.conditions import (
    ConditionStatus,
    LocalMachineCondition,
    NodePoolConditionType,
    NodePoolReason,
    fails,
)
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, UserData, condition, holds, message_of, of_pool
from hypershift.kit import Manifest
from hypershift.kube import kinds

REFUSALS = (
    NodePoolConditionType.VALID_RELEASE_IMAGE,
    NodePoolConditionType.SUPPORTED_VERSION_SKEW,
    NodePoolConditionType.UPDATE_MANAGEMENT_ENABLED,
    NodePoolConditionType.VALID_MACHINE_CONFIG,
    NodePoolConditionType.VALID_ARCH_PLATFORM,
    NodePoolConditionType.VALID_TUNING_CONFIG,
    NodePoolConditionType.VALID_GENERATED_PAYLOAD,
)
#: Why the operator makes no machines at all for a pool.
WITHOUT_CLUSTER = (
    NodePoolReason.HOSTED_CLUSTER_NOT_FOUND,
    NodePoolReason.CONTROL_PLANE_NAMESPACE_NOT_OWNED,
)
IGNITION = "ignition-server"
SERVICE_NAME = "kubernetes.io/service-name"


def deletion(_picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """A pool on its way out, and what holds it."""
    since = pool["metadata"].get("deletionTimestamp")
    if since:
        found = condition(pool, NodePoolConditionType.READY)
        held = ", ".join(pool["metadata"].get("finalizers") or ())
        said = message_of(found) if fails(found) else ""
        yield Finding(
            ref(pool),
            f"it is being deleted since {since}; {said or f'held by {held}'}",
            "wait, or look at what is named there",
        )


def unowned(_picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """A pool that can have no machines: its cluster is not there, or has no control plane."""
    found = condition(pool, NodePoolConditionType.READY)
    if found.get("reason") in WITHOUT_CLUSTER:
        yield Finding(
            ref(pool),
            f"the operator makes no machines for it: {message_of(found)}",
            "look at the HostedCluster that spec.clusterName names in the pool's namespace",
            (f"condition Ready: {found.get('reason', '')}",),
        )


def refusals(_picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """What the operator does not take of the pool's spec."""
    for kind in REFUSALS:
        found = condition(pool, kind)
        if found.get("status") == ConditionStatus.FALSE:
            yield Finding(
                ref(pool),
                f"its spec is not taken: {message_of(found)}",
                f"change it: kubectl edit {ref(pool).words}",
                (f"condition {kind}: {found.get('reason', '')}",),
            )
    if until := read(NodePool, pool).spec.paused_until:
        yield Finding(
            ref(pool),
            f"it is paused (spec.pausedUntil: {until})",
            f"resume it: kubectl patch {ref(pool).words} --type merge "
            """-p '{"spec":{"pausedUntil":null}}'""",
        )


def nodeless(picture: Picture, pool: Manifest) -> list[Manifest]:
    """Machines that had their time and have not become a node."""
    return [
        machine
        for machine in of_pool(picture.of(kinds.MACHINE), pool)
        if not (machine.get("status") or {}).get("nodeRef")
        and not machine["metadata"].get("deletionTimestamp")
        and picture.is_old(machine)
    ]


def fallen(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """Machines that are off, or were never made."""
    for machine in of_pool(picture.of(kinds.MACHINE), pool):
        name = (machine["spec"].get("infrastructureRef") or {}).get("name", "")
        local = picture.named(kinds.LOCAL_MACHINE, name)
        found = condition(local, LocalMachineCondition.READY)
        if (
            local is None
            or found.get("status") != ConditionStatus.FALSE
            or not picture.is_old(local)
        ):
            continue
        yield Finding(
            ref(local),
            f"the machine does not run ({found.get('reason', '')}): {message_of(found)}",
            f"look at its console: hypershift console-logs local --name "
            f"{picture.cluster['metadata']['name']} --output-dir DIR; then start it "
            "(hypershift local machine start) or have it replaced: "
            f"kubectl delete {ref(machine).words}",
            _console(picture, name),
        )


def tokens(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """Machines that boot with a token which the ignition server no longer takes."""
    known = {each.secret: each for each in picture.user_data}
    seen: set[str] = set()
    for machine in nodeless(picture, pool):
        wanted = (machine["spec"].get("bootstrap") or {}).get("dataSecretName", "")
        found = known.get(wanted)
        why = _outdated(machine, found)
        name = found.token_secret if found else wanted
        if not wanted or not why or name in seen:
            continue
        seen.add(name)
        yield Finding(
            Ref("Secret", name, picture.namespace),
            f"{ref(machine)} boots with a token that has expired: {why}",
            f"replace the machine by one with a new token: kubectl delete {ref(machine).words}",
            _console(picture, _infrastructure(machine)),
        )


def _outdated(machine: Manifest, found: UserData | None) -> str:
    """Why the token that a machine was given opens nothing any more."""
    if found is None:
        return "its user data Secret is gone"
    if found.valid and found.made > machine["metadata"].get("creationTimestamp", ""):
        return f"the token Secret was created again at {found.made}, after the machine"
    return found.why


def ignition(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """Machines wait for their configuration, and no ignition server is ready."""
    waiting = nodeless(picture, pool)
    if not waiting:
        return
    place = _ignition_namespace(picture)
    service = picture.named(kinds.SERVICE, IGNITION, place)
    machine = waiting[0]
    seen = _console(picture, _infrastructure(machine))
    if service is None:
        yield Finding(
            Ref("Service", IGNITION, place),
            f"it is gone, so that {ref(machine)} cannot fetch its configuration",
            f"does the operator run? kubectl get pods -n {picture.operator_namespace}",
            seen,
        )
    elif not _endpoints(picture, place):
        yield Finding(
            ref(service),
            f"no pod is ready behind it, so that {ref(machine)} cannot fetch its configuration",
            f"look at its pods: kubectl get endpointslices,pods -n {place}",
            seen,
        )


def unreached(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """A machine has not come for its configuration although it is served."""
    for machine in nodeless(picture, pool):
        if not holds(pool, NodePoolConditionType.REACHED_IGNITION_ENDPOINT):
            endpoint = (picture.cluster.get("status") or {}).get("ignitionEndpoint", "")
            yield Finding(
                ref(machine),
                f"it has not fetched its configuration from https://{endpoint or 'nowhere'}",
                "can the machine reach this address and port? see its console: hypershift "
                f"console-logs local --name {picture.cluster['metadata']['name']} --output-dir DIR",
                _console(picture, _infrastructure(machine)),
            )
            return


def _ignition_namespace(picture: Picture) -> str:
    own = picture.named(kinds.SERVICE, IGNITION)
    return picture.namespace if own is not None else picture.operator_namespace


def _endpoints(picture: Picture, namespace: str) -> bool:
    return any(
        (endpoint.get("conditions") or {}).get("ready", True)
        for piece in picture.of(kinds.ENDPOINT_SLICE, namespace)
        if (piece["metadata"].get("labels") or {}).get(SERVICE_NAME) == IGNITION
        for endpoint in piece.get("endpoints") or ()
    )


def _infrastructure(machine: Manifest) -> str:
    return str((machine["spec"].get("infrastructureRef") or {}).get("name", ""))


def _console(picture: Picture, name: str) -> tuple[str, ...]:
    lines = picture.consoles.get(name, "").strip().splitlines()[-3:]
    return tuple(f"console: {line.strip()}" for line in lines)
