"""Whether the services of a cluster can be published as it asks."""

from collections import Counter
from collections.abc import Iterator

from hypershift.kit import Manifest
from hypershift.platforms import Publishing, Service, hostname, is_public, published_by, strategy


def service_problems(spec: Manifest, *, routes: bool) -> Iterator[str]:
    """Yield what is wrong with publishing strategies; `routes`: the cluster knows Routes."""
    for service in Service:
        if not routes and published_by(spec, service, Publishing.ROUTE):
            yield (f"cluster does not support Routes, but service {service} is exposed via a Route")
    yield from _same_names(spec)
    if spec["platform"]["type"] == "AWS":
        yield from _aws(spec)


def _same_names(spec: Manifest) -> Iterator[str]:
    counted = Counter(name for service in Service if (name := hostname(spec, service)))
    for name, number in counted.items():
        if number > 1:
            yield f"service publishing hostname {name} is used by {number} services"


def _aws(spec: Manifest) -> Iterator[str]:
    for service in (Service.KONNECTIVITY, Service.OAUTH_SERVER, Service.IGNITION):
        way = strategy(spec, service).get("type")
        if way not in (None, Publishing.ROUTE):
            yield f"{service} must be published by Route on AWS, not by {way}"
    if published_by(spec, Service.API_SERVER, Publishing.ROUTE):
        if not hostname(spec, Service.API_SERVER):
            yield "an API server that is published by Route needs a hostname on AWS"
    elif not published_by(spec, Service.API_SERVER, Publishing.LOAD_BALANCER):
        kind = "public" if is_public(spec) else "private"
        yield f"the API server of a {kind} cluster needs a Route or a LoadBalancer on AWS"
