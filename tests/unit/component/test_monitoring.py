"""Monitors and budgets follow the cluster."""

from tests.unit.component.clusters import NAMESPACE, a_view

from hypershift.component import Management, disruption, monitoring, render
from hypershift.controlplane import kube_controller_manager, kube_scheduler

EVERYTHING = Management()


def test_samples_are_marked_with_the_clusters_id() -> None:
    found = render(kube_scheduler.KUBERNETES, a_view(management=EVERYTHING))
    monitor = next(one for one in found if one["kind"] == "ServiceMonitor")
    endpoint = monitor["spec"]["endpoints"][0]
    assert endpoint["relabelings"][0]["replacement"].startswith("5ae8a1f2")
    assert monitor["spec"]["namespaceSelector"] == {"matchNames": [NAMESPACE]}


def test_dropped_metrics_are_named() -> None:
    assert monitoring.dropped("a", "b")[1] == {
        "action": "drop",
        "regex": "b",
        "sourceLabels": ["__name__"],
    }


def test_a_single_replica_is_kept_and_of_several_one_may_go() -> None:
    manifest = disruption.asset("etcd").stub
    assert manifest is not None
    single = disruption.budget(a_view(), manifest)["spec"]
    several = disruption.budget(a_view(controllerAvailabilityPolicy="HighlyAvailable"), manifest)[
        "spec"
    ]
    assert single["minAvailable"] == 1
    assert several["maxUnavailable"] == 1
    assert single["unhealthyPodEvictionPolicy"] == "AlwaysAllow"


def endpoints(metrics_set: str, config: str = "") -> list[list[str]]:
    """What each endpoint's relabelings do to names, by metrics set."""
    wanted = {("ConfigMap", "sre-metric-set"): {"data": {"config": config}}}
    view = a_view(management=Management(metrics_set=metrics_set), objects=wanted)
    found = render(kube_controller_manager.KUBERNETES, view)
    monitor = next(one for one in found if one["kind"] == "ServiceMonitor")
    return [
        [f"{rule['action']} {rule['regex']}" for rule in endpoint["metricRelabelings"][:-1]]
        for endpoint in monitor["spec"]["endpoints"]
    ]


def test_what_goes_home_is_little() -> None:
    assert endpoints("Telemetry") == [["keep pv_collector_total_pv_count"]]
    assert len(endpoints("All")[0]) == 3


def test_site_reliability_engineers_say_what_they_want() -> None:
    config = "kubeControllerManager: [{action: keep, regex: mine}]"
    assert endpoints("SRE", config) == [["keep mine"]]
