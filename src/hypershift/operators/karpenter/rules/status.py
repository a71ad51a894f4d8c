"""What a class shows: what Karpenter found for it, and what its version became."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hypershift.api import OpenshiftEC2NodeClass
from hypershift.api.conditions import (
    Condition,
    NodeClassCondition,
    NodeClassReason,
    Reason,
    false,
    true,
)
from hypershift.kit import Manifest

#: Lists of Karpenter that a class repeats, and fields of their items.
_SUBNET, _GROUP = ("id", "zone", "zoneID"), ("id", "name")
#: Karpenter's words of reservations, and ours.
_TYPES: Final = {"capacity-block": "CapacityBlock"}
_STATES: Final = {"expiring": "Expiring"}
#: Items of each list that are shown.
MOST: Final = 100
#: Classes of one cluster that get tokens and user data, beside the default one. An administrator
#: of a hosted cluster makes them, and each costs Secrets on the management cluster and questions to
#: the update service.
MOST_CLASSES: Final = 100


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of the version of a class."""

    image: str = ""
    version: str = ""
    problem: str = ""  # why the version could not be resolved
    skew: str = ""  # why nodes of it do not go with the control plane


def found(ec2_class: Manifest | None) -> Manifest:
    """The lists of a class: what its selectors found; an empty one is left out."""
    theirs = (ec2_class or {}).get("status") or {}
    lists = {
        "subnets": _picked(theirs.get("subnets"), _SUBNET),
        "securityGroups": _picked(theirs.get("securityGroups"), _GROUP),
        "capacityReservations": [
            *map(_reservation, _items(theirs.get("capacityReservations"))),
        ],
    }
    return {name: items for name, items in lists.items() if items}


def foreign(ec2_class: Manifest | None) -> list[Manifest]:
    """The conditions of Karpenter, as it wrote them."""
    theirs = (ec2_class or {}).get("status") or {}
    return [dict(each) for each in _items(theirs.get("conditions")) if each.get("type")]


def _items(given: object) -> list[Manifest]:
    """At most so many items of a list as the class may show."""
    listed = given if isinstance(given, list) else []
    return [each for each in listed[:MOST] if isinstance(each, dict)]


def _picked(given: object, fields: Iterable[str]) -> list[Manifest]:
    kept = tuple(fields)
    return [{name: each[name] for name in kept if each.get(name)} for each in _items(given)]


def _reservation(given: Manifest) -> Manifest:
    criteria = str(given.get("instanceMatchCriteria") or "")
    kept = ("availabilityZone", "id", "instanceType", "ownerID", "endTime")
    return {
        **{name: given[name] for name in kept if given.get(name)},
        "instanceMatchCriteria": criteria[:1].upper() + criteria[1:],
        "reservationType": _TYPES.get(str(given.get("reservationType")), "Default"),
        "state": _STATES.get(str(given.get("state")), "Active"),
    }


def version_resolved(node_class: OpenshiftEC2NodeClass, resolved: Resolved) -> Condition:
    """Whether the version of a class names a release."""
    kind, wanted = NodeClassCondition.VERSION_RESOLVED, node_class.spec.version
    if not wanted:
        text = "No version specified, using control plane release image"
        return true(kind, text, NodeClassReason.VERSION_NOT_SPECIFIED)
    if resolved.problem:
        text = f'Failed to resolve version "{wanted}": {resolved.problem}'
        return false(kind, NodeClassReason.RESOLUTION_FAILED, text)
    text = f'Version "{wanted}" resolved to {resolved.image}'
    return true(kind, text, NodeClassReason.VERSION_RESOLVED)


def supported_skew(node_class: OpenshiftEC2NodeClass, resolved: Resolved) -> Condition:
    """Whether nodes of that version go with the control plane; it stops nothing."""
    kind, wanted = NodeClassCondition.SUPPORTED_VERSION_SKEW, node_class.spec.version
    if not wanted:
        text = "No version specified, nodes use the control plane release image"
        return true(kind, text, NodeClassReason.VERSION_NOT_SPECIFIED)
    if resolved.skew:
        return false(kind, NodeClassReason.UNSUPPORTED_SKEW, resolved.skew)
    return true(kind, f'Version "{wanted}" is within supported skew', Reason.AS_EXPECTED)


def not_ready(resolved: Resolved, problem: str) -> Condition | None:
    """A class is not ready whose nodes could not be configured, whatever Karpenter says.

    None leaves the word to Karpenter.
    """
    kind = NodeClassCondition.READY
    if resolved.problem:
        text = f"Version resolution failed: {resolved.problem}"
        return false(kind, NodeClassReason.RESOLUTION_FAILED, text)
    return false(kind, Reason.INVALID_CONFIGURATION, problem) if problem else None


def beyond_budget() -> Condition:
    """What a class says that gets no nodes because its cluster has too many classes."""
    text = (
        f"a cluster may have {MOST_CLASSES} classes of nodes beside the default one; delete another"
    )
    return false(NodeClassCondition.READY, Reason.INVALID_CONFIGURATION, text)
