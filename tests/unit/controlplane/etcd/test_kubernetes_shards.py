"""Shards of a hosted Kubernetes' etcd: clusters of their own for some kinds of objects."""

import json
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import NAMESPACE, NOW, a_view, container, flags
from tests.unit.controlplane.kube_apiserver.servers import deployment

from hypershift.component import Management, View, edit, etcd_shards, render, runs
from hypershift.controlplane import catalog, etcd
from hypershift.kit import Manifest
from hypershift.kube import ExecResult, kinds
from hypershift.release import Product

LEASES = {"apiGroup": "coordination.k8s.io", "resource": "leases"}
EVENTS = {
    "name": "events",
    "replicas": 1,
    "resources": [{"apiGroup": "", "resource": "events"}, LEASES],
}
SEVERAL = {**EVENTS, "replicas": 3}
HOST = f"https://etcd-client-events.{NAMESPACE}.svc:2379"


def sharded(shard: Manifest, **rest: Any) -> View:
    managed = {
        "storage": {"type": "PersistentVolume", "persistentVolume": {"size": "2Gi"}},
        "shards": [shard],
    }
    return a_view(etcd={"managed": managed}, **rest)


def objects(view: View) -> dict[tuple[str, str], Manifest]:
    (component,) = etcd.shards(view.spec, Product.KUBERNETES)
    return {(one["kind"], one["metadata"]["name"]): one for one in render(component, view)}


def stateful_set(view: View) -> Manifest:
    return objects(view)["StatefulSet", "etcd-events"]


def test_members_of_a_shard_know_each_other_and_nobody_else() -> None:
    found = stateful_set(sharded(SEVERAL))
    given = flags(found, "etcd")
    assert given["initial-cluster"].split(",")[2] == (
        f"etcd-events-2=https://etcd-events-2.etcd-discovery-events.{NAMESPACE}.svc:2380"
    )
    own = "https://$(POD_NAME).etcd-discovery-events.$(NAMESPACE).svc"
    assert given["advertise-client-urls"] == f"{own}:2379"
    assert given["initial-cluster-token"] == "$(NAMESPACE)-events"
    assert given["peer-cert-allowed-cn"] == "etcd-discovery-events"
    assert "etcd-discovery." not in str(found)
    assert found["spec"]["replicas"] == 3
    assert found["spec"]["serviceName"] == "etcd-discovery-events"


def test_a_shard_has_objects_of_its_own_beside_the_first_clusters_account() -> None:
    found = objects(sharded(SEVERAL))
    assert set(found) == {
        ("ConfigMap", "etcd-events-bootstrap"),
        ("Service", "etcd-client-events"),
        ("Service", "etcd-discovery-events"),
        ("PodDisruptionBudget", "etcd-events"),
        ("StatefulSet", "etcd-events"),
    }
    for name in ("etcd-client-events", "etcd-discovery-events"):
        assert found["Service", name]["spec"]["selector"] == {"app": "etcd-events"}
    volumes = edit.pod_of(found["StatefulSet", "etcd-events"])["spec"]["volumes"]
    secrets = [one["secret"]["secretName"] for one in volumes if "secret" in one]
    assert secrets == ["etcd-events-server-tls", "etcd-events-peer-tls"]
    env = container(found["StatefulSet", "etcd-events"], "etcd")["env"]
    state = next(one for one in env if one["name"] == "ETCD_INITIAL_CLUSTER_STATE")
    assert state["valueFrom"]["configMapKeyRef"]["name"] == "etcd-events-bootstrap"


@pytest.mark.parametrize(
    ("shard", "limit"), [(EVENTS, "minAvailable"), (SEVERAL, "maxUnavailable")]
)
def test_the_budget_follows_the_shards_own_size(shard: Manifest, limit: str) -> None:
    view = sharded(shard, controllerAvailabilityPolicy="HighlyAvailable")
    budget = objects(view)["PodDisruptionBudget", "etcd-events"]["spec"]
    assert budget[limit] == 1
    assert budget["selector"] == {"matchLabels": {"app": "etcd-events"}}


def test_a_shard_has_disks_like_the_first_cluster_or_of_a_class_of_its_own() -> None:
    (claim,) = stateful_set(sharded(EVENTS))["spec"]["volumeClaimTemplates"]
    assert claim["spec"]["resources"]["requests"]["storage"] == "2Gi"
    volume = {"type": "PersistentVolume", "persistentVolume": {"storageClassName": "fast"}}
    (claim,) = stateful_set(sharded({**EVENTS, "storage": volume}))["spec"]["volumeClaimTemplates"]
    assert claim["spec"]["storageClassName"] == "fast"


