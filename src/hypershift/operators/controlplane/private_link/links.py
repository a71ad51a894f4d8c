"""The object that stands for a private link, from the Service that the link is about."""

from hypershift.api import annotations
from hypershift.api.publishing import is_private
from hypershift.api.well_known import KUBE_APISERVER_PRIVATE, PRIVATE_ROUTER
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.platforms import Links, platform_named
from hypershift.platforms.links import halves_of
from hypershift.runtime import Done, Outcome

SERVICES = (KUBE_APISERVER_PRIVATE, PRIVATE_ROUTER)


async def publish_links(scope: PlaneScope) -> Outcome:
    """Write a link for each private Service whose load balancer has a name.

    A control plane that is no longer private has none. Each Service's link has its name.
    """
    links = platform_named(scope.wanted.platform.type).links
    if links is None or links not in scope.environment.links:
        return Done()
    if annotations.DELETES_LINKS in scope.annotations:
        return Done()
    private = is_private(scope.wanted, scope.annotations)
    for name in SERVICES:
        if private and name in scope.services:
            await _write(scope, links, name)
        elif not private and await scope.kube.find(links.resource, name, scope.namespace):
            await scope.kube.delete(links.resource, name, scope.namespace)
    return Done()


async def _write(scope: PlaneScope, links: Links, name: str) -> None:
    spec = halves_of(links).spec(scope.services[name], scope.wanted.platform)
    if spec is None:
        return
    link = {
        "apiVersion": links.resource.api_version,
        "kind": links.resource.kind,
        "metadata": {"name": name, "namespace": scope.namespace},
        "spec": spec,
    }
    await scope.kube.apply(link)
