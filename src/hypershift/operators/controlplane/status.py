"""Fill a HostedControlPlane's status from what is there."""

from contextlib import suppress
from datetime import timedelta

from hypershift.api.conditions import (
    ControlPlaneCondition,
    ControlPlaneReason,
    Reason,
    fails,
    false,
    true,
)
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.publishing import hostname, is_public, unroutable
from hypershift.api.values import ServiceType
from hypershift.api.well_known import (
    ADMIN_KUBECONFIG,
    CUSTOM_ADMIN_KUBECONFIG,
    KUBE_APISERVER,
    KUBEADMIN_PASSWORD,
    KUBECONFIG_KEY,
)
from hypershift.component import rolled_out
from hypershift.controlplane import oauth_openshift
from hypershift.kit import Manifest
from hypershift.kube import ApiError, kinds
from hypershift.kube.services import load_balancer_address
from hypershift.operators.controlplane import endpoint
from hypershift.operators.controlplane.etcd_status import report_etcd, shards
from hypershift.operators.controlplane.look import observe
from hypershift.operators.controlplane.rules import conditions as rules
from hypershift.operators.controlplane.rules import infrastructure
from hypershift.operators.controlplane.rules.version import control_plane_version
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Outcome, Stop, Wait, active_condition

SOON, LATER = timedelta(seconds=15), timedelta(minutes=1)


async def check_configuration(scope: PlaneScope) -> Outcome:
    """ValidHostedControlPlaneConfiguration: the management cluster can do what is asked."""
    kind = ControlPlaneCondition.VALID_CONFIGURATION
    refused = () if scope.environment.has_routes else tuple(unroutable(scope.wanted))
    if refused:
        reason = ControlPlaneReason.INSUFFICIENT_CAPABILITIES
        scope.conditions.set(false(kind, reason, refused[0]))
    else:
        text = "Configuration passes validation"
        scope.conditions.set(true(kind, text))
    return Done()


async def roll_up(scope: PlaneScope) -> Outcome:
    """Conditions, endpoint, credentials and version, in the order in which they depend."""
    await report_etcd(scope)
    deployment = scope.deployments.get(KUBE_APISERVER)
    scope.conditions.set(rules.api_server_available(deployment))
    scope.conditions.set(rules.degraded(scope.deployments.values()))
    await _infrastructure(scope)
    await _external_dns(scope)
    _credentials(scope)
    await _available(scope)
    _version(scope)
    _identity_providers(scope)
    scope.status["initialized"] = True
    scope.status["externalManagedControlPlane"] = True
    kind = ControlPlaneCondition.RECONCILIATION_ACTIVE
    scope.conditions.set(active_condition(kind, scope.object, scope.clock.now()))
    return Done()


async def roll_up_changes(scope: PlaneScope) -> Outcome:
    """Report the components' new state in the same pass, which saves another one."""
    if not scope.worked:
        return Done()
    before = scope.components
    await observe(scope)
    return await roll_up(scope) if scope.components != before else Done()


async def stop_if_invalid(scope: PlaneScope) -> Outcome:
    """What the management cluster cannot do is not tried."""
    found = scope.conditions.get(ControlPlaneCondition.VALID_CONFIGURATION)
    if found and fails(found):
        return Stop(Reason.INVALID_CONFIGURATION, found["message"])
    return Done()


async def find_addresses(scope: PlaneScope) -> None:
    """Find where the control plane is published, and report what is missing."""
    waits = [
        service
        for service in scope.services.values()
        if service["spec"].get("type") == "LoadBalancer"
        and not load_balancer_address(service)
        and infrastructure.is_unusual(service, scope.clock.now())
    ]
    events: list[Manifest] = []
    with suppress(ApiError):  # a better sentence is not worth a pass
        events = await scope.context.live.list(kinds.EVENT, scope.namespace) if waits else []
    around = infrastructure.AddressInputs(
        services=scope.services,
        annotations=scope.annotations,
        now=scope.clock.now(),
        warnings={
            service["metadata"]["name"]: rules.warnings_about("Service", service, events)
            for service in waits
        },
        routes=scope.routes if scope.environment.has_routes else None,
        cluster=scope.key.name,
    )
    found = infrastructure.addresses(scope.wanted, around, oauth=scope.oauth)
    scope.infra, scope.waiting, scope.broken = found.infra, found.waiting, found.error
    scope.conditions.set(rules.infrastructure_ready(scope.waiting, scope.broken))


