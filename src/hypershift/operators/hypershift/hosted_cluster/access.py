"""Publish the control plane's credentials to the user who declared the cluster."""

from hypershift.api.meta import LocalObjectReference, SecretKeyReference
from hypershift.kit import Manifest, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.release import Capability

KUBECONFIG, PASSWORD = "kubeconfig", "password"
#: What is copied stands under one of these.
KEYS = frozenset({KUBECONFIG, PASSWORD})


async def publish_access(scope: ClusterScope) -> None:
    """Copy kubeconfigs and password; remove what the control plane no longer reports.

    The administrator's kubeconfig stays: who has it should not lose it over a hiccup.
    """
    status = scope.control_plane_status
    name = scope.key.name
    labels = labels_of(scope.object)
    await _publish(scope, status.kube_config, names.admin_kubeconfig(name), KUBECONFIG, labels)
    custom = names.custom_admin_kubeconfig(name)
    if scope.operator.can(Capability.CUSTOM_KUBECONFIG):
        await _publish(scope, status.custom_kubeconfig, custom, KUBECONFIG, labels)
    await _publish(scope, status.kubeadmin_password, names.kubeadmin_password(name), PASSWORD, {})
    await tell_access(scope)


async def tell_access(scope: ClusterScope) -> None:
    """Name in the status what a user finds beside the cluster."""
    named = {
        "kubeconfig": names.admin_kubeconfig(scope.key.name),
        "customKubeconfig": names.custom_admin_kubeconfig(scope.key.name),
        "kubeadminPassword": names.kubeadmin_password(scope.key.name),
    }
    configuration = scope.wanted.configuration
    unwanted = {
        "customKubeconfig": not scope.wanted.kube_api_server_dns_name,
        "kubeadminPassword": configuration is not None and configuration.oauth is not None,
    }
    for field, name in named.items():
        found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        if found and not unwanted.get(field):
            scope.status[field] = {"name": name}
        elif field in unwanted:  # the first one was there once and will be again
            scope.status.pop(field, None)


async def _publish(
    scope: ClusterScope,
    reference: LocalObjectReference | SecretKeyReference | None,
    name: str,
    key: str,
    labels: dict[str, str],
) -> None:
    if not reference or not reference.name:
        kept = name == names.admin_kubeconfig(scope.key.name) or not scope.control_plane
        if not kept and await scope.kube.find(kinds.SECRET, name, scope.key.namespace):
            await scope.kube.delete(kinds.SECRET, name, scope.key.namespace)
        return
    source = await scope.kube.find(kinds.SECRET, reference.name, scope.namespace)
    value = ((source or {}).get("data") or {}).get(getattr(reference, "key", "") or key)
    if value:
        await scope.kube.apply(_secret(scope, name, {key: value}, labels))


def _secret(
    scope: ClusterScope, name: str, data: dict[str, str], labels: dict[str, str]
) -> Manifest:
    return scope.marked(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": name,
                "namespace": scope.key.namespace,
                "labels": dict(labels),
                "ownerReferences": [scope.owner_reference()],
            },
            "type": "Opaque",
            "data": data,
        }
    )
