"""The names by which a cluster's nodes reach their control plane, as records of a private zone."""

from dataclasses import dataclass

from hypershift.api import HostedControlPlane
from hypershift.api.publishing import INTERNAL_DOMAIN, strategy_type
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import API_PORT, HTTPS_PORT, KUBE_APISERVER_PRIVATE, PRIVATE_ROUTER
from hypershift.cloud.aws import Missing, Record, Zones
from hypershift.kit import TransientError

API, APPS = "api", "*.apps"
_NO_ZONE = "NoSuchHostedZone"


@dataclass(frozen=True, slots=True)
class Named:
    """The records of a link, and the zone that they are in."""

    names: tuple[str, ...]
    zone: str


class NoZone(TransientError):
    """The zone that is known is not there any more: it is looked for again."""


def zone_name(plane: HostedControlPlane) -> str:
    """The zone of the control plane's names."""
    return f"{plane.metadata.name}.{INTERNAL_DOMAIN}"


def of_link(link: str, plane: HostedControlPlane) -> tuple[str, ...]:
    """The names that lead to the endpoint of a link: those of the Service that it is about."""
    if link == KUBE_APISERVER_PRIVATE:
        found: tuple[str, ...] = (API,)
    elif link != PRIVATE_ROUTER:
        found = ()
    elif strategy_type(plane.spec, ServiceType.API_SERVER) == PublishingStrategyType.ROUTE:
        found = (API, APPS)
    else:
        found = (APPS,)
    return tuple(f"{name}.{zone_name(plane)}" for name in found)


def port_of(link: str) -> int:
    """The port that nodes connect to."""
    return API_PORT if link == KUBE_APISERVER_PRIVATE else HTTPS_PORT


def ensure(
    zones: Zones, link: str, plane: HostedControlPlane, target: str, known: str = ""
) -> Named | None:
    """Let the names lead to the endpoint; None where the link has no names.

    `known` is the zone that the last pass found; that of a shared VPC is named by the user.
    """
    names = of_link(link, plane)
    if not names:
        return None
    zone = _zone(zones, plane, known)
    if not zone:
        raise TransientError(f"hosted zone {zone_name(plane)} not found")
    try:
        for name in names:
            wanted = Record(f"{name}.", target)
            if zones.find(zone, name) != wanted:
                zones.upsert(zone, wanted)
    except Missing as error:
        raise NoZone(str(error)) from None
    return Named(names, zone)


def remove(zones: Zones, link: str, plane: HostedControlPlane, known: str = "") -> None:
    """Delete the records; a zone that is gone took them with it.

    Nobody needs to have written down that they were made.
    """
    zone = _zone(zones, plane, known)
    try:
        for name in of_link(link, plane) if zone else ():
            if found := zones.find(zone, name):
                zones.delete(zone, found)
    except Missing as error:
        if error.code != _NO_ZONE:
            raise


def _zone(zones: Zones, plane: HostedControlPlane, known: str) -> str:
    """The zone that names are in: the one that a user of a shared VPC named, or ours."""
    section = plane.spec.platform.aws
    shared = section.shared_vpc if section else None
    named = (shared.local_zone_id if shared else "") or known
    return named or zones.private_zone(zone_name(plane))
