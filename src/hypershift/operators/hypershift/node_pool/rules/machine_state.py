"""The state of a pool's machines: which versions run, which are ready, and why others are not."""

import ipaddress
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from hypershift.api import NodePool
from hypershift.api.conditions import (
    ALL_IS_WELL,
    Condition,
    ConditionType,
    ForeignReason,
    MachineCondition,
    NodePoolConditionType,
    NodePoolReason,
    Reason,
    fails,
    false,
    holds,
    true,
)
from hypershift.kit import InvalidSpec, Manifest, annotations_of
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import aggregate
from hypershift.platforms.pools import MachineSummary
from hypershift.runtime import condition_of, is_true

_CONFLICT = 256
#: Addresses of groups that no router forwards to.
_LOCAL_GROUPS = {4: ipaddress.ip_network("224.0.0.0/24"), 6: ipaddress.ip_network("ff02::/16")}
_COUNTER = re.compile(r"\d+ of \d+ completed")
#: CoreOS of 4.x names itself after the release (`418.…`), later ones after RHEL (`9.6.…`).
_COREOS = re.compile(r"Red Hat Enterprise Linux CoreOS (?:(\d)\d{2}\.|(9|10)\.)")
_STREAMS = {"4": "rhel-9", "5": "rhel-10", "9": "rhel-9", "10": "rhel-10"}


def of_pool(machines: Iterable[Manifest], pool: NodePool) -> list[Manifest]:
    """The machines that name this pool, oldest first."""
    mine = names.pool_value(pool)
    chosen = [one for one in machines if annotations_of(one).get(names.NODE_POOL) == mine]
    return sorted(
        chosen,
        key=lambda one: (one["metadata"].get("creationTimestamp", ""), one["metadata"]["name"]),
    )


def nodes_info(machines: Sequence[Manifest], version: str) -> Manifest | None:
    """How many nodes are ready or not, by the versions that they run.

    A node whose release is not known yet is not counted: the API requires a version.
    """
    counts: Counter[tuple[str, str, bool]] = Counter()
    for machine in machines:
        info = (machine.get("status") or {}).get("nodeInfo")
        release = annotations_of(machine).get(names.RELEASE_VERSION) or version
        if info and info.get("kubeletVersion") and release:
            healthy = is_true(machine, MachineCondition.NODE_HEALTHY)
            counts[release, info["kubeletVersion"], healthy] += 1
    pairs = sorted({(release, kubelet) for release, kubelet, _ in counts})
    if not pairs:
        return None
    return {
        "nodeVersions": [
            {
                "ocpVersion": release,
                "kubeletVersion": kubelet,
                "readyNodeCount": counts[release, kubelet, True],
                "unreadyNodeCount": counts[release, kubelet, False],
            }
            for release, kubelet in pairs
        ]
    }


def os_image_stream(machines: Sequence[Manifest]) -> str:
    """The stream of CoreOS that most nodes run; empty when no one has the majority."""
    images = [
        ((machine.get("status") or {}).get("nodeInfo") or {}).get("osImage", "")
        for machine in machines
    ]
    counts = Counter(filter(None, (_stream(image) for image in images)))
    for stream, count in counts.items():
        if count > counts.total() // 2:
            return stream
    return ""


def _stream(image: str) -> str:
    found = _COREOS.search(image)
    return _STREAMS.get(found[1] or found[2], "") if found else ""


def readiness(machines: Sequence[Manifest], replicas: int | None) -> Condition:
    """Whether all machines are ready, with the reasons and messages of the others."""
    return _summary(
        NodePoolConditionType.ALL_MACHINES_READY, "ready", machines, replicas, _why_not_ready
    )


def health(machines: Sequence[Manifest], replicas: int | None) -> Condition:
    """Whether all nodes are healthy, with the reasons and messages of the others."""
    return _summary(
        NodePoolConditionType.ALL_NODES_HEALTHY, "healthy", machines, replicas, _why_not_healthy
    )


