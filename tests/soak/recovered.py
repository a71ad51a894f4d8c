"""What a user has in a hosted cluster, and whether all of it is there after a recovery."""

import base64
import json

from tests.e2e import shop
from tests.e2e.backups import Store
from tests.e2e.embedded import Kubectl, Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import is_ready

from hypershift.controlplane.etcd.keeper import CONTAINER, ETCDCTL, ITSELF
from hypershift.controlplane.etcd.snapshot import Tally
from hypershift.controlplane.etcd.snapshot.content import kind_of

OBJECTS = 120


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    print(f"\n  {text}", flush=True)  # noqa: T201


def fill(hosted: Hosted) -> None:
    """What a user has: a web shop behind a Service, configuration, secrets, a kind of their own."""
    hosted.apply(shop.a_namespace())
    hosted.apply(shop.a_web_shop(hosted.management.busybox), shop.a_service("ClusterIP"))
    hosted.apply(*(some_data(number) for number in range(OBJECTS)))
    hosted.apply(shop.a_hook(hosted.management.busybox)[1][0])
    kind = f"crd/orders.{shop.GROUP}"
    hosted.kubectl("wait", kind, "--for=condition=Established", "--timeout=60s")
    hosted.apply(*(shop.an_order(f"order-{number}") for number in range(10)))
    hosted.kubectl("rollout", "status", "-n", shop.NAMESPACE, "deployment/web", "--timeout=300s")


def some_data(number: int, namespace: str = shop.NAMESPACE) -> Manifest:
    """A ConfigMap or a Secret with content of its own."""
    data = base64.b64encode(f"content {number}".encode() * 20).decode()
    kind, part = ("Secret", "data") if number % 2 else ("ConfigMap", "binaryData")
    metadata = {"name": f"kept-{number}", "namespace": namespace}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, part: {"value": data}}


def objects(hosted: Kubectl) -> dict[str, Manifest]:
    """The user's objects that no controller changes, by kind and name."""
    kinds = f"configmaps,secrets,serviceaccounts,orders.{shop.GROUP}"
    found = hosted.get(kinds, "-n", shop.NAMESPACE)
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in found}


def changed(before: dict[str, Manifest], after: dict[str, Manifest]) -> list[str]:
    """The names of objects that are not what they were, uid and version included."""
    names = before.keys() | after.keys()
    return sorted(name for name in names if before.get(name) != after.get(name))


def compare(hosted: Hosted, store: Store, url: str) -> None:
    """Every member holds at the snapshot's revision what the list beside the snapshot says."""
    listed = store.contents(url)
    wanted = {kind: (one["count"], one["digest"]) for kind, one in listed["kinds"].items()}
    for pod in hosted.until(lambda: members(hosted), "ready members of etcd", hosted.pods):
        found = tallies(hosted, pod, listed["revision"])
        assert {kind: one for kind, one in found.items() if one != wanted.get(kind)} == {}
        assert found.keys() == wanted.keys()
    told(f"{listed['keys']} keys of {len(wanted)} kinds equal at revision {listed['revision']}")


def members(hosted: Hosted) -> list[str]:
    """The names of etcd's pods when all of them are ready."""
    words = ("get", "statefulset", "etcd", "-n", hosted.plane, "--ignore-not-found", "-o", "json")
    found = json.loads(hosted.management.kubectl(*words) or "{}")
    ready = found.get("status", {}).get("readyReplicas", 0)
    if not found or ready < found["spec"]["replicas"]:
        return []
    return [f"etcd-{number}" for number in range(ready)]


def tallies(hosted: Hosted, pod: str, revision: int) -> dict[str, tuple[int, str]]:
    """Count and digest of the objects by kind, as a member holds them at a revision."""
    asked = ("get", "", "--prefix", f"--rev={revision}", "--write-out=json")
    words = ("exec", "-n", hosted.plane, pod, "-c", CONTAINER, "--")
    answer = hosted.management.kubectl(*words, *ETCDCTL, f"--endpoints={ITSELF}", *asked)
    found: dict[str, Tally] = {}
    for entry in json.loads(answer)["kvs"]:
        key, value = (base64.b64decode(entry.get(part, "")) for part in ("key", "value"))
        kind = kind_of(key)
        found[kind] = found.get(kind, Tally()).plus(key, value)
    return {kind: (one.count, f"{one.digest:032x}") for kind, one in found.items()}


def answers(hosted: Hosted, token: str) -> None:
    """A token that a service account had before the loss is accepted."""
    review = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenReview",
        "spec": {"token": token},
    }
    done = json.loads(hosted.kubectl("create", "-f", "-", "-o", "json", feed=json.dumps(review)))
    assert done["status"].get("authenticated"), done


def works(hosted: Hosted, count: int) -> None:
    """Nodes are ready, lost ones gone, the shop runs on them and answers by its Service."""
    nodes = hosted.get("nodes")
    assert len(nodes) == count
    assert all(map(is_ready, nodes))
    names = {node["metadata"]["name"] for node in nodes}
    # Pods of lost nodes are in the snapshot, and ready there, until they are collected.
    hosted.until(lambda: {one["spec"].get("nodeName") for one in shops(hosted)} <= names, "pods")
    hosted.kubectl("rollout", "status", "-n", shop.NAMESPACE, "deployment/web", "--timeout=300s")
    running = [one for one in shops(hosted) if one["status"]["phase"] == "Running"]
    pod = running[0]["metadata"]["name"]
    script = f"wget -qO- http://web.{shop.NAMESPACE}.svc.cluster.local/"
    said = until(lambda: hosted.shell(pod, script, shop.NAMESPACE).strip(), PATIENCE)
    assert said in {one["metadata"]["name"] for one in running}


def shops(hosted: Hosted) -> list[Manifest]:
    """The web servers' pods."""
    found: list[Manifest] = hosted.get("pods", "-n", shop.NAMESPACE, "-l", "app=web")
    return found
