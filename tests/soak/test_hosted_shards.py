"""Events and leases in an etcd of their own: where they are, and what happens when it is away."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted
from tests.e2e.traffic import Traffic
from tests.e2e.workers import Pool, is_ready
from tests.soak.member import in_member, ruin
from tests.soak.recovered import told

from hypershift.controlplane.etcd.keeper import ETCDCTL, ITSELF

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(2400)]

FIRST, SHARD = "etcd", "etcd-events"
SHARDS = [
    {
        "name": "events",
        "replicas": 3,
        "resources": [
            {"apiGroup": "", "resource": "events"},
            {"apiGroup": "coordination.k8s.io", "resource": "leases"},
        ],
    }
]
APART = {"events", "leases"}
#: Etcd's key of an object: /registry/KIND/..., with the group before the kind of some.
KEY = re.compile(r"/registry/(?:[^/]*\.[^/]*/)?([^/]+)/")
LEASES = 40
#: Seconds of writes before something happens and after it.
CALM = 10.0


class LeaseTraffic(Traffic):
    """Writes leases."""

    COLLECTION = "/apis/coordination.k8s.io/v1/namespaces/default/leases"


@pytest.fixture(scope="module")
def sharded(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A highly available cluster with a shard of three members, and a node."""
    made = Hosted(cluster, "sharded", tmp_path_factory.mktemp("sharded"))
    manifests = made.manifests("--control-plane-availability-policy=HighlyAvailable")
    managed(manifests)["shards"] = SHARDS
    cluster.apply(*manifests)
    try:
        made.await_condition("Available")
        Pool(made, "sharded").create(replicas=1)
        made.until(lambda: list(map(is_ready, made.get("nodes"))) == [True], "a ready node")
        made.until(lambda: ready(made, FIRST) == ready(made, SHARD) == 3, "members", made.pods)
        yield made
    finally:
        made.destroy()


def test_events_and_leases_are_in_the_shard_and_nothing_else(sharded: Hosted) -> None:
    sharded.apply(shop.a_namespace(), *(a_lease(number) for number in range(LEASES)))
    for attempt in range(5):
        sharded.apply(shop.a_web_shop(sharded.management.busybox, replicas=attempt))
    first, apart = keys(sharded, FIRST), keys(sharded, SHARD)
    told(f"{FIRST}: {first.total()} keys of {len(first)} kinds; {SHARD}: {dict(apart)}")
    assert not first.keys() & APART
    assert apart.keys() == APART
    assert apart["leases"] >= LEASES
    assert len(sharded.get("leases", "-n", shop.NAMESPACE)) == LEASES
    assert sharded.get("events", "-n", shop.NAMESPACE)
    assert first["configmaps"] > 0


def test_a_shard_cannot_be_added_to_a_cluster_that_lives(sharded: Hosted) -> None:
    more = [
        *SHARDS,
        {**SHARDS[0], "name": "more", "resources": [{"apiGroup": "", "resource": "pods"}]},
    ]
    patch = json.dumps({"spec": {"etcd": {"managed": {"shards": more}}}})
    words = ("patch", "hostedcluster", sharded.name, "-n", sharded.namespace, "--type=merge")
    done = sharded.management.try_kubectl(*words, "-p", patch)
    assert "shards cannot be added or removed after creation" in done.stderr


def test_a_lost_member_of_a_shard_is_rebuilt_and_no_lease_is_lost(sharded: Hosted) -> None:
    with ExitStack() as stack:
        traffic = both(sharded, stack, "member")
        time.sleep(CALM)
        began, before = time.monotonic(), claim_of(sharded, f"{SHARD}-1")
        ruin(sharded, f"{SHARD}-1")
        sharded.until(lambda: claim_of(sharded, f"{SHARD}-1") not in ("", before), "another disk")
        sharded.until(lambda: ready(sharded, SHARD) == 3, "members", sharded.pods)
        told(f"a member of the shard rebuilt after {time.monotonic() - began:.0f} s")
        time.sleep(CALM)
    for one in traffic:
        told(str(one.log))
        assert one.lost() == []
    sharded.await_condition("EtcdAvailable")
    assert all(map(is_ready, sharded.get("nodes")))


