"""A cloud's Cluster API provider as a Deployment of a control plane namespace."""

from typing import Any

from hypershift.kit import Manifest
from hypershift.kit.assets import asset
from hypershift.operators.hypershift.hosted_cluster.rules.cluster_api.placing import (
    Manager,
    placed,
    scheduled,
)
from hypershift.platforms import Provider

NAME = "capi-provider"
#: The default security context of a container.
RESTRICTED = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}


def manifests(wanted: Manager, provider: Provider) -> list[Manifest]:
    """Every object of the provider, in the order in which it is written."""
    return [_edited(wanted, provider, manifest) for manifest in asset(__package__, NAME)]


def _edited(wanted: Manager, provider: Provider, manifest: Manifest) -> Manifest:
    manifest = placed(wanted, manifest)
    if manifest["kind"] == "Role":
        manifest["rules"] += provider.rules
    if manifest["kind"] == "Deployment":
        template = manifest["spec"]["template"]
        template["spec"] = _pod(wanted, template["spec"], provider.pod)
    return manifest


def _pod(wanted: Manager, common: dict[str, Any], own: Manifest) -> dict[str, Any]:
    pod = {**common, **own}
    for name in ("initContainers", "containers"):
        if containers := pod.get(name):
            pod[name] = [{"securityContext": RESTRICTED, **each} for each in containers]
    scheduled(wanted, pod)
    return pod
