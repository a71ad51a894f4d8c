"""hosted-cluster-config-operator: reconciles our objects inside the guest."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hypershift.api.values import Capability
from hypershift.component import Asset, Component, View, edit, monitoring, traits, with_proxy
from hypershift.kit import Manifest

NAME = "hosted-cluster-config-operator"

#: APIs that the guest serves before the operator can write to them.
CONFIG = (
    *("Infrastructure", "DNS", "Ingress", "Network", "Proxy", "Build", "Image", "Project"),
    *("ClusterVersion", "FeatureGate", "ClusterOperator", "OperatorHub"),
)
OPERATOR = ("Network", "CloudCredential", "Storage", "CSISnapshotController", "ClusterCSIDriver")
#: The controllers that run where the provider does the rest.
FEWER = "controller-manager-ca,resources,inplaceupgrader,drainer,hcpstatus"


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield from ("--platform-type", view.platform)
    yield "--enable-ci-debug-output=false"
    yield f"--hosted-control-plane={view.name}"
    yield f"--konnectivity-address={view.infra.konnectivity_host}"
    yield f"--konnectivity-port={view.infra.konnectivity_port}"
    yield f"--oauth-address={view.infra.oauth_host}"
    yield f"--oauth-port={view.infra.oauth_port}"
    yield from ("--registry-overrides", view.management.overrides_flag)
    if view.cloud.published_by_provider:
        yield f"--controllers={FEWER}"


def variables(view: View) -> Iterator[tuple[str, str]]:
    """Yield the variables that follow the cluster: the guest's release, not the control plane's."""
    yield "OPENSHIFT_RELEASE_VERSION", view.user_release.version
    yield "KUBERNETES_VERSION", view.user_release.components.get("kubernetes", "")
    yield "OPERATE_ON_RELEASE_IMAGE", view.spec.release_image
    yield "OPENSHIFT_IMG_OVERRIDES", view.management.mirrors_flag
    yield "HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE", traits.image_of(view, NAME)
    if view.management.managed_service:
        yield "MANAGED_SERVICE", view.management.managed_service


def deployment(view: View, manifest: Manifest) -> Manifest:
    more = list(flags(view))
    manifest = edit.change_container(
        manifest, NAME, lambda found: {**found, "command": [*found["command"], *more]}
    )
    manifest = edit.set_env(manifest, NAME, dict(variables(view)))
    return with_proxy(view, manifest, NAME)


#: Rights to publish the guest in the cluster around it, and to follow its machines.
READS, WRITES = ("get", "list", "watch"), ("create", "get", "patch", "update", "list", "watch")
NESTED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("route.openshift.io", ("routes",), WRITES),
    ("route.openshift.io", ("routes/custom-host",), ("create",)),
    (
        "discovery.k8s.io",
        ("endpointslices", "endpointslices/restricted"),
        ("delete", *WRITES),
    ),
    ("kubevirt.io", ("virtualmachines",), READS),
    ("kubevirt.io", ("virtualmachines/finalizers",), ("update",)),
    ("", ("services",), WRITES),
)


def role(view: View, manifest: Manifest) -> Manifest:
    """More rights where the guest is nested in another cluster; its Routes come last."""
    if not view.cloud.nested:
        return manifest
    more = [
        {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
        for group, resources, verbs in NESTED
    ]
    *rules, last = manifest["rules"]
    return {**manifest, "rules": [*rules, *more, last]}


@dataclass(frozen=True, slots=True)
class AwaitApis:
    """Wait for the APIs that this cluster has: some of them are optional."""

    def apply(self, view: View, pod: Manifest) -> Manifest:
        apis = [("imageregistry.operator.openshift.io", "v1", "Config")]
        apis += [("config.openshift.io", "v1", kind) for kind in CONFIG]
        apis += [("operator.openshift.io", "v1", kind) for kind in OPERATOR]
        if view.has_capability(Capability.INGRESS):
            apis.append(("operator.openshift.io", "v1", "IngressController"))
        return traits.AwaitApiServer("kubeconfig", tuple(apis)).apply(view, pod)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("podmonitor.yaml", adapt=monitoring.monitor),
        Asset("role.yaml", adapt=role),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    after_hash=(AwaitApis(),),
    management_access=True,
)