def _summary(
    kind: ConditionType,
    word: str,
    machines: Sequence[Manifest],
    replicas: int | None,
    why: aggregate.Why,
) -> Condition:
    if not machines:
        if replicas == 0:
            return false(kind, Reason.AS_EXPECTED, "NodePool set to no replicas")
        return false(kind, Reason.NOT_FOUND, "No Machines are created")
    failing = [(one["metadata"]["name"], *found) for one in machines if (found := why(one))]
    return _aggregated(kind, failing, len(machines), word)


def _aggregated(
    kind: ConditionType, failing: Sequence[tuple[str, str, str]], every: int, word: str
) -> Condition:
    if not failing:
        return true(kind, ALL_IS_WELL)
    reason, message = aggregate.summarized(failing, every, word)
    return false(kind, ForeignReason(reason), message)


def _why_not_ready(machine: Manifest) -> tuple[str, str] | None:
    found = condition_of(machine, MachineCondition.READY)
    if found is None:
        return NodePoolReason.WAITING_FOR_INFRASTRUCTURE, ""
    if holds(found):
        return None
    infra = condition_of(machine, MachineCondition.INFRASTRUCTURE_READY)
    if infra is not None and not holds(infra):
        message = infra.get("message", "")
        if not _COUNTER.search(message):
            # The original shows the message here even when it is empty.
            return infra.get("reason", ""), message or aggregate.EMPTY
    message = found.get("message", "")
    return found.get("reason", ""), "" if _COUNTER.search(message) else message


def _why_not_healthy(machine: Manifest) -> tuple[str, str] | None:
    found = condition_of(machine, MachineCondition.NODE_HEALTHY)
    if found is None:
        return NodePoolReason.WAITING_FOR_NODE_REF, ""
    if holds(found):
        return None
    return found.get("reason", ""), found.get("message", "")


def summed_up(machines: Sequence[Manifest], summary: MachineSummary) -> Condition:
    """Whether a condition of a cloud's own machines fails on none of them."""
    failing = [
        (one["metadata"]["name"], found.get("reason", ""), found.get("message") or aggregate.EMPTY)
        for one in machines
        if (found := condition_of(one, summary.theirs)) and fails(found)
    ]
    return _aggregated(summary.ours, failing, len(machines), summary.word)


def network_conflict(machines: Sequence[Manifest], networks: Sequence[str]) -> str:
    """Return which machines have no address outside the cluster networks; empty when none."""
    ranges = [ipaddress.ip_network(network) for network in networks]
    seen = machines if ranges else ()
    entries = [text for machine in seen for text in _collisions(machine, ranges)]
    message = ""
    for entry in entries:
        if not message:
            message = entry
        elif len(entry.encode()) + len(message.encode()) < _CONFLICT:
            message += f", {entry}"
        else:
            message += ", too many similar errors..."
    return message


def _collisions(
    machine: Manifest, ranges: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]
) -> list[str]:
    """One text for each address; none once one is outside: the others are the pod network's."""
    texts = []
    for address, written in _addresses(machine).items():
        hit = next((one for one in ranges if address in one), None)
        if hit is None:
            return []
        name = machine["metadata"]["name"]
        texts.append(
            f"machine [{name}] with ip [{written}] collides with cluster-network cidr [{hit}]"
        )
    return texts


def _addresses(machine: Manifest) -> dict[ipaddress.IPv4Address | ipaddress.IPv6Address, str]:
    """The addresses by which others reach a machine, and how each was first written."""
    found: dict[ipaddress.IPv4Address | ipaddress.IPv6Address, str] = {}
    for entry in (machine.get("status") or {}).get("addresses") or ():
        if entry["type"] in ("InternalIP", "ExternalIP"):
            found.setdefault(_address(entry["address"]), entry["address"])
    return {one: written for one, written in found.items() if not _is_link_local(one)}


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        raise InvalidSpec(f'ParseAddr("{text}"): unable to parse IP') from None


def _is_link_local(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return address.is_link_local or address in _LOCAL_GROUPS[address.version]
