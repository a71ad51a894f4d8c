"""From an empty account of AWS to Ready nodes in three zones by the real provider, and to nothing.

AWS is moto with tokens verified as AWS does; each instance that it runs boots on this host.
"""

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cloud.aws.beside import REGION, Beside, aws_beside
from tests.cloud.aws.hosted import AwsHosted, push_release
from tests.e2e import inventory
from tests.e2e.embedded import Cluster, a_pod, until
from tests.e2e.hosted import NAMESPACE, PATIENCE
from tests.e2e.workers import Pool

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NAME, ZONES = "cloudy", (f"{REGION}a", f"{REGION}b", f"{REGION}c")
ZONE = ZONES[0]
#: How the handler of AWS' notices marks a node that is about to be taken away.
NOTICE = "aws-node-termination-handler/spot-itn=now:NoSchedule"
#: After how long without its kubelet a node is replaced; otherwise that takes eight minutes.
REPAIR = {"hypershift.openshift.io/machine-health-check-timeout": "60s"}
#: Conditions of a cluster that AWS trusts.
TRUSTED = (
    "PlatformCredentialsFound",
    "ValidOIDCConfiguration",
    "ValidAWSIdentityProvider",
    "AWSDefaultSecurityGroupCreated",
)


@pytest.fixture(scope="module")
def beside(cluster: Cluster) -> Iterator[Beside]:
    with aws_beside(cluster) as made:
        yield made


@pytest.fixture(scope="module")
def before(beside: Beside) -> tuple[dict[str, int], inventory.Inventory]:
    """What account and management cluster hold while there is no cluster, but a place for some."""
    words = ("-n", NAMESPACE, "serviceaccount/default", "configmap/kube-root-ca.crt")
    beside.cluster.kubectl("create", "namespace", NAMESPACE)
    until(lambda: beside.cluster.try_kubectl("get", *words).returncode == 0, PATIENCE)
    return beside.cloud.inventory(), inventory.take(beside.cluster)


@pytest.fixture(scope="module")
def cloudy(
    beside: Beside, before: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AwsHosted]:
    """A cluster with one node in each of three zones; the last test destroys it."""
    assert before
    release = push_release(beside.cluster)
    made = AwsHosted(beside.cluster, NAME, tmp_path_factory.mktemp(NAME), beside=beside)
    began = time.monotonic()
    try:
        made.create_on_aws(release, ZONES, "--node-pool-replicas", "1", "--auto-repair")
        told(f"create cluster aws --wait: {time.monotonic() - began:.0f} s")
        yield made
    finally:
        if made.there():
            made.destroy()


@pytest.fixture(scope="module")
def pool(cloudy: AwsHosted) -> Pool:
    return cloudy.pool(ZONE)


def test_each_zone_has_an_instance_that_is_a_ready_node(cloudy: AwsHosted) -> None:
    instances = cloudy.instances()
    assert len(instances) == len(ZONES)
    for zone in ZONES:
        pool = cloudy.pool(zone)
        [node] = pool.await_nodes(1)
        name = node["metadata"]["name"]
        instance = instances[name]
        assert node["spec"]["providerID"] == f"aws:///{zone}/{instance['InstanceId']}"
        known = {one["type"]: one["address"] for one in node["status"]["addresses"]}
        assert known["InternalIP"] == instance["PrivateIpAddress"]
        [machine] = pool.machines()
        assert machine["status"]["nodeRef"]["name"] == name
    for kind in (*TRUSTED, "Available"):
        cloudy.await_condition(kind)


def test_pods_run_and_say_what_they_do(cloudy: AwsHosted) -> None:
    image, script = cloudy.management.busybox, "echo from AWS; exec sleep 100000"
    cloudy.apply(a_pod("hello", image, script))
    cloudy.kubectl("wait", "pod/hello", "--for=condition=Ready", "--timeout=200s")
    assert cloudy.kubectl("logs", "hello").strip() == "from AWS"
    found = cloudy.shell("hello", "nslookup -type=a kubernetes.default.svc.cluster.local")
    assert "172.31.0.1" in found
    cloudy.kubectl("delete", "pod", "hello", "--wait=false")


