"""OpenShift's operators beside the control plane: what follows the cluster in each."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.component.clusters import a_view

from hypershift.api import annotations as marked
from hypershift.component import Management, View, component_status, edit, render
from hypershift.controlplane import (
    aws_node_termination_handler,
    azure_cloud_controller_manager,
    cluster_image_registry_operator,
    cluster_network_operator,
    cluster_node_tuning_operator,
    cluster_storage_operator,
    csi_snapshot_controller_operator,
    kubevirt_csi_controller,
    oauth_openshift,
    olm_catalogs,
    olm_collect_profiles,
    openstack_cloud_controller_manager,
    packageserver,
)
from hypershift.kit import InvalidSpec, Manifest
from hypershift.release import Product, Release, catalogs

AWS: dict[str, Any] = {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": "Public"}}
DIGEST = "registry.example/index@sha256:" + "0" * 64


def a_cluster(**changes: Any) -> View:
    found: dict[str, Any] = {"management": Management(), "platform": AWS} | changes
    return a_view(product=Product.OPENSHIFT, **found)


def annotated(**marks: str) -> View:
    return a_cluster(annotations={getattr(marked, name): value for name, value in marks.items()})


def workload(objects: list[Manifest]) -> Manifest:
    return objects[-1]


def variables(manifest: Manifest, container: int = 0) -> dict[str, str]:
    env = edit.pod_of(manifest)["spec"]["containers"][container]["env"]
    return {one["name"]: one.get("value", "") for one in env}


def test_catalogs_run_here_unless_they_run_in_the_guest_or_are_switched_off() -> None:
    hub = {"operatorhub": {"disableAllDefaultSources": True}}
    beside = {"olmCatalogPlacement": "management"}
    assert olm_catalogs.wanted(a_cluster(**beside))
    assert not olm_catalogs.wanted(a_cluster(olmCatalogPlacement="guest"))
    assert not olm_catalogs.wanted(a_cluster(**beside, configuration=hub))


def test_one_replaced_catalog_is_refused_until_all_three_are() -> None:
    view = annotated(REDHAT_OPERATORS_CATALOG_IMAGE=DIGEST)
    with pytest.raises(InvalidSpec, match="all the values for the 3 default catalogs"):
        olm_catalogs.overrides(view)


def test_a_catalog_by_tag_is_refused() -> None:
    view = annotated(REDHAT_OPERATORS_CATALOG_IMAGE="registry.example/index:v4")
    with pytest.raises(InvalidSpec, match="only by digest"):
        olm_catalogs.overrides(view)


def test_replaced_catalogs_follow_no_image_stream() -> None:
    view = annotated(
        REDHAT_OPERATORS_CATALOG_IMAGE=DIGEST,
        COMMUNITY_OPERATORS_CATALOG_IMAGE=DIGEST,
        CERTIFIED_OPERATORS_CATALOG_IMAGE=DIGEST,
    )
    objects = render(olm_catalogs.REDHAT, view)
    assert "ImageStream" not in {found["kind"] for found in objects}
    assert olm_catalogs.TRIGGERS not in workload(objects)["metadata"]["annotations"]
    assert edit.pod_of(workload(objects))["spec"]["containers"][0]["image"] == DIGEST


def test_the_image_that_a_trigger_set_stays() -> None:
    view = a_cluster()
    live = workload(render(olm_catalogs.REDHAT, view))
    live = edit.set_image(live, "registry", DIGEST)
    view = replace(view, objects={("Deployment", "redhat-operators-catalog"): live})
    pod = edit.pod_of(workload(render(olm_catalogs.REDHAT, view)))
    assert pod["spec"]["containers"][0]["image"] == DIGEST


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("", "registry.redhat.io/redhat"),
        ("registry.redhat.io=mirror.example", "mirror.example/redhat"),
        ("registry.redhat.io/redhat=mirror.example/own", "mirror.example/own"),
    ],
)
def test_indexes_come_from_the_mirror_that_the_annotation_names(told: str, expected: str) -> None:
    assert catalogs.registry(told) == expected


def test_storage_gets_the_drivers_of_nodes_from_the_guests_release() -> None:
    view = a_cluster()
    images = {"aws-ebs-csi-driver": "own", "csi-external-provisioner": "own"}
    view = replace(
        view,
        release=Release("4.18.0", Product.OPENSHIFT, images),
        user_release=Release("4.17.9", Product.OPENSHIFT, dict.fromkeys(images, "guest")),
    )
    found = variables(workload(render(cluster_storage_operator.OPENSHIFT, view)))
    assert found["AWS_EBS_DRIVER_IMAGE"] == "guest"
    assert found["AWS_EBS_DRIVER_CONTROL_PLANE_IMAGE"] == "own"
    assert found["PROVISIONER_IMAGE"] == "own"
    assert found["OPERAND_IMAGE_VERSION"] == "4.17.9"


def test_a_disabled_capability_has_no_operator() -> None:
    view = a_cluster(capabilities={"disabled": ["ImageRegistry", "NodeTuning"]})
    assert not cluster_image_registry_operator.OPENSHIFT.when(view)
    assert not cluster_node_tuning_operator.OPENSHIFT.when(view)
    assert cluster_image_registry_operator.OPENSHIFT.when(a_cluster())


@pytest.mark.parametrize("kind", ["IBMCloud", "PowerVS"])
def test_storage_of_ibms_clouds_is_the_guests_own_business(kind: str) -> None:
    view = a_cluster(platform={"type": kind})
    assert not cluster_storage_operator.OPENSHIFT.when(view)
    assert not csi_snapshot_controller_operator.OPENSHIFT.when(view)


def test_two_package_servers_are_enough_on_ibms_cloud() -> None:
    view = a_cluster(platform={"type": "IBMCloud"}, controllerAvailabilityPolicy="HighlyAvailable")
    assert workload(render(packageserver.OPENSHIFT, view))["spec"]["replicas"] == 2
    view = a_cluster(controllerAvailabilityPolicy="HighlyAvailable")
    assert workload(render(packageserver.OPENSHIFT, view))["spec"]["replicas"] == 3


def test_nodes_of_a_private_cluster_find_the_api_in_its_zone() -> None:
    private = {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": "Private"}}
    found = dict(cluster_network_operator.variables(a_cluster(platform=private)))
    assert found["APISERVER_OVERRIDE_HOST"] == "api.demo.hypershift.local"
    assert "PROXY_INTERNAL_APISERVER_ADDRESS" not in found


def test_an_operator_is_not_rolled_out_before_its_operand() -> None:
    component = csi_snapshot_controller_operator.OPENSHIFT
    view = a_cluster()
    status = {"replicas": 1, "readyReplicas": 1, "updatedReplicas": 1, "availableReplicas": 1}
    live = {**workload(render(component, view)), "status": status}
    view = replace(view, objects={("Deployment", component.name): live})
    assert component_status(component, view).rollout.reason == "WaitingForOperands"
    operand = {"metadata": {}, "spec": {"replicas": 1}, "status": status}
    objects = {**view.objects, ("Deployment", "csi-snapshot-controller"): operand}
    assert component_status(component, replace(view, objects=objects)).rollout.is_true


def test_profiles_are_collected_once_a_day_at_a_time_of_the_clusters_own() -> None:
    schedule = workload(render(olm_collect_profiles.OPENSHIFT, a_cluster()))["spec"]["schedule"]
    minute, hour, *rest = schedule.split()
    assert 0 <= int(minute) < 60
    assert 0 <= int(hour) < 24
    assert rest == ["*", "*", "*"]


def test_the_termination_handler_needs_a_queue() -> None:
    assert not aws_node_termination_handler.wanted(a_cluster())


def test_an_azure_network_that_is_no_resource_id_is_refused() -> None:
    azure = {
        "azureAuthenticationConfig": {"azureAuthenticationConfigType": "WorkloadIdentities"},
        "location": "westeurope",
        "securityGroupID": "nsg",
        "subnetID": "subnet",
        "subscriptionID": "s",
        "tenantID": "t",
        "vnetID": "vnet",
    }
    view = a_cluster(platform={"type": "Azure", "azure": azure})
    with pytest.raises(InvalidSpec, match="is no resource id"):
        azure_cloud_controller_manager.common(view)


def test_openstack_without_its_credentials_is_refused() -> None:
    openstack = {"identityRef": {"cloudName": "demo", "name": "clouds"}}
    view = a_cluster(platform={"type": "OpenStack", "openstack": openstack})
    with pytest.raises(InvalidSpec, match="no Secret clouds"):
        openstack_cloud_controller_manager.trust(view)


def test_listed_storage_classes_alone_are_allowed() -> None:
    mapping = {"guestStorageClassName": "a", "infraStorageClassName": "ceph", "group": "g"}
    storage = {"type": "Manual", "manual": {"storageClassMapping": [mapping]}}
    view = a_cluster(platform={"type": "KubeVirt", "kubevirt": {"storageDriver": storage}})
    text = kubevirt_csi_controller.enforcement(kubevirt_csi_controller.driver(view))
    assert text.startswith("allowAll: false\nallowList: [ceph]\n")
    assert kubevirt_csi_controller.wanted(view)


def test_a_way_to_the_cloud_beside_the_guest_takes_the_management_cluster_s_proxy() -> None:
    told = {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": ".svc"}
    view = replace(a_cluster(), management=Management(proxy=told))
    pod = edit.pod_of(workload(render(oauth_openshift.OPENSHIFT, view)))["spec"]
    (found,) = (one for one in pod["containers"] if one["name"] == "konnectivity-proxy-https")
    env = {one["name"]: one["value"] for one in found["env"]}
    assert env["HTTPS_PROXY"] == told["HTTPS_PROXY"]
    assert env["NO_PROXY"] == ".svc,kube-apiserver"
