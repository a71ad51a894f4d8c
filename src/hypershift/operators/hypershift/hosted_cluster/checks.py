"""Decide whether a cluster can be hosted as it stands; the answers are conditions."""

from collections.abc import Iterable

from hypershift.api.cluster_domain import domain_problem
from hypershift.api.conditions import (
    HostedClusterCondition,
    HostedClusterReason,
    Reason,
    false,
    true,
)
from hypershift.api.json_patch import check_kubevirt_patch
from hypershift.api.publishing import is_private, unshareable
from hypershift.api.reserved_labels import reserved
from hypershift.kit import InvalidSpec, Manifest, aggregate, annotations_of
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.claims import Claims, outside
from hypershift.operators.hypershift.claims import problems as claimed_elsewhere
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules import copies, validation
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.pki import Policy
from hypershift.platforms import Refs, cluster_side
from hypershift.runtime import Done, Outcome


async def check_platform(scope: ClusterScope) -> Outcome:
    """SupportedHostedCluster is false without the platform; `supported` decides the rest."""
    try:
        scope.platform = cluster_side(scope.wanted.platform.type)
    except InvalidSpec as error:
        scope.conditions.set(
            false(HostedClusterCondition.SUPPORTED, HostedClusterReason.UNSUPPORTED, str(error))
        )
        return Done()
    await _read_for_platform(scope, scope.platform.reads(scope.cluster))
    return Done()


async def _read_for_platform(scope: ClusterScope, refs: Refs) -> None:
    """Read what the platform named; what is missing it reports itself."""
    wanted = ((kinds.SECRET, refs.secrets), (kinds.CONFIG_MAP, refs.config_maps))
    for resource, chosen in wanted:
        found = await _found(scope, resource, chosen)
        scope.read_for_platform[resource.kind] = {k: v for k, v in found.items() if v is not None}


async def check_configuration(scope: ClusterScope) -> Outcome:
    """ValidConfiguration: the spec does not contradict itself, nor this cluster."""
    _check_labels(scope)
    problems = [
        *await _problems(scope),
        *await _problems_of_ours(scope),
        *await _receivers(scope),
    ]
    if problems:
        text = aggregate(problems)
        scope.conditions.set(
            false(HostedClusterCondition.VALID_CONFIGURATION, Reason.INVALID_CONFIGURATION, text)
        )
    else:
        text = "Configuration passes validation"
        scope.conditions.set(true(HostedClusterCondition.VALID_CONFIGURATION, text))
    return Done()


def _check_labels(scope: ClusterScope) -> None:
    """ReservedLabels: name the keys of `spec.labels` that pods do not get.

    The cluster works without them, so they do not stop it: one that runs with such a key since
    an older version keeps being reconciled.
    """
    kind = HostedClusterCondition.RESERVED_LABELS
    if keys := reserved(scope.wanted.labels):
        text = (
            f"spec.labels has keys that are reserved for the operator: {', '.join(keys)}; the"
            " control plane's pods do not get them. Use keys of your own domain instead"
        )
        scope.conditions.set(true(kind, text, HostedClusterReason.LABELS_IGNORED))
    else:
        scope.conditions.remove(kind)


async def _problems(scope: ClusterScope) -> list[str]:
    """What the original asks, in its order."""
    spec = scope.wanted
    key = validation.signing_key(spec)
    secret = (await _found(scope, kinds.SECRET, [key] if key else ())).get(key)
    place = validation.needed_namespace(scope.cluster)
    agents = await scope.kube.find(kinds.NAMESPACE, place) if place else None
    bundles = await _found(scope, kinds.CONFIG_MAP, validation.bundles(spec))
    issuers = await _found(scope, kinds.CONFIG_MAP, validation.issuer_bundles(spec))
    return [
        *validation.route_problems(
            spec,
            scope.annotations,
            routes=scope.environment.routes,
            shared=scope.mode is Mode.SHARED,
        ),
        *validation.signing_key_problems(spec, secret),
        *validation.platform_problems(scope.cluster, agents),
        *validation.identity_problems(spec),
        *validation.hostname_problem(spec),
        *validation.network_problems(spec),
        *validation.bundle_problems(spec, bundles),
        *await _certificates(scope),
        *validation.authentication_problems(spec, issuers),
    ]


