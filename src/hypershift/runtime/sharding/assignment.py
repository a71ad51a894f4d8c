"""Which replica gets which bucket: a pure function that moves as few of them as it can."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

#: Enough for an even share among the few replicas of an operator, few enough for one small table.
BUCKETS = 64


def bucket_of(cluster: str) -> int:
    """The bucket of a cluster, the same in every replica and every version."""
    return int.from_bytes(sha256(cluster.encode()).digest()[:8], "big") % BUCKETS


def assigned(replicas: Iterable[str], owners: Mapping[int, str]) -> dict[int, str]:
    """The owner that each bucket should have; `owners` names those that it has.

    Shares differ by one at most. A bucket moves when its owner is not among the replicas or has
    more than its share, and for no other reason.
    """
    names = sorted(set(replicas))
    if not names:
        return {}
    held = {name: sorted(b for b, owner in owners.items() if owner == name) for name in names}
    shares = _shares(names, held)
    kept = {name: held[name][: shares[name]] for name in names}
    plan = {bucket: name for name in names for bucket in kept[name]}
    free = iter([bucket for bucket in range(BUCKETS) if bucket not in plan])
    for name in names:
        for _ in range(shares[name] - len(kept[name])):
            plan[next(free)] = name
    return plan


def _shares(names: list[str], held: Mapping[str, list[int]]) -> dict[str, int]:
    """Even shares; what is left over goes to those who already have most."""
    least, over = divmod(BUCKETS, len(names))
    richest = sorted(names, key=lambda name: (-len(held[name]), name))
    return {name: least + (place < over) for place, name in enumerate(richest)}
