"""The phases that make a pool's configuration, and read what its token carries beside it."""

from collections.abc import Iterator

from hypershift.api.conditions import NodePoolConditionType, true
from hypershift.ignition import render, trust
from hypershift.kit import HypershiftError, InvalidSpec
from hypershift.kit.aside import aside
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import look, sources
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.rules import os_stream
from hypershift.operators.hypershift.node_pool.rules.configuration import (
    Source,
    check_size,
    size_of,
)
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.runtime import Done, Outcome, Stop

VALID = NodePoolConditionType.VALID_MACHINE_CONFIG
_NO_OPERATOR = (
    "failed to generate HAProxy raw config: failed to check if we manage haproxy ignition config"
)
_NO_TOKEN = "error getting token: failed to create token"  # noqa: S105 - a message


async def generate_config(scope: PoolScope) -> Outcome:
    """Gather the documents of the pool into the text that its hash is made of."""
    if not sources.kubeconfig_name(scope.cluster):
        return Stop("WaitingForKubeconfig", "the hosted cluster has no kubeconfig yet")
    added = await sources.sources(scope)
    size = size_of(added)
    try:
        check_size(added)
    except HypershiftError as error:
        message = f"failed to generate config: {error}"
        return await failed(scope, message, kind=VALID, because=str(error))
    try:
        scope.stream = await aside(size, _stream, scope, added)
    except HypershiftError as error:
        message = f"failed to validate osImageStream: {error}"
        return await failed(scope, message, kind=VALID, because=str(error))
    try:
        scope.operator = await look.operator_image(scope)
    except HypershiftError as error:
        return await failed(scope, f"{_NO_OPERATOR}: {error}")
    try:
        proxy = await sources.proxy_document(scope)
    except HypershiftError as error:
        refused = isinstance(error, sources.ProxyNotSupported)
        return await failed(scope, str(error), kind=VALID if refused else None)
    return await _configure(scope, proxy, added)


async def _configure(scope: PoolScope, proxy: str, added: list[Source]) -> Outcome:
    try:
        config = await sources.pool_config(scope, proxy, added)
        if not scope.wanted_release.openshift:
            await aside(size_of(added), render.check, config.raw)
    except HypershiftError as error:
        message = f"failed to generate config: {error}"
        return await failed(scope, message, kind=VALID, because=str(error))
    scope.config = config
    scope.environment.targets[scope.key] = config.hash
    scope.conditions.set(true(VALID))
    return Done()


def _stream(scope: PoolScope, added: list[Source]) -> str:
    """The stream that machines boot; only OpenShift's have one."""
    if not scope.wanted_release.openshift:
        return ""
    return os_stream.boot_stream(
        scope.facts().wanted,
        scope.wanted_release.version,
        runc=sources.uses_runc(added),
        gate=scope.environment.os_streams,
    )


async def read_trust_bundle(scope: PoolScope) -> Outcome:
    """Read the authorities that nodes trust beside the system's, and the cloud's configuration."""
    scope.cloud_config_hash = await sources.cloud_config_hash(scope)
    try:
        bundles = [await _bundle(scope, *named) for named in _bundles(scope)]
    except InvalidSpec as error:
        return await failed(scope, f"{_NO_TOKEN}: {error}")
    scope.trust_bundle = trust.bundle(*bundles)
    return Done()


def _bundles(scope: PoolScope) -> Iterator[tuple[str, str]]:
    """Field and name of each ConfigMap of certificates that nodes trust."""
    spec = scope.cluster.spec
    if spec.additional_trust_bundle:
        yield "additionalTrustBundle", spec.additional_trust_bundle.name
    proxy = spec.configuration.proxy if spec.configuration else None
    # Nodes of OpenShift get the proxy's authorities from operators of the release.
    if proxy and proxy.trusted_ca and proxy.trusted_ca.name and not scope.wanted_release.openshift:
        yield "proxy trustedCA", proxy.trusted_ca.name


async def _bundle(scope: PoolScope, field: str, name: str) -> str:
    namespace = scope.key.namespace
    found = await scope.kube.find(kinds.CONFIG_MAP, name, namespace)
    where = f"{field} {namespace}/{name}"
    if found is None:
        raise InvalidSpec(f'cannot get {where}: configmaps "{name}" not found')
    data = found.get("data") or {}
    if "ca-bundle.crt" not in data:
        raise InvalidSpec(f' {where} missing "ca-bundle.crt" key')
    return str(data["ca-bundle.crt"])
