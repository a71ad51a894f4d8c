"""Look: what a control plane namespace holds, and what the release contains."""

import asyncio
from datetime import timedelta

from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, Reason, false
from hypershift.kit import HypershiftError, InvalidSpec, Manifest
from hypershift.kube import Resource, kinds
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Outcome, Stop, Wait

LOOKUP_TIMEOUT = 120.0
RETRY = timedelta(seconds=15)
#: Roles that our own image plays in a payload that does not name them.
OWN_ROLES = (
    "availability-prober",
    "controlplane-operator",
    "controlplane-pki-operator",
    "hosted-cluster-config-operator",
    "hypershift",
    "socks5-proxy",
    "token-minter",
)


async def decode_plane(scope: PlaneScope) -> Outcome:
    """Stop at a HostedControlPlane that cannot be decoded: a condition says which field is wrong.

    The API server checks types when an object is written, so this happens only to an object that
    was stored under another schema. It waits for a change and delays no other control plane.
    """
    try:
        _ = scope.plane
    except InvalidSpec as error:
        text = f"{error} (field {error.field})" if error.field else str(error)
        kind = ControlPlaneCondition.VALID_CONFIGURATION
        scope.conditions.set(false(kind, Reason.INVALID_CONFIGURATION, text))
        return Stop("CannotBeDecoded", text, error=error)
    return Done()


async def leave_other_releases(scope: PlaneScope) -> Outcome:
    """During an upgrade, two operators look at one control plane: only one acts."""
    if scope.settings.release and scope.settings.release != scope.release_image:
        return Stop("OtherRelease", f"the control plane is on {scope.release_image}")
    return Done()


async def observe(scope: PlaneScope) -> Outcome:
    """Read the objects that conditions and addresses follow from."""
    scope.services = await _named(scope, kinds.SERVICE)
    if scope.environment.has_routes:
        scope.routes = await _named(scope, kinds.ROUTE)
    scope.deployments = await _named(scope, kinds.DEPLOYMENT)
    scope.stateful_sets = await _named(scope, kinds.STATEFUL_SET)
    scope.secrets = await _named(scope, kinds.SECRET)
    scope.components = await scope.kube.each(kinds.CONTROL_PLANE_COMPONENT, scope.namespace)
    scope.namespace_object = await scope.kube.find(kinds.NAMESPACE, scope.namespace)
    return Done()


async def look_up_release(scope: PlaneScope) -> Outcome:
    """Read both views of the release; the overrides of this side must not reach the guest."""
    find, credentials = scope.environment.releases.lookup, scope.docker_config()
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT):
            user = await find(scope.wanted.release_image, credentials)
            ours = user
            if scope.release_image != scope.wanted.release_image:
                ours = await find(scope.release_image, credentials)
    except (HypershiftError, TimeoutError) as error:
        text = str(error) or "the registry does not answer"
        scope.conditions.set(
            false(
                ControlPlaneCondition.VALID_RELEASE_INFO,
                ControlPlaneReason.RELEASE_LOOKUP_FAILED,
                text,
            )
        )
        return Wait("AwaitingRelease", after=RETRY, error=error)
    scope.user_release = user
    images = {name: scope.settings.image for name in OWN_ROLES if scope.settings.image}
    images = {name: image for name, image in images.items() if not ours.has(name)}
    overridden = ours.with_registry_overrides(scope.settings.registry_overrides)
    scope.release = overridden.with_images({**images, **scope.settings.image_overrides})
    return Done()


async def stop_without_release(scope: PlaneScope) -> Outcome:
    """Nothing can be rendered from a release that cannot be read."""
    if scope.release is None:
        return Stop("NoRelease", "the release image cannot be read", RETRY)
    return Done()


async def _named(scope: PlaneScope, resource: Resource) -> dict[str, Manifest]:
    found = await scope.kube.each(resource, scope.namespace)
    return {item["metadata"]["name"]: item for item in found}
