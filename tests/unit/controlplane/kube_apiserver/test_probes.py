"""What probes ask an API server of the Kubernetes payload whose etcd has shards."""

from typing import Any

from tests.unit.component.clusters import a_view, container
from tests.unit.controlplane.kube_apiserver.servers import deployment

EVENTS = {"name": "events", "replicas": 3, "resources": [{"apiGroup": "", "resource": "events"}]}
LEASES = {
    "name": "leases",
    "replicas": 1,
    "resources": [
        {"apiGroup": "coordination.k8s.io", "resource": "leases"},
        {"apiGroup": "coordination.k8s.io", "resource": "leasecandidates"},
    ],
}
APART = "exclude=etcd-override-{0}&exclude=etcd-override-readiness-{0}"


def asked(**etcd: Any) -> dict[str, str]:
    view = a_view(etcd=etcd) if etcd else a_view()
    server = container(deployment(view), "kube-apiserver")
    probes = ("startupProbe", "readinessProbe", "livenessProbe")
    return {probe: server[probe]["httpGet"]["path"] for probe in probes}


def managed(*shards: Any) -> dict[str, str]:
    return asked(managed={"storage": {"type": "PersistentVolume"}, "shards": list(shards)})


def test_a_server_without_shards_is_asked_for_everything() -> None:
    found = asked()
    assert (found["startupProbe"], found["readinessProbe"]) == ("/readyz", "/readyz")


def test_a_shard_that_is_away_keeps_no_server_from_being_ready() -> None:
    found = managed(EVENTS, LEASES)
    wanted = f"/readyz?{APART.format(0)}&{APART.format(1)}"
    assert (found["startupProbe"], found["readinessProbe"]) == (wanted, wanted)


def test_no_probe_leaves_out_the_first_cluster_alone() -> None:
    found = managed(EVENTS)
    assert "exclude=etcd&" not in f"{found['readinessProbe']}&"
    # The group has the checks of every etcd cluster in it.
    assert found["livenessProbe"] == "/livez?exclude=etcd"


def test_shards_of_the_users_own_at_one_address_are_one_check() -> None:
    place = "https://other:2379"
    shards = [
        {"name": shard["name"], "endpoint": place, "resources": shard["resources"]}
        for shard in (EVENTS, LEASES)
    ]
    found = asked(
        managementType="Unmanaged", unmanaged={"endpoint": "https://mine:2379", "shards": shards}
    )
    assert found["readinessProbe"] == f"/readyz?{APART.format(0)}"
