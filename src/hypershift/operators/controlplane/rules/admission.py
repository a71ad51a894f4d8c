"""Whether a router serves a Route: what routers of the management cluster say, and what we say."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from hypershift.api import labels
from hypershift.api.conditions import ConditionStatus, RouteCondition, fails, holds
from hypershift.kit import Manifest, labels_of, rfc3339

#: How the router of a control plane calls itself in the status of Routes.
OUR_ROUTER = "router"
ADMITTED = RouteCondition.ADMITTED.value
#: What a router says about a refusal is shortened to this.
_MOST = 300


def not_admitted(route: Manifest) -> str:
    """Why clients cannot reach a Route by its name; empty when a router serves it."""
    name = route["metadata"]["name"]
    refusals = []
    for found in _ingress(route):
        for condition in found.get("conditions") or ():
            if condition["type"] == ADMITTED and holds(condition):
                return ""
            if condition["type"] == ADMITTED and fails(condition):
                refusals.append(_said(found, condition))
    if refusals:
        return f"Route {name} is refused by {'; '.join(sorted(refusals))}"[:_MOST]
    return f"no router of the management cluster has admitted Route {name} yet"


def admitted(route: Manifest, address: str, now: datetime) -> Manifest | None:
    """The status of a Route that the cluster's own router serves at an address.

    None where it says so already, and while the router has no address: a status that was there is
    never replaced by one without.
    """
    host = route["spec"].get("host", "")
    known = [(each.get("routerCanonicalHostname"), each.get("host")) for each in _ingress(route)]
    if not address or known == [(address, host)]:
        return None
    condition = {
        "type": ADMITTED,
        "status": ConditionStatus.TRUE.value,
        "lastTransitionTime": rfc3339(now),
    }
    ingress = {
        "host": host,
        "routerName": OUR_ROUTER,
        "routerCanonicalHostname": address,
        "wildcardPolicy": "None",
        "conditions": [condition],
    }
    return {"ingress": [ingress]}


def left_to_others(route: Manifest) -> Manifest | None:
    """The status of a Route that our router serves no longer; None where it does not name it."""
    found = list(_ingress(route))
    others = [each for each in found if each.get("routerName") != OUR_ROUTER]
    return {"ingress": others} if others != found else None


def is_ours(route: Manifest) -> bool:
    """Whether the cluster's own router serves a Route, and no router of the management cluster."""
    return labels.HOSTED_CONTROL_PLANE in labels_of(route)


def is_internal(route: Manifest) -> bool:
    """Whether a Route is for the cluster's own network."""
    return labels.INTERNAL_ROUTE in labels_of(route)


def _ingress(route: Manifest) -> Iterator[dict[str, Any]]:
    yield from (route.get("status") or {}).get("ingress") or ()


def _said(found: dict[str, Any], condition: dict[str, Any]) -> str:
    told = ": ".join(filter(None, (condition.get("reason"), condition.get("message"))))
    return f"router {found.get('routerName') or 'without a name'} ({told or 'no reason given'})"
