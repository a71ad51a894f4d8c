"""Whether the services of a cluster can be published as it asks."""

from collections.abc import Iterator

from hypershift.api import read
from hypershift.api.publishing import Exposure, unroutable
from hypershift.kit import Manifest
from hypershift.platforms import Publishing

_NAMED = {Publishing.ROUTE: "route", Publishing.LOAD_BALANCER: "loadBalancer"}


def route_problems(spec: Manifest, *, routes: bool) -> Iterator[str]:
    """Yield Routes that cannot be served; `routes`: the management cluster knows Routes."""
    if not routes:
        yield from unroutable(read(Exposure, spec))


def hostname_problem(spec: Manifest) -> Iterator[str]:
    """Yield the first name that two services would share."""
    taken: dict[str, str] = {}
    for service, way in _published(spec):
        section = _NAMED.get(way.get("type", ""), "")
        name = (way.get(section) or {}).get("hostname") or ""
        if name in taken:
            yield (
                f"service type {service} can't be published with the same hostname {name}"
                f" as service type {taken[name]}"
            )
            return
        if name:
            taken[name] = service


def _published(spec: Manifest) -> Iterator[tuple[str, Manifest]]:
    for item in spec.get("services") or ():
        yield item.get("service", ""), item.get("servicePublishingStrategy") or {}