def test_a_shard_runs_where_it_asks_to() -> None:
    taint = {"key": "disk", "operator": "Exists", "effect": "NoSchedule"}
    scheduling = {"nodeSelector": {"disk": "fast"}, "tolerations": [taint]}
    spec = edit.pod_of(stateful_set(sharded({**EVENTS, "scheduling": scheduling})))["spec"]
    assert spec["nodeSelector"] == {"disk": "fast"}
    assert spec["tolerations"][0] == taint
    assert len(spec["tolerations"]) == 3


def test_members_join_once_their_cluster_had_a_quorum() -> None:
    def state(view: View) -> str:
        found = objects(view)["ConfigMap", "etcd-events-bootstrap"]
        return str(found["data"]["initial-cluster-state"])

    def with_set(ready: int) -> View:
        live = {**stateful_set(sharded(SEVERAL)), "status": {"readyReplicas": ready}}
        return sharded(SEVERAL, objects={("StatefulSet", "etcd-events"): live})

    assert state(with_set(1)) == "new"
    assert state(with_set(2)) == "existing"
    written = {"data": {"initial-cluster-state": "existing"}}
    assert state(sharded(SEVERAL, objects={("ConfigMap", "etcd-events-bootstrap"): written})) == (
        "existing"
    )


def test_the_api_server_asks_the_shard_for_its_kinds_and_starts_after_it() -> None:
    view = sharded(EVENTS)
    given = flags(deployment(view), "kube-apiserver")["etcd-servers-overrides"]
    assert given == f"/events#{HOST},coordination.k8s.io/leases#{HOST}"
    server = next(
        one for one in catalog(Product.KUBERNETES, view.spec) if one.name == "kube-apiserver"
    )
    assert server.depends_on == ("etcd", "etcd-events")


def test_the_api_server_knows_every_member_of_several() -> None:
    given = flags(deployment(sharded(SEVERAL)), "kube-apiserver")["etcd-servers-overrides"]
    events, leases = given.split(",")
    assert events.removeprefix("/events#").split(";") == [
        f"https://etcd-events-{i}.etcd-discovery-events.{NAMESPACE}.svc:2379" for i in range(3)
    ]
    assert leases.startswith("coordination.k8s.io/leases#")


def a_server(*args: str) -> Manifest:
    containers = [{"name": "kube-apiserver", "args": list(args)}]
    template = {"spec": {"containers": containers}}
    return {
        "kind": "Deployment",
        "metadata": {"name": "kube-apiserver"},
        "spec": {"template": template},
    }


def test_a_shard_that_comes_after_the_api_server_is_left_out() -> None:
    living = sharded(EVENTS, objects={("Deployment", "kube-apiserver"): a_server("--v=2")})
    (component,) = etcd.shards(living.spec, Product.KUBERNETES)
    assert not runs(component, living)
    assert "etcd-servers-overrides" not in flags(deployment(living), "kube-apiserver")


@pytest.mark.parametrize(
    "there",
    [
        {("Deployment", "kube-apiserver"): a_server(f"--etcd-servers-overrides=/events#{HOST}")},
        {
            ("Deployment", "kube-apiserver"): a_server("--v=2"),
            ("StatefulSet", "etcd-events"): {"spec": {}},
        },
        {},
    ],
    ids=["the server was told of it", "its members are there", "nothing is there"],
)
def test_a_shard_stays_whatever_is_deleted_beside_it(there: dict[tuple[str, str], Any]) -> None:
    view = sharded(EVENTS, objects=there)
    assert etcd_shards.active_shards(view) == etcd_shards.managed_shards(view.spec)


def test_the_shard_of_another_name_does_not_count() -> None:
    other = a_server("--etcd-servers-overrides=/events#https://etcd-client-more-events.n.svc:2379")
    view = sharded({**EVENTS, "name": "more"}, objects={("Deployment", "kube-apiserver"): other})
    assert etcd_shards.active_shards(view) == ()