def test_a_service_leads_from_zone_to_zone(cloudy: AwsHosted) -> None:
    """A pod of one zone answers one of another by the address of a Service."""
    image = cloudy.management.busybox
    serve = "mkdir /www; echo across > /www/index.html; exec httpd -f -p 8080 -h /www"
    nodes = [cloudy.pool(zone).nodes()[0]["metadata"]["name"] for zone in ZONES[:2]]
    for name, script, node in (("served", serve, nodes[0]), ("asking", "sleep 10000", nodes[1])):
        pod = a_pod(name, image, script)
        pod["spec"]["nodeName"] = node
        pod["metadata"]["labels"] = {"app": name}
        cloudy.apply(pod)
        cloudy.kubectl("wait", f"pod/{name}", "--for=condition=Ready", "--timeout=200s")
    cloudy.kubectl("expose", "pod", "served", "--port=80", "--target-port=8080")
    found = cloudy.until(
        lambda: cloudy.shell("asking", "timeout 5 wget -qO- http://served || true"), "an answer"
    )
    assert found.strip() == "across"
    cloudy.kubectl("delete", "service/served", "pod/served", "pod/asking", "--wait=false")


def test_the_pool_grows_and_shrinks_with_its_instances(cloudy: AwsHosted, pool: Pool) -> None:
    pool.scale(2)
    nodes = pool.await_nodes(2)
    assert {one["metadata"]["name"] for one in nodes} <= cloudy.instances().keys()
    pool.scale(1)
    pool.await_nodes(1)
    until(lambda: len(cloudy.instances()) == len(ZONES), PATIENCE)
    until(lambda: len(machines(cloudy)) == len(ZONES), PATIENCE)


def test_an_instance_terminated_by_hand_is_replaced(cloudy: AwsHosted, pool: Pool) -> None:
    pool.patch({"metadata": {"annotations": REPAIR}})
    name = pool.nodes()[0]["metadata"]["name"]
    began = time.monotonic()
    terminate(cloudy, name)
    until(lambda: name not in cloudy.instances(), PATIENCE)
    until(lambda: len(cloudy.instances()) == len(ZONES), PATIENCE)
    await_replacement(pool, name)
    told(f"instance replaced after {time.monotonic() - began:.0f} s")


def test_a_spot_instance_is_replaced_when_aws_announces_its_end(cloudy: AwsHosted) -> None:
    """The pool becomes one of spot instances; the notice is what AWS' handler would write."""
    pool = cloudy.pool(ZONES[1])
    [before] = pool.await_nodes(1)
    pool.patch({"spec": {"platform": {"aws": {"placement": {"marketType": "Spot"}}}}})
    name = await_replacement(pool, before["metadata"]["name"])
    assert cloudy.instances()[name]["InstanceLifecycle"] == "spot"
    began = time.monotonic()
    cloudy.kubectl("taint", "node", name, NOTICE)
    until(lambda: name not in cloudy.instances(), PATIENCE)
    await_replacement(pool, name)
    told(f"spot instance replaced after {time.monotonic() - began:.0f} s")


def test_nothing_is_written_while_nothing_happens(cloudy: AwsHosted) -> None:
    """A quiet cluster asks AWS a few times a minute and changes nothing there."""
    time.sleep(30)
    cloudy.beside.cloud.calls.clear()
    time.sleep(60)
    asked = dict(cloudy.beside.cloud.calls)
    told(f"calls of AWS in a quiet minute: {json.dumps(asked, sort_keys=True)}")
    changing = ("Create", "Delete", "Run", "Terminate", "Modify", "Authorize", "PUT ", "DELETE ")
    assert not [name for name in asked if name.startswith(changing)]


def test_destroy_leaves_account_management_cluster_and_host_as_before(
    cloudy: AwsHosted, before: tuple[dict[str, int], inventory.Inventory]
) -> None:
    account, management = before
    cloudy.destroy()
    assert cloudy.beside.cloud.inventory() == account
    inventory.await_nothing_new(cloudy.management, management, PATIENCE)
    until(lambda: not machines(cloudy), PATIENCE)


def await_replacement(pool: Pool, gone: str) -> str:
    """Wait until a node is gone and another Ready; it looks Ready for a while without instance."""
    until(lambda: gone not in {one["metadata"]["name"] for one in pool.nodes()}, PATIENCE)
    [node] = pool.await_nodes(1)
    return str(node["metadata"]["name"])


def terminate(cloudy: AwsHosted, name: str) -> None:
    """End the instance of a node behind everybody's back."""
    instance = cloudy.instances()[name]["InstanceId"]
    cloudy.beside.cloud.client("ec2").terminate_instances(InstanceIds=[instance])


def machines(cloudy: AwsHosted) -> set[str]:
    """The instances that have a machine on this host."""
    booter = cloudy.beside.booter
    assert booter is not None
    return set(booter.known)


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
