"""How many machines a pool has: the user's number, or the autoscaler's between two limits."""

from collections.abc import Sequence
from typing import Final

from hypershift.api import NodePool
from hypershift.kit import Manifest, annotations_of

#: The autoscaler's mark on a machine that shall go.
UNWANTED: Final = "cluster.x-k8s.io/delete-machine"


def replicas(
    pool: NodePool, current: int | None, machines: Sequence[Manifest], *, from_zero: bool
) -> int | None:
    """How many machines there shall be; None leaves the number to the autoscaler."""
    if not pool.spec.auto_scaling:
        return pool.spec.replicas or 0
    low, high = bounds(pool, from_zero=from_zero)
    if current is None or current <= low:
        return low
    if low == 0 and _all_unwanted(machines, current):
        return 0
    return high if current > high else None


def bounds(pool: NodePool, *, from_zero: bool) -> tuple[int, int]:
    """The autoscaler's limits; both are 0 without autoscaling."""
    scaling = pool.spec.auto_scaling
    if not scaling:
        return 0, 0
    low = scaling.min or 0
    return (low if low or from_zero else 1), scaling.max


def _all_unwanted(machines: Sequence[Manifest], current: int) -> bool:
    """Whether the autoscaler wants none of the machines any more.

    It marks a machine and takes one off their number. Its last step to zero changes nothing: the
    number is a field that Go leaves out of a patch when it is zero.
    """
    stay = [one for one in machines if "deletionTimestamp" not in one["metadata"]]
    return len(stay) == current and all(UNWANTED in annotations_of(one) for one in stay)