async def _infrastructure(scope: PlaneScope) -> None:
    await find_addresses(scope)
    if scope.waiting or scope.broken:
        return
    infra = scope.infra
    scope.status["controlPlaneEndpoint"] = {"host": infra.api_host, "port": infra.api_port}
    if scope.oauth:
        host = f"[{infra.oauth_host}]" if ":" in infra.oauth_host else infra.oauth_host
        scope.status["oauthCallbackURLTemplate"] = (
            f"https://{host}:{infra.oauth_port}/oauth2callback/[identity-provider-name]"
        )


async def _external_dns(scope: PlaneScope) -> None:
    host = hostname(scope.wanted, ServiceType.API_SERVER) if is_public(scope.wanted) else ""
    trouble = await scope.environment.resolve(host) if host else ""
    scope.conditions.set(rules.external_dns(host, trouble))


def configures_oauth(spec: HostedControlPlaneSpec) -> bool:
    """Whether the user configured how to log in."""
    return spec.configuration is not None and spec.configuration.oauth is not None


def _credentials(scope: PlaneScope) -> None:
    chosen = scope.wanted.kubeconfig
    name = (chosen.name if chosen else "") or ADMIN_KUBECONFIG
    key = (chosen.key if chosen else "") or KUBECONFIG_KEY
    custom = {"name": CUSTOM_ADMIN_KUBECONFIG, "key": KUBECONFIG_KEY}
    references = {
        "kubeConfig": (name, {"name": name, "key": key}),
        "customKubeconfig": (CUSTOM_ADMIN_KUBECONFIG, custom),
        "kubeadminPassword": (KUBEADMIN_PASSWORD, {"name": KUBEADMIN_PASSWORD}),
    }
    unwanted = {
        "customKubeconfig": not scope.wanted.kube_api_server_dns_name,
        "kubeadminPassword": configures_oauth(scope.wanted),
    }
    for field, (secret, reference) in references.items():
        if secret in scope.secrets and not unwanted.get(field):
            scope.status[field] = reference
        elif field in unwanted:  # the first one was there once and will be again
            scope.status.pop(field, None)


async def _available(scope: PlaneScope) -> None:
    trouble = ""
    if scope.conditions.is_true(ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        around = (scope.wanted, scope.namespace, scope.services, scope.annotations)
        host, port = endpoint.health_address(*around)
        trouble = await _endpoint_trouble(scope, host, port) if host else ""
    found = rules.available(
        scope.conditions,
        kubeconfig="kubeConfig" in scope.status,
        endpoint_trouble=trouble,
        components=scope.components,
        was_available=scope.conditions.is_true(ControlPlaneCondition.AVAILABLE),
    )
    scope.conditions.set(found)
    scope.status["ready"] = found.is_true


async def _endpoint_trouble(scope: PlaneScope, host: str, port: int) -> str:
    """What is wrong with the published address; asked once in a pass."""
    if scope.endpoint is None or scope.endpoint[0] != (host, port):
        name = endpoint.server_name(scope.wanted, scope.annotations)
        trouble = await scope.environment.check(host, port, scope.authority, name)
        scope.endpoint = ((host, port), trouble)
    return scope.endpoint[1]


def _version(scope: PlaneScope) -> None:
    release = scope.release
    if release is None:
        return
    complete = rules.rolled_out(scope.components, release.version)
    scope.status["controlPlaneVersion"] = control_plane_version(
        scope.status.get("controlPlaneVersion"),
        release.resolved or scope.release_image,
        release.version,
        scope.generation,
        scope.clock.now(),
        complete=complete,
    )
    if complete:
        scope.status["releaseImage"] = scope.wanted.release_image
        scope.status["version"] = release.version


def _identity_providers(scope: PlaneScope) -> None:
    if scope.release is None or (scope.release.openshift and scope.user_release is None):
        return
    kind = ControlPlaneCondition.VALID_IDP
    if not scope.release.openshift:
        text = "No OAuth server, so no identity providers of its own"
        scope.conditions.set(true(kind, text, ControlPlaneReason.IDP_VALID))
    elif scope.oauth:
        scope.conditions.set(
            rules.identity_providers(tuple(oauth_openshift.problems(scope.view())))
        )


async def look_again(scope: PlaneScope) -> Outcome:
    """Schedule another pass for what no watch reports, such as the published endpoint.

    An absent member of etcd may be lost for good, which its node shows and not its pod.
    """
    found = (scope.stateful_sets.get(name) for name in ("etcd", *shards(scope)[0]))
    whole = all(members is None or rolled_out(members) for members in found)
    ready = bool(scope.status.get("ready")) and whole
    return Wait("Ready" if ready else "NotReady", LATER if ready else SOON)
