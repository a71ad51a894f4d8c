"""etcd of the Kubernetes payload."""

from typing import Any

from tests.unit.component.clusters import a_view, container, flags

from hypershift.component import View, render
from hypershift.controlplane import etcd
from hypershift.kit import Manifest

HIGHLY_AVAILABLE = "HighlyAvailable"


def stateful_set(view: View) -> Manifest:
    return render(etcd.KUBERNETES, view)[-1]


def bootstrap_state(view: View) -> str:
    found = next(m for m in render(etcd.KUBERNETES, view) if m["kind"] == "ConfigMap")
    return str(found["data"]["initial-cluster-state"])


def test_three_members_know_each_other_by_name() -> None:
    found = stateful_set(a_view(controllerAvailabilityPolicy=HIGHLY_AVAILABLE))
    members = flags(found, "etcd")["initial-cluster"].split(",")
    assert found["spec"]["replicas"] == 3
    assert members[2] == "etcd-2=https://etcd-2.etcd-discovery.clusters-demo.svc:2380"


def test_a_member_of_several_stays_until_clients_have_found_the_one_before_it() -> None:
    several = stateful_set(a_view(controllerAvailabilityPolicy=HIGHLY_AVAILABLE))
    pause = container(several, "etcd")["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert several["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > pause > 10
    assert "lifecycle" not in container(stateful_set(a_view()), "etcd")


def test_clients_and_peers_must_show_certificates() -> None:
    found = flags(stateful_set(a_view()), "etcd")
    assert found["client-cert-auth"] == found["peer-client-cert-auth"] == "true"
    assert found["peer-cert-allowed-cn"] == "etcd-discovery"


def test_no_shell_is_needed() -> None:
    main = container(stateful_set(a_view()), "etcd")
    assert main["command"] == ["etcd"]
    assert "initContainers" not in stateful_set(a_view())["spec"]["template"]["spec"]


def test_storage_follows_the_cluster() -> None:
    volume = {"size": "3Gi", "storageClassName": "fast"}
    storage = {"type": "PersistentVolume", "persistentVolume": volume}
    found = stateful_set(a_view(etcd={"managed": {"storage": storage}}))
    claim = found["spec"]["volumeClaimTemplates"][0]["spec"]
    assert claim["resources"]["requests"]["storage"] == "3Gi"
    assert claim["storageClassName"] == "fast"


def test_a_volume_counts_only_where_volumes_are_asked_for() -> None:
    storage = {"persistentVolume": {"size": "3Gi"}}
    found = stateful_set(a_view(etcd={"managed": {"storage": storage}}))
    assert found == stateful_set(a_view())


def test_members_found_a_cluster_once_and_join_it_ever_after() -> None:
    quorum = {"conditions": [{"type": "EtcdAvailable", "status": "True"}]}
    formed = {("ConfigMap", "etcd-bootstrap"): {"data": {"initial-cluster-state": "existing"}}}
    assert bootstrap_state(a_view()) == "new"
    assert bootstrap_state(a_view(status=quorum)) == "existing"
    assert bootstrap_state(a_view(objects=formed)) == "existing"


def test_forming_the_cluster_does_not_roll_the_members() -> None:
    quorum = {"conditions": [{"type": "EtcdAvailable", "status": "True"}]}
    assert stateful_set(a_view()) == stateful_set(a_view(status=quorum))


def test_a_release_with_the_same_etcd_leaves_the_members_alone() -> None:
    before = stateful_set(a_view(releaseImage="registry.example.org/release:1"))
    assert stateful_set(a_view(releaseImage="registry.example.org/release:2")) == before


def test_a_restart_of_the_control_plane_leaves_the_members_alone() -> None:
    restarted = a_view(annotations={"restart-date": "today"})
    assert stateful_set(restarted) == stateful_set(a_view())


def test_ipv6_clusters_listen_on_ipv6() -> None:
    networking = {"clusterNetwork": [{"cidr": "fd01::/48"}], "serviceNetwork": []}
    assert "[::]" in flags(stateful_set(a_view(networking=networking)), "etcd")["listen-peer-urls"]


SNAPSHOT = {"storage": {"restoreSnapshotURL": ["https://store.example.org/s?signed"]}}


def restoring(**spec: Any) -> list[Manifest]:
    found = stateful_set(a_view(etcd={"managed": SNAPSHOT}, **spec))
    pod: Manifest = found["spec"]["template"]["spec"]
    return list(pod.get("initContainers") or ())


def test_a_snapshot_is_fetched_by_our_image_and_unpacked_by_etcds() -> None:
    fetching, unpacking = restoring(controllerAvailabilityPolicy=HIGHLY_AVAILABLE)
    assert [fetching["name"], unpacking["name"]] == ["etcd-fetch", "etcd-init"]
    environment = {one["name"]: one.get("value") for one in unpacking["env"]}
    assert environment["INITIAL_CLUSTER"].count("etcd-2=") == 1
    assert "ETCD_INITIAL_CLUSTER_STATE" in environment
    # The address may hold a signature: it is no argument of a program.
    assert all("signed" not in word for word in (*fetching["command"], *fetching["args"]))


def test_a_snapshot_is_restored_once() -> None:
    done = {"conditions": [{"type": "EtcdSnapshotRestored", "status": "True"}]}
    assert restoring(status=done) == []
    failed = {"conditions": [{"type": "EtcdSnapshotRestored", "status": "False"}]}
    assert len(restoring(status=failed)) == 2
