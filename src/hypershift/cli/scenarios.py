"""Scenarios for measuring: a HostedControlPlane, a release and what exists, read from a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.api.values import EtcdManagementType, PlatformType
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import (
    Component,
    Infra,
    Management,
    View,
    component_status,
    edit,
    rendered,
    status_manifest,
    unchanged,
    unmet,
)
from hypershift.controlplane import (
    capi_provider,
    cluster_api,
    control_plane_operator,
    karpenter_operator,
)
from hypershift.kit import Manifest, TerminalError
from hypershift.kit.duration import format_duration, parse_duration
from hypershift.release import Product, Release

#: Objects that are measured alone, in cases of their own: component, kind and name.
PARTS = {
    "kube-scheduler-config": ("kube-scheduler", "ConfigMap", "kube-scheduler"),
    "openshift-controller-manager-config": (
        "openshift-controller-manager",
        "ConfigMap",
        "openshift-controller-manager-config",
    ),
    "openshift-route-controller-manager-config": (
        "openshift-route-controller-manager",
        "ConfigMap",
        "openshift-route-controller-manager-config",
    ),
    "azure-cloud-config": ("azure-cloud-controller-manager", "ConfigMap", "azure-cloud-config"),
    "gcp-cloud-config": ("gcp-cloud-controller-manager", "ConfigMap", "gcp-cloud-config"),
    "kubevirt-cloud-config": (
        "kubevirt-cloud-controller-manager",
        "ConfigMap",
        "kubevirt-cloud-config",
    ),
    "powervs-cloud-config": ("powervs-cloud-controller-manager", "ConfigMap", "ccm-config"),
    "aws-cloud-config": ("aws-cloud-controller-manager", "ConfigMap", "aws-cloud-config"),
}

#: Parts whose results carry the namespace of their case.
NAMESPACED = frozenset({"openshift-route-controller-manager-config"})

#: The components that the others of a scenario find running already.
EVERY_OTHER = "every other"
ETCD = "etcd"
#: Components that are measured by their objects alone: no status of theirs was recorded.
UNREPORTED = frozenset({"router"})
#: The default user of pods in a scenario that wants one.
DEFAULT_UID = 1001


class SelfNamed(Mapping[str, str]):
    """Images of which each is called by its own name, and every name exists."""

    def __getitem__(self, name: str) -> str:
        if not name:
            raise KeyError(name)
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def read_scenario(path: Path) -> Manifest:
    """Read a scenario's file."""
    scenario: Manifest = yaml.safe_load(path.read_text())
    return scenario


def operator_components(scenario: Manifest) -> Iterator[Component]:
    """The components of a scenario that the HyperShift operator deploys, by its options."""
    options: Manifest = scenario.get("options") or {}
    if found := options.get("control-plane-operator"):
        yield control_plane_operator.component(
            control_plane_operator.Options(
                image=found["image"],
                utilities=found["utilitiesImage"],
                has_utilities=found["hasUtilities"],
                feature_set=found["featureSet"],
                rotation_scale=format_duration(parse_duration(found["certRotationScale"])),
            )
        )
    if found := options.get("capi-provider"):
        yield capi_provider.component(
            capi_provider.Options(
                platform=PlatformType(found["platform"]),
                image=found["providerImage"],
                resource_controller=found.get("orcImage", ""),
                utilities=found["utilitiesImage"],
                version=found["payloadVersion"],
            )
        )
    if found := options.get("cluster-api"):
        yield cluster_api.component(cluster_api.Options(image=found["imageOverride"]))
    if found := options.get("karpenter-operator"):
        yield karpenter_operator.component(
            karpenter_operator.Options(
                hypershift_image=found["hypershiftOperatorImage"],
                control_plane_image=found["controlPlaneOperatorImage"],
            )
        )


def scenario_view(scenario: Manifest, component: str) -> View:
    """The view in which a scenario renders a component."""
    # No API server has completed it: what it lacks is empty, where a cluster would have defaults.
    plane = zeroed(HostedControlPlane, scenario["hostedControlPlane"])
    return View(
        plane=read(HostedControlPlane, plane),
        release=_release(scenario),
        user_release=_release(scenario),
        infra=_infra(scenario.get("infrastructureStatus") or {}),
        management=_management(scenario),
        objects=_objects(scenario, component),
    )


def scenario_objects(scenario: Manifest, component: Component) -> list[Manifest]:
    """What a component renders in a scenario, its ControlPlaneComponent last.

    Nothing runs in a scenario: the workload counts as just created. A cluster that asks for what
    cannot be has the reason in its ControlPlaneComponent, and nothing beside it.
    """
    view = scenario_view(scenario, component.name)
    waiting = unmet(component, view, _present(component, view))
    objects: list[Manifest] = []
    error = ""
    if not waiting:
        try:
            result = rendered(component, view)
        except TerminalError as failure:
            error = str(failure)
        else:
            # Of what the HyperShift operator deploys the workload alone was recorded.
            objects = result.all if component.owned else [result.workload]
            key = (result.workload["kind"], component.name)
            view = replace(view, objects={**view.objects, key: result.workload})
    if component.name in UNREPORTED:
        return objects
    status = component_status(component, view, waiting, error)
    return [*objects, status_manifest(status, view)]


def _present(component: Component, view: View) -> frozenset[str]:
    """What a component depends on and the cluster has; an etcd of the user's own is not ours."""
    own = view.spec.etcd.management_type == EtcdManagementType.UNMANAGED
    return frozenset({KUBE_APISERVER, *component.depends_on} - ({ETCD} if own else set()))


