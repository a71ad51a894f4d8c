"""Reads what a pool's configuration is made of, and makes it."""

from datetime import datetime

from hypershift.ignition import api_proxy
from hypershift.kit import Manifest, from_rfc3339
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import (
    api_access,
    configuration,
    names,
    os_stream,
)
from hypershift.operators.hypershift.node_pool.configuration import PoolConfig, Source
from hypershift.operators.hypershift.node_pool.scope import PoolScope, secret_value


def moment(text: str) -> datetime:
    """A moment; `ValueError` for what is none."""
    return from_rfc3339(text)


async def pool_config(scope: PoolScope) -> PoolConfig:
    """The configuration that the pool's machines shall have."""
    release = scope.wanted_release
    sources = [*await _user_sources(scope), *await _tuning_sources(scope)]
    proxy = await _api_proxy(scope)
    texts = [source.config or "" for source in sources]
    runc = release.openshift and all(texts) and os_stream.uses_runc(texts)
    stream = os_stream.in_hash(scope.object, release.version, runc=runc)
    if release.openshift and (named := (scope.spec.get("osImageStream") or {}).get("name")):
        os_stream.check(named, release.version, runc=runc)
    return configuration.pool_config(
        scope.hosted_cluster,
        core=await _core(scope),
        sources=sources,
        api_proxy=proxy,
        release_version=release.version,
        os_stream=stream if release.openshift else "",
        # Only OpenShift's control planes promise a fixed number of core documents.
        count_core=release.openshift,
    )


async def _core(scope: PoolScope) -> list[str]:
    label = f"{names.CORE_CONFIG}=true"
    found = await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=label)
    legacy = "ignition-config-apiserver-haproxy"
    return [
        (one.get("data") or {}).get("config", "")
        for one in found
        if one["metadata"]["name"] != legacy
    ]


async def _user_sources(scope: PoolScope) -> list[Source]:
    sources = []
    for reference in scope.spec.get("config") or ():
        found = await scope.kube.find(kinds.CONFIG_MAP, reference["name"], scope.key.namespace)
        config = None if found is None else (found.get("data") or {}).get("config", "")
        sources.append(Source(reference["name"], config))
    return sources


async def _tuning_sources(scope: PoolScope) -> list[Source]:
    disabled = (scope.cluster_spec.get("capabilities") or {}).get("disabled") or ()
    if "NodeTuning" in disabled or not scope.wanted_release.openshift:
        return []
    labels = f"{names.NTO_CONFIG}=true,{names.NODE_POOL}={scope.key.name}"
    found = await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=labels)
    return [Source(one["metadata"]["name"], _config(one)) for one in found]


def _config(config_map: Manifest) -> str:
    text: str = (config_map.get("data") or {}).get("config", "")
    return text


async def _api_proxy(scope: PoolScope) -> str:
    release = scope.wanted_release
    canonical = api_access.wants_canonical(scope.object, release.version)
    if canonical:
        await scope.annotate({names.CANONICAL_IMAGES: "true"})
    proxy = api_access.api_proxy(
        scope.hosted_cluster,
        scope.object,
        images=api_access.Images(dict(release.images)),
        kubeconfig=await _kubeconfig(scope),
        canonical=canonical,
    )
    return api_proxy.document(proxy)


async def _kubeconfig(scope: PoolScope) -> str | None:
    reference = kubeconfig_reference(scope.hosted_cluster)
    if not reference:
        return None
    found = await scope.kube.find(
        kinds.SECRET, reference["name"], scope.hosted_cluster["metadata"]["namespace"]
    )
    return secret_value(found, "kubeconfig").decode() if found else None


def kubeconfig_reference(hosted_cluster: Manifest) -> Manifest:
    """The Secret with the administrator's kubeconfig, empty while there is none."""
    reference: Manifest = (hosted_cluster.get("status") or {}).get("kubeconfig") or {}
    return reference
