"""Private connectivity of a cloud: the objects that stand for its links, and what they report."""

from dataclasses import dataclass

from hypershift.api.conditions import HostedClusterCondition, Reason
from hypershift.kube import Resource


@dataclass(frozen=True, slots=True)
class Links:
    """The kind of object that stands for a cloud's private links, and what it reports."""

    resource: Resource
    called: str  # in the message that they cannot be listed
    conditions: tuple[HostedClusterCondition, ...]
    error: Reason
    success: Reason
    optional: bool = False  # nothing is reported where there are none
