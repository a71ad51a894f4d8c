"""Decide whether a cluster can be hosted as it stands; the answers are conditions."""

from hypershift.api.json_patch import check_kubevirt_patch
from hypershift.kit import HypershiftError, InvalidSpec, Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names, namespace, releases
from hypershift.operators.hypershift.hosted_cluster.conditions import AS_EXPECTED
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.hosted_cluster.validation import (
    authentication_problems,
    bundle_problem,
    certificate_problems,
    identity_problems,
    named_secrets,
    network_problems,
    service_problems,
)
from hypershift.platforms import platform_of
from hypershift.runtime import Done, Outcome


async def check_platform(scope: ClusterScope) -> Outcome:
    """SupportedHostedCluster: we have the platform."""
    try:
        scope.platform = platform_of(scope.spec["platform"]["type"])
    except InvalidSpec as error:
        scope.conditions.set(
            "SupportedHostedCluster", "False", "UnsupportedHostedCluster", str(error)
        )
        return Done()
    scope.conditions.set(
        "SupportedHostedCluster",
        "True",
        AS_EXPECTED,
        "HostedCluster is supported by operator configuration",
    )
    return Done()


def _patch(cluster: Manifest) -> list[str]:
    try:
        check_kubevirt_patch(cluster)
    except InvalidSpec as error:
        return [str(error)]
    return []


async def check_configuration(scope: ClusterScope) -> Outcome:
    """ValidConfiguration: the spec does not contradict itself, nor this cluster."""
    owner = namespace.owner(scope.namespace_object)
    problems = [
        *identity_problems(scope.spec, scope.namespace, owner, scope.key),
        *service_problems(scope.spec, routes=scope.environment.openshift),
        *network_problems(scope.spec),
        *authentication_problems(scope.spec),
        *_patch(scope.object),
        *await _certificates(scope),
    ]
    if problems:
        text = "; ".join(problems)
        scope.conditions.set("ValidConfiguration", "False", "InvalidConfiguration", text)
    else:
        text = "Configuration passes validation"
        scope.conditions.set("ValidConfiguration", "True", AS_EXPECTED, text)
    return Done()


async def _certificates(scope: ClusterScope) -> list[str]:
    if {names.DISABLE_PKI, names.SKIP_SAN_VALIDATION} & scope.annotations.keys():
        return []
    secrets = {
        name: await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        for name in named_secrets(scope.spec)
    }
    internal = f"api.{scope.key.name}.hypershift.local"
    service = f"kube-apiserver.{scope.namespace}.svc"
    return list(certificate_problems(scope.spec, secrets, (internal, service)))


async def check_release(scope: ClusterScope) -> Outcome:
    """ValidReleaseImage: the release can be read, and this operator may roll it out."""
    if scope.pull_secret is None:
        name = (scope.spec.get("pullSecret") or {}).get("name", "")
        _release(scope, "SecretNotFound", f"pull secret {name!r} is not there")
        return Done()
    try:
        await _look_up(scope)
    except HypershiftError as error:
        _release(scope, "InvalidImage", str(error))
        return Done()
    problem = releases.problem(scope)
    _release(scope, "InvalidImage" if problem else "", problem)
    scope.refused = releases.refusal(scope)
    return Done()


async def _look_up(scope: ClusterScope) -> None:
    find = scope.environment.releases.lookup
    credentials = scope.docker_config()
    image = scope.spec["release"]["image"]
    scope.data_plane_release = await find(image, credentials)
    chosen = scope.control_plane_image
    scope.release = scope.data_plane_release if chosen == image else await find(chosen, credentials)


def _release(scope: ClusterScope, reason: str, message: str) -> None:
    if reason:
        scope.conditions.set("ValidReleaseImage", "False", reason, message)
    else:
        scope.conditions.set("ValidReleaseImage", "True", AS_EXPECTED, "Release image is valid")


async def check_proxy(scope: ClusterScope) -> Outcome:
    """ValidProxyConfiguration: nothing to say without a proxy's own certificates."""
    kind = "ValidProxyConfiguration"
    proxy = (scope.spec.get("configuration") or {}).get("proxy") or {}
    name = (proxy.get("trustedCA") or {}).get("name", "")
    if not name:
        scope.conditions.set(kind, "True", AS_EXPECTED, "No proxy CA bundle configured")
        return Done()
    bundle = await scope.kube.find(kinds.CONFIG_MAP, name, scope.key.namespace)
    if problem := bundle_problem(name, bundle, scope.clock.now()):
        text = f"Proxy CA bundle is invalid for HostedCluster {scope.key}: {problem}"
        scope.conditions.set(kind, "False", "ProxyCABundleInvalid", text)
    else:
        scope.conditions.set(kind, "True", AS_EXPECTED, "Proxy CA bundle is valid")
    return Done()
