"""Who takes part: the member leases of all replicas, and since when each has not moved."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypershift.kit import Manifest, annotations_of

READY = "hypershift.openshift.io/shard-ready"


@dataclass(frozen=True, slots=True)
class Member:
    """One replica as its lease shows it."""

    name: str  # of the replica, not of the lease
    lease: str
    uid: str
    version: str
    duration: float
    ready: bool


def member_of(lease: Manifest, default_duration: float) -> Member:
    """Read a member lease."""
    spec, metadata = lease.get("spec") or {}, lease["metadata"]
    return Member(
        name=spec.get("holderIdentity") or "",
        lease=metadata["name"],
        uid=metadata.get("uid", ""),
        version=metadata.get("resourceVersion", ""),
        duration=float(spec.get("leaseDurationSeconds") or default_duration),
        ready=annotations_of(lease).get(READY) == "true",
    )


@dataclass(slots=True)
class Membership:
    """The members as we saw them, with our own clock: wall clocks of others may be wrong."""

    _moved: dict[str, tuple[str, float]] = field(default_factory=dict)
    _missed: dict[str, float] = field(default_factory=dict)
    _vacant: dict[int, float] = field(default_factory=dict)

    def silent(self, members: Iterable[Member], now: float) -> list[Member]:
        """Those whose lease has not moved for as long as it lasts."""
        known, self._moved = self._moved, {}
        late = []
        for member in members:
            version, since = known.get(member.lease, ("", now))
            since = since if version == member.version else now
            self._moved[member.lease] = (member.version, since)
            if now >= since + member.duration:
                late.append(member)
        return late

    def absent(
        self, owners: Mapping[int, str], present: frozenset[str], now: float, patience: float
    ) -> frozenset[str]:
        """Owners without a lease for so long that they certainly write no more."""
        missing = frozenset(owners.values()) - present
        self._missed = {name: self._missed.get(name, now) for name in missing}
        return frozenset(name for name, since in self._missed.items() if now >= since + patience)

    def vacant(self, buckets: Iterable[int], now: float, patience: float) -> frozenset[int]:
        """Buckets that lost their owner so recently that it may still write."""
        self._vacant = {bucket: self._vacant.get(bucket, now) for bucket in buckets}
        return frozenset(b for b, since in self._vacant.items() if now < since + patience)
