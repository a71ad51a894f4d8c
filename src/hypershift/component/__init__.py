"""The declarative framework of control plane components: declare, render, bring about, report."""

from hypershift.component import (
    audit,
    disruption,
    edit,
    etcd_client,
    kubeconfig,
    monitoring,
    observed,
    traits,
    trust,
    vault,
)
from hypershift.component.component import (
    Adapter,
    Asset,
    Component,
    Predicate,
    Starts,
    Tier,
    Trait,
    always,
    on_platform,
)
from hypershift.component.driver import (
    VIEWED,
    Versions,
    apply_components,
    reconcile,
    remove,
    runs,
    versions,
    with_objects,
)
from hypershift.component.infra import Infra, Management
from hypershift.component.proxy import with_proxy
from hypershift.component.render import Rendered, images, render, rendered
from hypershift.component.rollout import default_replicas, wanted_replicas
from hypershift.component.status import (
    ComponentStatus,
    component_status,
    dependencies,
    rolled_out,
    status_manifest,
    unmet,
)
from hypershift.component.tls import TlsProfile
from hypershift.component.view import View
from hypershift.kit.names import fnv1, fnv1a

__all__ = [
    "VIEWED",
    "Adapter",
    "Asset",
    "Component",
    "ComponentStatus",
    "Infra",
    "Management",
    "Predicate",
    "Rendered",
    "Starts",
    "Tier",
    "TlsProfile",
    "Trait",
    "Versions",
    "View",
    "always",
    "apply_components",
    "audit",
    "component_status",
    "default_replicas",
    "dependencies",
    "disruption",
    "edit",
    "etcd_client",
    "fnv1",
    "fnv1a",
    "images",
    "kubeconfig",
    "monitoring",
    "observed",
    "on_platform",
    "reconcile",
    "remove",
    "render",
    "rendered",
    "rolled_out",
    "runs",
    "status_manifest",
    "traits",
    "trust",
    "unmet",
    "vault",
    "versions",
    "wanted_replicas",
    "with_objects",
    "with_proxy",
]
