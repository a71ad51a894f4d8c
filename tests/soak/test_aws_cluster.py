"""From an empty account of AWS to Ready nodes by the real provider, and back to nothing.

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
from tests.e2e.hosted import PATIENCE
from tests.e2e.workers import Pool

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NAME, ZONE = "cloudy", f"{REGION}a"
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
    """What account and management cluster hold while there is no cluster."""
    return beside.cloud.inventory(), inventory.take(beside.cluster)


@pytest.fixture(scope="module")
def cloudy(
    beside: Beside, before: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AwsHosted]:
    """A cluster with one node in one zone; the last test destroys it."""
    assert before
    release = push_release(beside.cluster)
    made = AwsHosted(beside.cluster, NAME, tmp_path_factory.mktemp(NAME), beside=beside)
    began = time.monotonic()
    try:
        made.create_on_aws(release, (ZONE,), "--node-pool-replicas", "1", "--auto-repair")
        told(f"create cluster aws --wait: {time.monotonic() - began:.0f} s")
        yield made
    finally:
        if made.there():
            made.destroy()


@pytest.fixture(scope="module")
def pool(cloudy: AwsHosted) -> Pool:
    return cloudy.pool(ZONE)


def test_an_instance_is_a_ready_node(cloudy: AwsHosted, pool: Pool) -> None:
    [node] = pool.await_nodes(1)
    [(name, instance)] = cloudy.instances().items()
    assert node["metadata"]["name"] == name
    assert node["spec"]["providerID"] == f"aws:///{ZONE}/{instance['InstanceId']}"
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


def test_the_pool_grows_and_shrinks_with_its_instances(cloudy: AwsHosted, pool: Pool) -> None:
    pool.scale(2)
    nodes = pool.await_nodes(2)
    assert {one["metadata"]["name"] for one in nodes} == cloudy.instances().keys()
    pool.scale(1)
    [left] = pool.await_nodes(1)
    until(lambda: cloudy.instances().keys() == {left["metadata"]["name"]}, PATIENCE)
    until(lambda: len(machines(cloudy)) == 1, PATIENCE)


def test_an_instance_terminated_by_hand_is_replaced(cloudy: AwsHosted, pool: Pool) -> None:
    [(name, instance)] = cloudy.instances().items()
    began = time.monotonic()
    terminate = cloudy.beside.cloud.client("ec2").terminate_instances
    terminate(InstanceIds=[instance["InstanceId"]])
    until(lambda: len(cloudy.instances()) == 1 and name not in cloudy.instances(), PATIENCE)
    [node] = pool.await_nodes(1)
    assert node["metadata"]["name"] != name
    told(f"instance replaced after {time.monotonic() - began:.0f} s")


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


def machines(cloudy: AwsHosted) -> set[str]:
    """The instances that have a machine on this host."""
    booter = cloudy.beside.booter
    assert booter is not None
    return set(booter.known)


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
