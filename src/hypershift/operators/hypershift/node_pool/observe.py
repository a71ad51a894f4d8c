"""What the pool's machines say: which versions run, which are ready, and why others are not."""

import ipaddress
from collections import Counter
from collections.abc import Iterable, Sequence

from hypershift.kit import Manifest, annotations_of
from hypershift.operators.hypershift.node_pool import names
from hypershift.runtime import condition_of

_PER_REASON, _TOTAL, _REASON = 1000, 3000, 1024
_CONFLICT = 256


def of_pool(machines: Iterable[Manifest], pool: Manifest) -> list[Manifest]:
    """The machines that name this pool, oldest first."""
    mine = names.pool_value(pool)
    chosen = [one for one in machines if annotations_of(one).get(names.NODE_POOL) == mine]
    return sorted(
        chosen,
        key=lambda one: (one["metadata"].get("creationTimestamp", ""), one["metadata"]["name"]),
    )


def nodes_info(machines: Sequence[Manifest], version: str) -> Manifest | None:
    """How many nodes are ready or not, by the versions that they run."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for machine in machines:
        info = (machine.get("status") or {}).get("nodeInfo")
        release = annotations_of(machine).get(names.RELEASE_VERSION) or version
        if info and info.get("kubeletVersion") and release:
            healthy = (condition_of(machine, "NodeHealthy") or {}).get("status") == "True"
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


def summary(
    machines: Sequence[Manifest], kind: str, word: str, missing: str, replicas: int | None
) -> tuple[bool, str, str]:
    """Whether all machines have a condition, with the reasons and messages of those without."""
    if not machines:
        if replicas == 0:
            return False, "AsExpected", "NodePool set to no replicas"
        return False, "NotFound", "No Machines are created"
    failing = [(machine, _why(machine, kind, missing)) for machine in machines]
    bad = [(machine["metadata"]["name"], *why) for machine, why in failing if why]
    if not bad:
        return True, "AsExpected", "All is well"
    head = f"{len(bad)} of {len(machines)} machines are not {word}\n"
    reasons = sorted({reason for _, reason, _ in bad})
    texts = [_text([one for one in bad if one[1] == reason]) for reason in reasons]
    return False, _joined(reasons), head + _cut("".join(texts), _TOTAL)


def _why(machine: Manifest, kind: str, missing: str) -> tuple[str, str] | None:
    found = condition_of(machine, kind)
    if found is None:
        return missing, ""
    if found["status"] == "True":
        return None
    infra = condition_of(machine, "InfrastructureReady")
    if kind == "Ready" and infra is not None and infra["status"] != "True":
        message = infra.get("message", "")
        if " of " not in message or not message.endswith("completed"):
            return infra.get("reason", missing), message
    return found.get("reason") or missing, found.get("message", "")


def _text(bad: Sequence[tuple[str, str, str]]) -> str:
    lines = sorted(
        f"Machine {name}: {reason}{': ' + message if message else ''}\n"
        for name, reason, message in bad
    )
    return _cut("".join(lines), _PER_REASON)


def _cut(text: str, limit: int) -> str:
    end = "... too many similar errors\n"
    return text if len(text) <= limit else text[: limit - len(end)] + end


def _joined(reasons: Sequence[str]) -> str:
    joined = ",".join(reasons)
    if len(joined) <= _REASON:
        return joined
    suffix = ",ReasonsTruncated"
    return joined[: _REASON - len(suffix)] + suffix


def network_conflict(machines: Sequence[Manifest], networks: Sequence[str]) -> str:
    """Say which machines have no address outside the cluster networks; empty when none."""
    ranges = [ipaddress.ip_network(network) for network in networks]
    found = [text for machine in machines if (text := _collision(machine, ranges))]
    return ", ".join(found)[:_CONFLICT]


def _collision(
    machine: Manifest, ranges: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]
) -> str:
    addresses = [
        address
        for entry in (machine.get("status") or {}).get("addresses") or ()
        if entry["type"] in ("InternalIP", "ExternalIP")
        and not (address := ipaddress.ip_address(entry["address"])).is_link_local
    ]
    hits = [next((one for one in ranges if address in one), None) for address in addresses]
    if not addresses or None in hits:
        return ""
    name = machine["metadata"]["name"]
    return (
        f"machine [{name}] with ip [{addresses[0]}] collides with cluster-network cidr [{hits[0]}]"
    )
