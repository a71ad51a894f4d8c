"""Reads what a pool's configuration is made of, and makes it."""

from dataclasses import replace

from hypershift.api import HostedCluster
from hypershift.api.publishing import is_private, uses_shared_ingress
from hypershift.api.well_known import ROUTER, SHARED_INGRESS_NAMESPACE
from hypershift.ignition import api_proxy, fingerprint
from hypershift.kit import InvalidSpec, Manifest, annotations_of, data_of
from hypershift.kit.aside import aside
from hypershift.kube import Resource, kinds
from hypershift.kube.services import load_balancer_ingress
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import api_access, configuration, os_stream
from hypershift.operators.hypershift.node_pool.rules.configuration import PoolConfig, Source
from hypershift.operators.hypershift.node_pool.rules.content_sources import content_sources
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.operator_image import mode_of
from hypershift.operators.hypershift.settings import Mode
from hypershift.platforms import PLATFORMS, platform_named
from hypershift.release import Capability

_LEGACY_PROXY = "ignition-config-apiserver-haproxy"
_SHARED_INGRESS = Resource("", "v1", "services", "Service")
#: Where a cloud's controllers and kubelets read how to talk to it.
CLOUD_CONFIGS = frozenset(name for each in PLATFORMS.values() if (name := each.pools.cloud_config))


async def sources(scope: PoolScope) -> list[Source]:
    """What the user and the tuning operator add to the configuration of the pool."""
    added = [*await user_sources(scope), *await _tuning_sources(scope)]
    if scope.wanted_release.openshift:
        return added  # the control plane operator writes the mirrors there
    return [*added, *content_sources(scope.cluster.spec.image_content_sources)]


async def pool_config(scope: PoolScope, proxy: str, added: list[Source]) -> PoolConfig:
    """The configuration that the pool's machines shall have."""
    release = scope.wanted_release
    stream = ""
    if release.openshift:
        runc = await aside(configuration.size_of(added), uses_runc, added)
        stream = os_stream.in_hash(scope.pool, release.version, runc=runc)
    core = await _core(scope)
    return await aside(
        configuration.size_of(added),
        configuration.pool_config,
        scope.cluster,
        scope.configuration,
        core=core,
        sources=added,
        api_proxy=proxy,
        release_version=release.version,
        os_stream=stream,
        # Only OpenShift's control planes promise a fixed number of core documents.
        count_core=release.openshift,
    )


def uses_runc(added: list[Source]) -> bool:
    """Whether the user chooses runc for the pool."""
    return os_stream.uses_runc([one.config or "" for one in added if not one.generated])


async def _core(scope: PoolScope) -> list[Source]:
    """The documents of the control plane."""
    label = f"{names.CORE_CONFIG}=true"
    found = await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=label)
    return [_source(one) for one in found]


async def user_sources(scope: PoolScope) -> list[Source]:
    """The ConfigMaps that the pool names."""
    found = []
    for name in (each.name for each in scope.wanted.config):
        one = await scope.kube.find(kinds.CONFIG_MAP, name, scope.key.namespace)
        found.append(Source(name, None) if one is None else _source(one))
    return found


def tunes_nodes(scope: PoolScope) -> bool:
    """Whether the cluster has an operator that tunes nodes."""
    capabilities = scope.wanted_cluster.capabilities
    disabled = capabilities.disabled if capabilities else ()
    return "NodeTuning" not in (disabled or ()) and scope.wanted_release.openshift


async def _tuning_sources(scope: PoolScope) -> list[Source]:
    if not tunes_nodes(scope):
        return []
    labels = f"{names.NTO_CONFIG}=true,{names.NODE_POOL}={scope.key.name}"
    found = await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=labels)
    return [replace(_source(one), generated=True) for one in found]


def _source(config_map: Manifest) -> Source:
    data = config_map.get("data") or {}
    return Source(config_map["metadata"]["name"], data.get("config", ""), data)