def test_a_shard_without_a_quorum_takes_its_own_kinds_away_and_no_others(sharded: Hosted) -> None:
    kept = {one["metadata"]["name"] for one in sharded.get("leases", "-n", shop.NAMESPACE)}
    assert len(kept) == LEASES
    with ExitStack() as stack:
        (first,) = both(sharded, stack, "quorum")[:1]
        time.sleep(CALM)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda name: ruin(sharded, name), (f"{SHARD}-0", f"{SHARD}-2")))
        began = time.monotonic()
        sharded.await_condition("EtcdAvailable", "False")
        sharded.until(lambda: "quorum for good" in fix(sharded), "a verdict", sharded.pods)
        written = len(first.log.acknowledged)
        # Longer than any probe of an API server takes to despair.
        time.sleep(120)
        assert len(first.log.acknowledged) > written + 100
        lease = json.dumps(a_lease(LEASES))
        done = sharded.try_kubectl("create", "--request-timeout=10s", "-f", "-", feed=lease)
        assert done.returncode != 0
        told(f"{time.monotonic() - began:.0f} s without leases, then: {fix(sharded, '--yes')}")
        sharded.until(lambda: ready(sharded, SHARD) == 3, "members", sharded.pods)
        sharded.until(
            lambda: not sharded.try_kubectl("apply", "-f", "-", feed=lease).returncode, "leases"
        )
        told(f"leases are written again {time.monotonic() - began:.0f} s after the loss")
        time.sleep(CALM)
    told(str(first.log))
    assert first.lost() == []
    names = {one["metadata"]["name"] for one in sharded.get("leases", "-n", shop.NAMESPACE)}
    assert names == {*kept, f"lease-{LEASES}"}
    sharded.await_condition("EtcdAvailable")
    sharded.until(lambda: all(map(is_ready, sharded.get("nodes"))), "a ready node")


def both(hosted: Hosted, stack: ExitStack, name: str) -> tuple[Traffic, Traffic]:
    """Writers of what the first cluster keeps, and of what the shard keeps."""
    first = stack.enter_context(Traffic(hosted.kubeconfig, name=name))
    return first, stack.enter_context(LeaseTraffic(hosted.kubeconfig, name=name))


def managed(manifests: list[Manifest]) -> Manifest:
    """The settings of the etcd that a HostedCluster asks for."""
    cluster = next(one for one in manifests if one["kind"] == "HostedCluster")
    found: Manifest = cluster["spec"]["etcd"]["managed"]
    return found


def a_lease(number: int) -> Manifest:
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": f"lease-{number}", "namespace": shop.NAMESPACE},
        "spec": {"holderIdentity": f"holder-{number}"},
    }


def keys(hosted: Hosted, etcd: str) -> Counter[str]:
    """How many keys of each kind an etcd cluster holds."""
    words = ("get", "/registry/", "--prefix", "--keys-only", f"--endpoints={ITSELF}")
    said = in_member(hosted, f"{etcd}-0", *ETCDCTL, *words)
    return Counter(found.group(1) for line in said.splitlines() if (found := KEY.match(line)))


def ready(hosted: Hosted, etcd: str) -> int:
    """The number of its members that are ready."""
    found = hosted.management.get("statefulset", etcd, "-n", hosted.plane)
    return int(found.get("status", {}).get("readyReplicas", 0))


def claim_of(hosted: Hosted, member: str) -> str:
    """The identity of a member's disk; empty while it has none."""
    words = ("get", "pvc", f"data-{member}", "-n", hosted.plane, "--ignore-not-found")
    return hosted.management.kubectl(*words, "-o", "jsonpath={.metadata.uid}")


def fix(hosted: Hosted, *flags: str) -> str:
    """What `fix etcd` says of the shard."""
    words = ("fix", "etcd", hosted.name, "--etcd", SHARD, *flags)
    done = hosted.hypershift(*words, check=bool(flags), seconds=900)
    return done.stdout