def part_objects(part: Manifest, components: Iterable[Component]) -> Iterator[tuple[str, Manifest]]:
    """The one object of a part in each of its cases; nothing for a part that we do not have."""
    name, kind, wanted = PARTS.get(part["part"], ("", "", ""))
    component = next((one for one in components if one.name == name), None)
    if component is None:
        return
    for case, details in part["cases"].items():
        hcp = edit.at(
            details["hostedControlPlane"],
            ("metadata",),
            lambda found: {"name": "", "namespace": "", **found},
        )
        release = {"version": "", "images": details.get("images") or {}}
        scenario = {"release": release, "hostedControlPlane": hcp, "objects": _told(details)}
        view = scenario_view(scenario, name)
        # A case that cannot be rendered has no object.
        # The workload of another cluster does not matter here, only the object itself.
        bare = replace(component, workload=replace(component.workload, adapt=unchanged))
        with suppress(TerminalError):
            for manifest in rendered(bare, view).manifests:
                if (manifest["kind"], manifest["metadata"]["name"]) == (kind, wanted):
                    keep = {"name": wanted}
                    if part["part"] in NAMESPACED:
                        keep["namespace"] = view.namespace
                    yield case, {**manifest, "metadata": keep}


def _told(details: Manifest) -> list[Manifest]:
    """The ConfigMaps of a case: feature gates and the guest's own configuration."""
    gates = [gate.split("=") for gate in details.get("featureGates") or ()]
    states = {
        state: [{"name": name} for name, on in gates if on == value]
        for state, value in (("enabled", "true"), ("disabled", "false"))
    }
    found = {"feature-gate": ("feature-gate.yaml", {"status": {"featureGates": [states]}})}
    if build := details.get("build"):
        found["observed-config-build"] = ("config", build)
    return [
        {"kind": "ConfigMap", "metadata": {"name": name}, "data": {key: json.dumps(document)}}
        for name, (key, document) in found.items()
    ]


def _release(scenario: Manifest) -> Release:
    release: Manifest = scenario["release"]
    return Release(
        version=release["version"],
        product=Product.OPENSHIFT,
        images=SelfNamed()
        if release.get("images") in (None, {}, "identity")
        else release["images"],
        image=scenario["hostedControlPlane"]["spec"].get("releaseImage", ""),
        components=release.get("componentVersions") or {},
        label=(release.get("releaseImageLabels") or {}).get("io.openshift.release", ""),
    )


def _infra(status: Manifest) -> Infra:
    return Infra(
        api_host=status.get("apiHost", ""),
        api_port=status.get("apiPort", 0),
        konnectivity_host=status.get("konnectivityHost", ""),
        konnectivity_port=status.get("konnectivityPort", 0),
        oauth_enabled=status.get("oauthEnabled", False),
        oauth_host=status.get("oauthHost", ""),
        oauth_port=status.get("oauthPort", 0),
        oauth_apiserver_address=status.get("oauthAPIServerHost", ""),
        openshift_apiserver_address=status.get("openShiftAPIHost", ""),
        packageserver_address=status.get("packageServerAPIAddress", ""),
        external_router_host=status.get("externalHCPRouterHost", ""),
        internal_router_host=status.get("internalHCPRouterHost", ""),
    )


def _management(scenario: Manifest) -> Management:
    operator: Manifest = scenario.get("operator") or {}
    environment: Manifest = scenario.get("environment") or {}
    return Management(
        uid=_uid(operator),
        restricted=False,
        native_sidecars=operator.get("nativeSidecarContainers", True),
        metrics_set=operator.get("metricsSet", ""),
        managed_service=environment.get("MANAGED_SERVICE", ""),
        rhobs=environment.get("RHOBS_MONITORING") == "1",
        metrics_access=operator.get("cvoManagementClusterMetricsAccess", False),
        prometheus_url=environment.get("CVO_PROMETHEUS_URL", ""),
        vault_reader=environment.get("ARO_HCP_KEY_VAULT_USER_CLIENT_ID", ""),
        certificate_scale=operator.get("certRotationScale") or "0s",
        registry_overrides=operator.get("registryOverrides") or {},
        image_mirrors=operator.get("openshiftImageRegistryOverrides") or {},
        proxy=environment,
    )


def _uid(operator: Manifest) -> int | None:
    if not operator.get("setDefaultSecurityContext"):
        return None
    return int(operator.get("defaultSecurityContextUID") or DEFAULT_UID)


def _objects(scenario: Manifest, component: str) -> dict[tuple[str, str], Manifest]:
    found = {(o["kind"], o["metadata"]["name"]): o for o in scenario.get("objects") or ()}
    available: Manifest = scenario.get("availableComponents") or {}
    lists: dict[str, list[str]] = available.get("for") or {}
    for name in lists.get(component, lists.get(EVERY_OTHER, [])):
        found["ControlPlaneComponent", name] = _running(name, available)
    return found


def _running(name: str, available: Manifest) -> Manifest:
    facts: dict[str, Any] = available.get("conditions") or {}
    conditions = [{"type": kind, "status": status} for kind, status in facts.items()]
    status = {"version": available.get("version", ""), "conditions": conditions}
    return {"kind": "ControlPlaneComponent", "metadata": {"name": name}, "status": status}
