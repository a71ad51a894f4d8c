"""The controller of the control plane's half of private links: its phases, and what wakes it.

name of the service in the status -> security group -> endpoint -> names -> Services outside
deleted -> endpoint, group and names are gone -> finalizer goes
"""

from collections.abc import Iterator, Sequence

from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.controlplane.private_link.endpoint import keep_endpoint, remove_endpoint
from hypershift.operators.controlplane.private_link.look import (
    await_service,
    find_plane,
    find_plane_of_deleted,
)
from hypershift.operators.controlplane.private_link.scope import EndpointScope, Sides
from hypershift.operators.controlplane.scope import Environment
from hypershift.platforms import Links
from hypershift.platforms.links import halves_of
from hypershift.runtime import Controller, Phase, Watch, changes_metadata, mapping

NORMAL: Sequence[Phase[EndpointScope]] = (find_plane, await_service, keep_endpoint)
DELETE: Sequence[Phase[EndpointScope]] = (find_plane_of_deleted, remove_endpoint)


def controllers(environment: Environment) -> Iterator[Controller[EndpointScope]]:
    """Yield a controller for each cloud whose links we make."""
    for links in environment.links:
        yield controller(environment, links)


def controller(environment: Environment, links: Links) -> Controller[EndpointScope]:
    """The controller of one cloud's links."""
    halves = halves_of(links)
    sides = Sides(environment.endpoints.get(links.resource.kind) or halves.endpoint)
    return Controller(
        name=links.called,
        resource=links.resource,
        scope=lambda found, context: EndpointScope(found, context, environment, links, sides),
        normal=NORMAL,
        delete=DELETE,
        finalizer=halves.endpoint_finalizer,
        watches=(
            Watch(
                kinds.HOSTED_CONTROL_PLANE,
                mapping.its_namespace,
                through=BY_NAMESPACE.name,
                namespace=environment.settings.namespace,
                wakes=changes_metadata,
            ),
        ),
        namespace=environment.settings.namespace,
        stop_on_error=True,
        honour_pause=False,
    )