async def _problems_of_ours(scope: ClusterScope) -> list[str]:
    """What the original finds out too late, or leaves to a webhook."""
    foreign = await scope.reach.problem()
    problems = [*validation.namespace_problems(scope.namespace), *([foreign] if foreign else [])]
    problems += copies.problems(scope.wanted)
    problems += [problem] if (problem := await _domain(scope)) else []
    problems += await _publishing(scope)
    for check in (
        lambda: check_kubevirt_patch(scope.object),
        lambda: Policy.from_annotations(scope.annotations),
    ):
        try:
            check()
        except InvalidSpec as error:
            problems.append(str(error))
    return problems


async def _domain(scope: ClusterScope) -> str:
    plane = await scope.kube.find(kinds.HOSTED_CONTROL_PLANE, scope.key.name, scope.namespace)
    return domain_problem(scope.annotations, annotations_of(plane) if plane else None)


async def _publishing(scope: ClusterScope) -> list[str]:
    """Host names that are another cluster's or not allowed, and an ingress that cannot be had."""
    kube, settings = scope.kube, scope.settings
    claims = Claims(
        await kube.each(kinds.HOSTED_CLUSTER), await kube.each(kinds.HOSTED_CONTROL_PLANE)
    )
    offered = bool(settings.shared_ingress_image)
    return [
        *claimed_elsewhere(claims.refused(scope.key, scope.wanted), scope.wanted),
        *outside(scope.wanted, settings.published_domains),
        *unshareable(scope.wanted, scope.annotations, offered=offered),
    ]


async def _receivers(scope: ClusterScope) -> list[str]:
    wanted = [name for _, name, _ in validation.receivers(scope.wanted)]
    secrets = await _found(scope, kinds.SECRET, wanted)
    return list(validation.receiver_problems(scope.wanted, secrets))


async def _certificates(scope: ClusterScope) -> list[str]:
    if names.DISABLE_PKI in scope.annotations:
        return []
    spec = scope.wanted
    secrets = await _found(scope, kinds.SECRET, validation.named_secrets(spec))
    ours = {
        name: await scope.kube.find(kinds.SECRET, name, scope.namespace)
        for name in validation.OWN_SECRETS
    }
    private = not scope.cloud.rules.compares_private_names and is_private(spec)
    compared = names.SKIP_SAN_VALIDATION not in scope.annotations and not private
    name = scope.key.name
    return list(validation.certificate_problems(spec, secrets, ours, name, compared=compared))


async def _found(
    scope: ClusterScope, resource: Resource, wanted: Iterable[str]
) -> dict[str, Manifest | None]:
    place = scope.key.namespace
    return {name: await scope.kube.find(resource, name, place) if name else None for name in wanted}


async def check_proxy(scope: ClusterScope) -> Outcome:
    """ValidProxyConfiguration; no condition unless the proxy has certificates of its own."""
    kind = HostedClusterCondition.VALID_PROXY
    name = validation.proxy_bundle(scope.wanted)
    if not name:
        scope.conditions.set(true(kind, "No proxy CA bundle configured"))
        return Done()
    bundle = await scope.kube.find(kinds.CONFIG_MAP, name, scope.key.namespace)
    if problem := validation.proxy_problem(name, bundle, scope.clock.now()):
        text = f"Proxy CA bundle is invalid for HostedCluster {scope.key}: {problem}"
        scope.conditions.set(false(kind, HostedClusterReason.PROXY_CA_BUNDLE_INVALID, text))
    else:
        scope.conditions.set(true(kind, "Proxy CA bundle is valid"))
    return Done()