class Hollow(MemoryClient):
    """Two etcd clusters of three, of which the shard has holes in its files."""

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[tuple[str, str]] = []
        for name in ("etcd", "etcd-events"):
            metadata = {"name": name, "namespace": NAMESPACE}
            counts: Manifest = {"spec": {"replicas": 3}, "status": {"readyReplicas": 3}}
            found = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata}
            self.put({**found, **counts})

    async def exec(
        self, name: str, namespace: str, command: Any, *, container: str = "", stdin: bytes = b""
    ) -> ExecResult:
        del namespace, container, stdin
        words = [word for word in command if not word.startswith("--")]
        self.commands.append((name, words[1]))
        used = 10_000_000 if name.startswith("etcd-events") else 190_000_000
        status = [
            {
                "Endpoint": f"https://{name[:-1]}{index}",
                "Status": {
                    "header": {"member_id": index + 1},
                    "leader": 1,
                    "dbSize": 200_000_000,
                    "dbSizeInUse": used,
                },
            }
            for index in range(3)
        ]
        return ExecResult(json.dumps(status).encode())


async def test_a_shard_is_defragmented_like_the_first_cluster() -> None:
    view = sharded(SEVERAL, controllerAvailabilityPolicy="HighlyAvailable")
    kube, keeper = Hollow(), etcd.Defragmenter()
    assert await keeper.visit(view, kube, NOW) == ""
    later = NOW.replace(minute=30)
    assert await keeper.visit(view, kube, later) == "https://etcd-events-1"
    assert kube.commands == [
        ("etcd-0", "endpoint"),
        ("etcd-events-0", "endpoint"),
        ("etcd-events-0", "defrag"),
    ]


async def test_every_members_disk_is_watched() -> None:
    asked = []

    async def fetch(host: str, port: int) -> str:
        asked.append((host, port))
        raise OSError

    await etcd.DiskWatch(fetch).visit(sharded(SEVERAL), NOW)
    assert sorted(host.partition(".")[0] for host, _ in asked) == [
        "etcd-0",
        "etcd-events-0",
        "etcd-events-1",
        "etcd-events-2",
    ]


async def test_a_lost_member_of_a_shard_is_rebuilt() -> None:
    kube = Losing()
    view = sharded(SEVERAL)
    rebuilt = await etcd.keep_members(view, kube)
    assert rebuilt is not None
    assert rebuilt.member == "etcd-events-2"
    assert kube.commands == [
        ("etcd-events-0", ("member", "list")),
        ("etcd-events-0", ("member", "remove", "c")),
        ("etcd-events-0", ("member", "add", "etcd-events-2")),
    ]
    claim = await kube.find(kinds.PERSISTENT_VOLUME_CLAIM, "data-etcd-events-2", NAMESPACE)
    assert claim is None


class Losing(MemoryClient):
    """A shard of three whose last member lost its files."""

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[tuple[str, tuple[str, ...]]] = []
        self._put("apps/v1", "StatefulSet", "etcd-events", {"replicas": 3}, {"readyReplicas": 2})
        for index in range(3):
            name, lost = f"etcd-events-{index}", index == 2
            ended = {"terminated": {"message": "wal: crc mismatch"}} if lost else {}
            status = {
                "conditions": [{"type": "Ready", "status": "False" if lost else "True"}],
                "containerStatuses": [{"name": "etcd", "lastState": ended}],
            }
            self._put("v1", "Pod", name, {}, status)
            self._put("v1", "PersistentVolumeClaim", f"data-{name}", {}, {})

    def _put(self, version: str, kind: str, name: str, spec: Manifest, status: Manifest) -> None:
        metadata = {"name": name, "namespace": NAMESPACE}
        found = {"apiVersion": version, "kind": kind, "metadata": metadata}
        self.put({**found, "spec": spec, "status": status})

    async def exec(
        self, name: str, namespace: str, command: Any, *, container: str = "", stdin: bytes = b""
    ) -> ExecResult:
        del namespace, container, stdin
        words = tuple(word for word in command[1:] if not word.startswith("--"))
        self.commands.append((name, words))
        if words != ("member", "list"):
            return ExecResult()
        peer = f"https://etcd-events-2.etcd-discovery-events.{NAMESPACE}.svc:2380"
        entry = {"ID": 12, "name": "etcd-events-2", "peerURLs": [peer]}
        return ExecResult(json.dumps({"members": [entry]}).encode())


def test_openshift_keeps_its_own_way() -> None:
    view = sharded(EVENTS, product=Product.OPENSHIFT, management=Management())
    assert [group.name for group in etcd.groups(view)] == ["etcd"]
