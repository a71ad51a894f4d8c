"""Whether the services of a cluster can be published as it asks."""

from collections.abc import Iterator

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import chosen_name, unroutable


def route_problems(spec: HostedClusterSpec, *, routes: bool) -> Iterator[str]:
    """Yield Routes that cannot be served; `routes`: the management cluster knows Routes."""
    if not routes:
        yield from unroutable(spec)


def hostname_problem(spec: HostedClusterSpec) -> Iterator[str]:
    """Yield the first name that two services would share."""
    taken: dict[str, str] = {}
    for item in spec.services:
        name = chosen_name(item.service_publishing_strategy)
        if name in taken:
            yield (
                f"service type {item.service} can't be published with the same hostname {name}"
                f" as service type {taken[name]}"
            )
            return
        if name:
            taken[name] = item.service