async def proxy_document(scope: PoolScope) -> str:
    """The node-side proxy; empty where an older control plane operator makes it."""
    release = scope.wanted_release
    canonical = api_access.wants_canonical(scope.pool, release.version)
    if canonical:
        await scope.annotate({names.CANONICAL_IMAGES: "true"})
    overridden = release.with_registry_overrides(scope.environment.registry_overrides)
    images = api_access.Images(dict(overridden.images), dict(release.images))
    shared = _shared_image(scope)
    if release.openshift:
        api_access.haproxy_image(scope.pool, images, shared, canonical=canonical)
    if not scope.can(Capability.SKIPS_HAPROXY):
        return ""
    await _drop_legacy(scope)
    private = is_private(scope.wanted_cluster, annotations_of(scope.hosted_cluster))
    proxy = api_access.api_proxy(
        scope.cluster,
        scope.pool,
        images=images,
        kubeconfig=None if private else await _kubeconfig(scope),
        canonical=canonical,
        shared_ingress=shared if private or not shared else await _with_address(scope, shared),
        operator=_own_operator(scope),
    )
    _check_forward_proxy(scope, proxy)
    return api_proxy.document(proxy)


class ProxyNotSupported(InvalidSpec):
    """The nodes would have to reach the API server through a proxy, and nothing could do that."""


def _check_forward_proxy(scope: PoolScope, proxy: api_proxy.ApiProxy) -> None:
    """Refuse a proxy on the way to the API where no image has the program that goes through it."""
    able = scope.wanted_release.openshift or scope.can(Capability.SUBCOMMANDS)
    if proxy.forward_proxy and not able:
        raise ProxyNotSupported(
            f"nodes would reach the API server {proxy.external}:{proxy.external_port} through the"
            " proxy of the HostedCluster, and the image of the cluster's operators has no"
            " kubernetes-default-proxy: add the API server's address to"
            " spec.configuration.proxy.noProxy of the HostedCluster",
            field="spec.configuration.proxy.httpsProxy",
        )


def _own_operator(scope: PoolScope) -> str:
    """The image of the cluster's own operators; where this process is them, it is not for nodes."""
    dedicated = mode_of(scope.hosted_cluster, scope.environment.operators.settings)
    return scope.operator.reference if dedicated is Mode.DEDICATED else ""


async def _drop_legacy(scope: PoolScope) -> None:
    """Our proxy takes the place of an older operator's."""
    if await scope.kube.find(kinds.CONFIG_MAP, _LEGACY_PROXY, scope.namespace):
        await scope.kube.delete(kinds.CONFIG_MAP, _LEGACY_PROXY, scope.namespace)


def _shared_image(scope: PoolScope) -> api_access.SharedIngress | None:
    annotations = annotations_of(scope.hosted_cluster)
    if not uses_shared_ingress(scope.wanted_cluster, annotations):
        return None
    return api_access.SharedIngress(scope.environment.shared_ingress_image)


async def _with_address(
    scope: PoolScope, shared: api_access.SharedIngress
) -> api_access.SharedIngress:
    found = await scope.kube.find(_SHARED_INGRESS, ROUTER, SHARED_INGRESS_NAMESPACE)
    if found is None:
        raise api_access.AccessUnknown(f'{api_access.FAILED_IGNITION}: services "router" not found')
    ingress = load_balancer_ingress(found) or [{}]
    return replace(shared, address=ingress[0].get("ip", ""))


async def _kubeconfig(scope: PoolScope) -> str | None:
    name, namespace = kubeconfig_name(scope.cluster), scope.cluster.metadata.namespace
    if not name:
        return None
    found = await scope.kube.find(kinds.SECRET, name, namespace)
    if found is None:
        why = f'failed to get kubeconfig: secrets "{name}" not found'
        raise api_access.AccessUnknown(f"{api_access.FAILED_IGNITION}: {why}")
    if "kubeconfig" not in (found.get("data") or {}):
        why = f"kubeconfig secret {namespace}/{name} has no 'kubeconfig' key"
        raise api_access.AccessUnknown(f"{api_access.FAILED_IGNITION}: {why}")
    return data_of(found, "kubeconfig").decode()


def kubeconfig_name(cluster: HostedCluster) -> str:
    """The Secret with the administrator's kubeconfig, empty while there is none."""
    return cluster.status.kubeconfig.name if cluster.status.kubeconfig else ""


async def cloud_config_hash(scope: PoolScope) -> str:
    """The hash of the cloud's configuration, which payloads carry; empty where there is none."""
    name = platform_named(scope.wanted_cluster.platform.type).pools.cloud_config
    found = await scope.kube.find(kinds.CONFIG_MAP, name, scope.namespace) if name else None
    return fingerprint.of_config_map((found or {}).get("data"))
