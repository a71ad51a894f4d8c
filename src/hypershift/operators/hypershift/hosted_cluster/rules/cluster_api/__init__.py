"""Cluster API's manager as a Deployment of a control plane namespace: Dedicated mode.

It watches its own namespace and has rights there alone, so that nothing outside of it connects to
the hosted API on behalf of machines.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.well_known import CLUSTER_API_PROVIDER
from hypershift.kit import Manifest, labels_of
from hypershift.kit.assets import asset
from hypershift.operators.hypershift.hosted_cluster.rules.cluster_api.placing import (
    Manager,
    placed,
    scheduled,
)
from hypershift.pki import TEN_YEARS, Leaf, new_authority
from hypershift.platforms import platform_named
from hypershift.release import Product, Release

NAME = "cluster-api"
CERTIFICATES = "capi-webhooks-tls"
LEASE = "controller-leader-election-capi"
#: Selects the Deployments of Cluster API managers that serve more than one hosted cluster.
SELECTOR = "=".join(CLUSTER_API_PROVIDER)
_TEMPLATES = "machinetemplates"
_WATCHES_LESS = ("--watch-filter=", "--namespace=")
#: Flags by the first OpenShift release whose manager knows them; Kubernetes payloads know all.
_FLAGS_SINCE = {
    (4, 19): ("--feature-gates=MachineSetPreflightChecks=false",),
    (4, 20): ("--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",),
}
_DIAGNOSTICS = ("--diagnostics-address=127.0.0.1:8080", "--insecure-diagnostics=true")


def is_needed(spec: HostedClusterSpec) -> bool:
    """Whether Cluster API makes the machines of a cluster's platform."""
    return platform_named(spec.platform.type).pools.machines is not None


def flags(release: Release | None) -> tuple[str, ...]:
    """The flags that the manager of a release knows."""
    if release is None or release.product is Product.KUBERNETES:
        return (*(each for some in _FLAGS_SINCE.values() for each in some), *_DIAGNOSTICS)
    major, minor = (int(part) for part in release.version.split(".")[:2])
    known = (some for since, some in _FLAGS_SINCE.items() if (major, minor) >= since)
    return tuple(each for some in known for each in some)


def manifests(wanted: Manager) -> list[Manifest]:
    """Every object of the manager but its certificates, in the order in which it is written."""
    return [_edited(wanted, manifest) for manifest in asset(__package__, NAME)]


def certificates(namespace: str, now: datetime) -> Manifest:
    """Certificate and key that the manager's webhook server requires; no program calls it."""
    host = f"capi-webhooks.{namespace}.svc"
    ca = new_authority("capi-webhooks", now)
    pair = ca.issue(Leaf(host, dns_names=frozenset({host}), validity=TEN_YEARS), now)
    data = {"tls.crt": pair.certificate, "tls.key": pair.key.reveal()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": CERTIFICATES, "namespace": namespace},
        "type": "kubernetes.io/tls",
        "data": {name: b64encode(value).decode() for name, value in data.items()},
    }


def cluster_role() -> Manifest:
    """What every manager may read of the whole cluster."""
    (manifest,) = asset(__package__, "cluster-role")
    return manifest


def watches_everything(deployments: Iterable[Manifest]) -> Iterator[Manifest]:
    """The Cluster API managers that reconcile every namespace.

    Such a manager reconciles Dedicated clusters too: a second one would make machines twice.
    """
    return (each for each in deployments if is_manager(each) and not _is_limited(each))


def is_manager(deployment: Manifest) -> bool:
    """Whether a Deployment is a manager of Cluster API's core, ours or another's."""
    name, value = CLUSTER_API_PROVIDER
    return labels_of(deployment).get(name) == value


def _is_limited(deployment: Manifest) -> bool:
    containers = deployment["spec"]["template"]["spec"]["containers"]
    words = (word for one in containers for word in (*one.get("command", ()), *one.get("args", ())))
    return any(word.startswith(_WATCHES_LESS) and not word.endswith("=") for word in words)


def _edited(wanted: Manager, manifest: Manifest) -> Manifest:
    manifest = placed(wanted, manifest)
    edit = _EDITS.get(manifest["kind"])
    return edit(wanted, manifest) if edit else manifest


def _role(wanted: Manager, manifest: Manifest) -> Manifest:
    """Add the platform's kinds: machines are made from its templates."""
    machines = platform_named(wanted.spec.platform.type).pools.machines
    if machines is None:
        return manifest
    stem = machines.resource.plural.removesuffix(_TEMPLATES)
    rule = {
        "apiGroups": [machines.resource.group],
        "resources": [f"{stem}clusters", f"{stem}machines", f"{stem}{_TEMPLATES}"],
        "verbs": ["get", "list", "watch", "create", "patch", "update", "delete"],
    }
    manifest["rules"].append(rule)
    return manifest


def _deployment(wanted: Manager, manifest: Manifest) -> Manifest:
    pod: dict[str, Any] = manifest["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    container["image"] = wanted.image
    container["args"] += wanted.flags
    scheduled(wanted, pod)
    return manifest


_EDITS: dict[str, Callable[[Manager, Manifest], Manifest]] = {
    "Deployment": _deployment,
    "Role": _role,
}

__all__ = [
    "CERTIFICATES",
    "LEASE",
    "NAME",
    "SELECTOR",
    "Manager",
    "certificates",
    "cluster_role",
    "flags",
    "is_manager",
    "is_needed",
    "manifests",
    "watches_everything",
]
