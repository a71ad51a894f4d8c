"""When a member of etcd has to be rebuilt from the others, decided from what is seen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hypershift.api.conditions import PodCondition
from hypershift.kit import Manifest, annotations_of
from hypershift.runtime import is_true

#: Marks a claim whose member is being rebuilt; it goes with the claim, as the last step.
REPLACING = "hypershift.openshift.io/etcd-member-replacing"

OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"
HOSTNAME = "kubernetes.io/hostname"

#: What etcd logs last when its files are damaged.
CORRUPTION = (
    "crc mismatch",
    "data corruption",
    "file corruption",
    "invalid database",
    "checksum error",
    "snap: snapshot file doesn't exist",
    "failed to find database snapshot file",
    "wal: file not found",
    "panic: freepages",
    "page already freed",
    # Records of the log that cannot be decoded: which word it is depends on the bytes.
    "failed to read wal, cannot be repaired",
    "failed to repair wal",
    "wal: slice bounds out of range",
    "unexpected block type",
    "proto: record:",
    "proto: entry:",
    "proto: hardstate:",
    "proto: wrong wiretype",
    "proto: illegal wiretype",
    "proto: negative length found",
    "proto: integer overflow",
    "proto: unexpected end of group",
    # The others know more of this member than it does: its log is gone.
    "was the raft log corrupted, truncated, or lost?",
)


@dataclass(frozen=True, slots=True)
class Member:
    """What is seen of one member: its pod, its claim, and the nodes that can reach its disk."""

    name: str
    pod: Manifest | None = None
    claim: Manifest | None = None
    #: Names of the nodes that its volume is bound to; empty when any node can have it.
    bound_to: frozenset[str] = frozenset()

    @property
    def ready(self) -> bool:
        """Whether the pod serves."""
        return is_true(self.pod or {}, PodCondition.READY)

    @property
    def being_replaced(self) -> bool:
        """Whether a rebuild was begun and not finished."""
        return REPLACING in annotations_of(self.claim or {})

    @property
    def corrupt(self) -> bool:
        """Whether the last end of etcd was about damaged files."""
        return any(word in _last_words(self.pod or {}) for word in CORRUPTION)


def why_replace(member: Member, nodes: Mapping[str, Manifest]) -> str:
    """Return why a member's data is lost for good; empty while it may come back."""
    if member.ready or member.claim is None:
        return ""
    if member.corrupt:
        return "its data is corrupt"
    usable = {name for name in member.bound_to if _usable(nodes.get(name))}
    if member.bound_to and not usable:
        return f"its disk went with node {', '.join(sorted(member.bound_to))}"
    return ""


def replacement(
    members: Iterable[Member], nodes: Mapping[str, Manifest]
) -> tuple[Member, str] | None:
    """The one member to rebuild now, and why: only while the others have a quorum without it."""
    members = tuple(members)
    quorum = len(members) // 2 + 1
    begun = [member for member in members if member.being_replaced]
    for member in begun or members:
        others = sum(one.ready for one in members if one is not member)
        why = "its rebuild was begun" if member.being_replaced else why_replace(member, nodes)
        if why and others >= quorum:
            return member, why
    return None


def nodes_of_volume(volume: Manifest | None) -> frozenset[str]:
    """The nodes that a volume is bound to by name; empty for one that moves."""
    affinity = ((volume or {}).get("spec") or {}).get("nodeAffinity") or {}
    terms = (affinity.get("required") or {}).get("nodeSelectorTerms") or ()
    return frozenset(
        value
        for term in terms
        for expression in term.get("matchExpressions") or ()
        if expression["key"] == HOSTNAME
        for value in expression.get("values") or ()
    )


def _usable(node: Manifest | None) -> bool:
    """Whether a node is there and not declared out of service for good."""
    if node is None:
        return False
    taints = (node.get("spec") or {}).get("taints") or ()
    return all(taint["key"] != OUT_OF_SERVICE for taint in taints)


def _last_words(pod: Manifest) -> str:
    for container in (pod.get("status") or {}).get("containerStatuses") or ():
        if container["name"] == "etcd":
            ended = (container.get("lastState") or {}).get("terminated") or {}
            ended = (container.get("state") or {}).get("terminated") or ended
            return str(ended.get("message") or "").lower()
    return ""
