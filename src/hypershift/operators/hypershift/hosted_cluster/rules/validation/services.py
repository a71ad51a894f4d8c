"""Whether the services of a cluster can be published as it asks."""

from collections.abc import Iterator, Mapping

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import chosen_name, labels_routes, strategy_type, unroutable
from hypershift.api.values import PublishingStrategyType, ServiceType


def route_problems(
    spec: HostedClusterSpec, annotations: Mapping[str, str], *, routes: bool, shared: bool
) -> Iterator[str]:
    """Yield Routes that cannot be served.

    `routes`: the management cluster knows Routes; `shared`: one ignition server for all clusters.
    """
    if not routes:
        yield from unroutable(spec)
        return
    ignition = strategy_type(spec, ServiceType.IGNITION) == PublishingStrategyType.ROUTE
    if shared and ignition and not labels_routes(spec, annotations):
        yield (
            "service Ignition is exposed via a Route while APIServer is not: a Route leads to its"
            " own namespace alone, and in Shared mode the ignition server is in another. Publish"
            " APIServer by Route with a hostname, Ignition by LoadBalancer or NodePort, or choose"
            " Dedicated mode"
        )


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
