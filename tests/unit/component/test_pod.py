"""Every pod of a control plane gets the same defaults."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.component.clusters import NAMESPACE, a_view, container

from hypershift.component import Component, Management, View, render
from hypershift.component.traits import namespace_uid
from hypershift.controlplane import (
    dns_operator,
    konnectivity_agent,
    kube_apiserver,
    kube_controller_manager,
    kube_scheduler,
)
from hypershift.kit import InvalidSpec, Manifest
from hypershift.release import Product

SCHEDULER = kube_scheduler.KUBERNETES
WITH_SCC = Management()


def workload(view: View, component: Component = SCHEDULER) -> Manifest:
    return render(component, view)[-1]


def pod(view: View, component: Component = SCHEDULER) -> Manifest:
    template: Manifest = workload(view, component)["spec"]["template"]
    return template


def test_the_pod_says_whose_it_is() -> None:
    assert pod(a_view())["metadata"]["labels"] == {
        "app": "kube-scheduler",
        "hypershift.openshift.io/control-plane-component": "kube-scheduler",
        "hypershift.openshift.io/hosted-control-plane": NAMESPACE,
    }


def test_the_clusters_own_labels_reach_the_pod() -> None:
    assert pod(a_view(labels={"team": "blue"}))["metadata"]["labels"]["team"] == "blue"


def test_a_new_restart_date_changes_the_pod() -> None:
    restarted = pod(a_view(annotations={"restart-date": "2026-01-02T03:04:05Z"}))
    annotations = restarted["metadata"]["annotations"]
    assert annotations["hypershift.openshift.io/restart-date"] == "2026-01-02T03:04:05Z"


def test_without_scc_the_pod_passes_restricted_pod_security() -> None:
    spec = pod(a_view())["spec"]
    context = spec["securityContext"]
    assert context["runAsNonRoot"] is True
    assert context["runAsUser"] == context["fsGroup"] == 1_000_000_123
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    for one in spec["containers"]:
        assert one["securityContext"]["allowPrivilegeEscalation"] is False
        assert one["securityContext"]["capabilities"] == {"drop": ["ALL"]}


def test_with_scc_the_pod_leaves_its_user_to_it() -> None:
    spec = pod(a_view(management=WITH_SCC))["spec"]
    assert "securityContext" not in spec
    assert spec["containers"][0]["securityContext"] == {"readOnlyRootFilesystem": True}


def test_namespaces_get_users_of_their_own() -> None:
    assert namespace_uid("clusters-a") == namespace_uid("clusters-a")
    assert namespace_uid("clusters-a") != namespace_uid("clusters-b")
    assert 1_000_000_000 <= namespace_uid("clusters-a") < 2_000_000_000


def test_no_container_may_bring_a_privilege() -> None:
    def greedy(view: View, manifest: Manifest) -> Manifest:
        adapted = SCHEDULER.workload.adapt(view, manifest)
        main = adapted["spec"]["template"]["spec"]["containers"][0]
        main["securityContext"] = {"capabilities": {"add": ["SYS_ADMIN"]}}
        return adapted

    component = replace(SCHEDULER, workload=replace(SCHEDULER.workload, adapt=greedy))
    with pytest.raises(InvalidSpec, match="SYS_ADMIN"):
        render(component, a_view())


def test_tolerations_and_node_selectors_of_the_cluster_are_honoured() -> None:
    extra = {"key": "a", "operator": "Exists"}
    spec = pod(a_view(tolerations=[extra], nodeSelector={"role": "cp"}))["spec"]
    assert spec["tolerations"][-1] == extra
    assert len(spec["tolerations"]) == 3
    assert spec["nodeSelector"] == {"role": "cp"}


def test_isolated_request_serving_pods_require_their_own_nodes() -> None:
    view = a_view(
        annotations={
            "topology": "dedicated-request-serving-components",
            "request-serving-node-additional-selector": "size=small,half=,=,size=large",
        },
        controllerAvailabilityPolicy="HighlyAvailable",
    )
    found = workload(view, kube_apiserver.KUBERNETES)
    assert found["spec"]["replicas"] == 2
    affinity = found["spec"]["template"]["spec"]["affinity"]["nodeAffinity"]
    required = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
    terms = required["nodeSelectorTerms"][0]["matchExpressions"]
    assert [term["key"].rpartition("/")[2] for term in terms] == [
        "request-serving-component",
        "cluster",
        "size",
    ]
    assert terms[-1]["values"] == ["large"]


@pytest.mark.parametrize(
    ("policy", "component", "replicas", "strategy"),
    [
        ("SingleReplica", SCHEDULER, 1, None),
        ("HighlyAvailable", SCHEDULER, 2, (1, 0)),
        ("HighlyAvailable", kube_apiserver.KUBERNETES, 3, (0, 1)),
    ],
)
def test_replicas_follow_the_availability_policy(
    policy: str, component: Component, replicas: int, strategy: tuple[int, int] | None
) -> None:
    spec = workload(a_view(controllerAvailabilityPolicy=policy), component)["spec"]
    assert spec["replicas"] == replicas
    rolling = spec.get("strategy", {}).get("rollingUpdate")
    found = (rolling["maxSurge"], rolling["maxUnavailable"]) if rolling else None
    assert found == strategy


@pytest.mark.parametrize(
    ("component", "surge", "unavailable"),
    [
        (kube_apiserver.OPENSHIFT, "25%", "25%"),
        (kube_controller_manager.OPENSHIFT, 3, 1),
        (kube_scheduler.OPENSHIFT, 3, 1),
        (konnectivity_agent.OPENSHIFT, "25%", "25%"),
    ],
)
def test_a_single_replica_of_openshift_rolls_as_its_manifest_says(
    component: Component, surge: int | str, unavailable: int | str
) -> None:
    assert workload(a_view(product=Product.OPENSHIFT), component)["spec"]["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable},
    }


def test_replicas_are_kept_apart_when_there_are_several() -> None:
    spec = pod(a_view(controllerAvailabilityPolicy="HighlyAvailable"))["spec"]
    terms = spec["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert [term["topologyKey"] for term in terms] == [
        "topology.kubernetes.io/zone",
        "kubernetes.io/hostname",
    ]
    assert "podAntiAffinity" not in pod(a_view())["spec"]["affinity"]


@pytest.mark.parametrize("component", [SCHEDULER, dns_operator.OPENSHIFT])
def test_a_debugged_component_keeps_the_pods_that_it_had(component: Component) -> None:
    several: dict[str, Any] = {"controllerAvailabilityPolicy": "HighlyAvailable"}
    before = workload(a_view(**several), component)
    marked = a_view(annotations={"debug-deployments": component.name}, **several)
    debugged = workload(marked, component)
    assert debugged["spec"]["replicas"] == 0
    assert debugged["spec"]["template"] == before["spec"]["template"]


def test_a_debugged_component_is_scaled_to_nothing() -> None:
    view = a_view(annotations={"debug-deployments": "kube-scheduler, other"})
    assert workload(view)["spec"]["replicas"] == 0


def test_requests_that_were_tuned_on_the_live_object_stay() -> None:
    live = workload(a_view())
    tuned: dict[str, Any] = {"requests": {"cpu": "3"}}
    live["spec"]["template"]["spec"]["containers"][0]["resources"] = tuned
    view = a_view(objects={("Deployment", "kube-scheduler"): live})
    assert container(workload(view), "kube-scheduler")["resources"] == tuned


@pytest.mark.parametrize("resources", [{"requests": {"cpu": "7m"}}, {}])
def test_requests_that_were_tuned_from_outside_stay(resources: Manifest) -> None:
    running = workload(a_view())
    running["spec"]["template"]["spec"]["containers"][0]["resources"] = resources
    found = pod(a_view(objects={("Deployment", "kube-scheduler"): running}))
    assert found["spec"]["containers"][0]["resources"] == resources


def test_an_annotation_overrides_a_containers_requests() -> None:
    name = "resource-request-override.hypershift.openshift.io/kube-scheduler.kube-scheduler"
    view = a_view(annotations={name: "cpu=2000m, memory=1Gi,ephemeral-storage=plenty,pods"})
    requests = container(workload(view), "kube-scheduler")["resources"]["requests"]
    assert requests == {"cpu": "2", "memory": "1Gi"}


def test_a_rotated_client_certificate_does_not_roll_what_rereads_it() -> None:
    view = a_view()
    rotated = {"kind": "Secret", "data": {"tls.crt": "bmV3", "tls.key": "bmV3"}}
    changed = a_view(objects={("Secret", "kube-scheduler-client"): rotated})
    assert pod(view) == pod(changed)


def test_a_changed_configuration_rolls_the_pods() -> None:
    changed = a_view(configuration={"scheduler": {"profile": "NoScoring"}})
    assert pod(a_view())["metadata"] != pod(changed)["metadata"]


@pytest.mark.parametrize(
    ("annotation", "component", "name"),
    [
        ("control-plane-priority-class", SCHEDULER, "hypershift-control-plane"),
        ("api-critical-priority-class", kube_apiserver.KUBERNETES, "hypershift-api-critical"),
    ],
)
def test_priority_classes_can_be_replaced(annotation: str, component: Component, name: str) -> None:
    assert pod(a_view(), component)["spec"]["priorityClassName"] == name
    view = a_view(annotations={annotation: "mine"})
    assert pod(view, component)["spec"]["priorityClassName"] == "mine"
