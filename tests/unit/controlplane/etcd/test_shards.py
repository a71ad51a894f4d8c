"""Shards of OpenShift's etcd: clusters of their own for some kinds of objects."""

from typing import Any

import pytest
from tests.unit.component.clusters import a_view, container

from hypershift.component import Management, View, edit, render
from hypershift.component.render import identities, listed
from hypershift.controlplane import catalog, etcd, kube_apiserver
from hypershift.kit import Manifest
from hypershift.release import Product

EVENTS = {"name": "events", "replicas": 1, "resources": [{"apiGroup": "", "resource": "events"}]}
SEVERAL = {**EVENTS, "replicas": 3}


def sharded(shard: Manifest, volume: Manifest | None = None, **spec: Any) -> View:
    storage = {"type": "PersistentVolume", "persistentVolume": volume}
    managed = {"storage": storage, "shards": [shard]}
    scc = Management()
    return a_view(product=Product.OPENSHIFT, management=scc, etcd={"managed": managed}, **spec)


def objects(view: View) -> dict[tuple[str, str], Manifest]:
    (component,) = etcd.shards(view.spec, Product.OPENSHIFT)
    return {(one["kind"], one["metadata"]["name"]): one for one in render(component, view)}


def stateful_set(view: View) -> Manifest:
    return objects(view)["StatefulSet", "etcd-events"]


def environment(view: View) -> dict[str, str]:
    found = container(stateful_set(view), "etcd")["env"]
    return {one["name"]: one.get("value", "") for one in found}


def test_a_shard_is_a_component_of_both_products() -> None:
    spec = sharded(EVENTS).spec
    for product in Product:
        names = [component.name for component in catalog(product, spec)]
        assert names[:2] == ["etcd", "etcd-events"]
        assert len(names) == len(catalog(product)) + 1


def test_members_of_a_shard_know_each_other_and_nobody_else() -> None:
    found = environment(sharded(SEVERAL))
    assert found["ETCD_INITIAL_CLUSTER"].split(",")[2] == (
        "etcd-events-2=https://etcd-events-2.etcd-discovery-events.clusters-demo.svc:2380"
    )
    own = "https://$(HOSTNAME).etcd-discovery-events.$(NAMESPACE).svc"
    assert found["ETCD_ADVERTISE_CLIENT_URLS"] == f"{own}:2379"
    text = str(stateful_set(sharded(SEVERAL)))
    assert "etcd-client:" not in text
    assert "etcd-discovery." not in text


def test_a_shard_has_services_and_certificates_of_its_own() -> None:
    found = objects(sharded(EVENTS))
    for name in ("etcd-client-events", "etcd-discovery-events"):
        assert found["Service", name]["spec"]["selector"] == {"app": "etcd-events"}
    assert found["StatefulSet", "etcd-events"]["spec"]["serviceName"] == "etcd-discovery-events"
    volumes = edit.pod_of(found["StatefulSet", "etcd-events"])["spec"]["volumes"]
    secrets = [one["secret"]["secretName"] for one in volumes if "secret" in one]
    assert secrets == ["etcd-events-peer-tls", "etcd-events-server-tls", "etcd-client-tls"]
    (endpoint,) = found["ServiceMonitor", "etcd-events"]["spec"]["endpoints"]
    assert endpoint["tlsConfig"]["serverName"] == "etcd-client-events"


def test_accounts_and_roles_stay_with_the_first_cluster() -> None:
    view = sharded(EVENTS)
    (component,) = etcd.shards(view.spec, Product.OPENSHIFT)
    assert ("ServiceAccount", "etcd") not in objects(view)
    assert "ServiceAccount" not in {one["kind"] for one in identities(component, view)}
    names = {one["name"] for one in listed(component, view)}
    assert {"etcd", "etcd-defrag-controller", "etcd-client-events"} <= names


@pytest.mark.parametrize(("shard", "replicas"), [(EVENTS, 1), (SEVERAL, 3)])
def test_several_members_take_turns(shard: Manifest, replicas: int) -> None:
    view = sharded(shard, controllerAvailabilityPolicy="HighlyAvailable")
    found = objects(view)
    pod = edit.pod_of(found["StatefulSet", "etcd-events"])
    several = replicas > 1
    assert found["StatefulSet", "etcd-events"]["spec"]["replicas"] == replicas
    assert (("PodDisruptionBudget", "etcd-events") in found) is several
    assert pod["spec"]["automountServiceAccountToken"] is several
    assert ("podAntiAffinity" in pod["spec"]["affinity"]) is several
    defragmenter = [one for one in pod["spec"]["containers"] if one["name"] == "etcd-defrag"]
    assert bool(defragmenter) is several
    if defragmenter:
        assert defragmenter[0]["args"][-1] == "etcd-defrag-events-leader-elect"


def test_a_shard_has_volumes_like_the_first_cluster() -> None:
    volume = {"size": "16Gi", "storageClassName": "slow"}
    fast = {"type": "PersistentVolume", "persistentVolume": {"storageClassName": "fast"}}
    for shard, name in ((EVENTS, "slow"), ({**EVENTS, "storage": fast}, "fast")):
        (claim,) = stateful_set(sharded(shard, volume))["spec"]["volumeClaimTemplates"]
        assert claim["spec"]["storageClassName"] == name
        assert claim["spec"]["resources"]["requests"]["storage"] == "16Gi"


@pytest.mark.parametrize(
    ("volume", "size", "limit"), [(None, "8Gi", "8704Mi"), ({"size": "1Gi"}, "1Gi", "1536Mi")]
)
def test_a_shard_in_memory_has_room_for_its_data(
    volume: Manifest | None, size: str, limit: str
) -> None:
    found = stateful_set(sharded({**EVENTS, "storage": {"type": "EmptyDir"}}, volume))
    assert "volumeClaimTemplates" not in found["spec"]
    memory = {"name": "data", "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    assert memory in edit.pod_of(found)["spec"]["volumes"]
    assert container(found, "etcd")["resources"]["limits"] == {"memory": limit}


def test_a_selector_of_the_whole_cluster_comes_before_that_of_a_shard() -> None:
    shard = {**EVENTS, "scheduling": {"nodeSelector": {"disk": "fast"}}}
    own = edit.pod_of(stateful_set(sharded(shard)))["spec"]["nodeSelector"]
    wide = edit.pod_of(stateful_set(sharded(shard, nodeSelector={"role": "cp"})))
    assert own == {"disk": "fast"}
    assert wide["spec"]["nodeSelector"] == {"role": "cp"}


def test_the_api_server_asks_shards_for_what_they_keep() -> None:
    found = render(kube_apiserver.OPENSHIFT, sharded(EVENTS))[-1]
    script = container(found, "wait-for-etcd")["args"][1]
    hosts = [line.split()[3] for line in script.splitlines()[1:]]
    assert hosts == [
        "etcd-client.$(POD_NAMESPACE).svc;",
        "etcd-client-events.$(POD_NAMESPACE).svc;",
    ]
