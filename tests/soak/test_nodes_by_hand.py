"""Platform None: a machine that its owner boots from the pool's user data becomes a node."""

import asyncio
import base64
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.e2e.embedded import Cluster, Manifest, a_pod, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import is_ready
from tests.lib.planes import named

from hypershift import parts, payload
from hypershift.local.machine import Attachment, Machine, MachineSpec, Metadata, rootfs, sweep
from hypershift.local.units.resolver import HOSTED_DOMAIN, REGISTRY_HOST

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

NAME, SCOPE = "mine", "byhand"
ADDRESS = "InternalIP"


PORTS, NAMES = "ports", "names"


@pytest.fixture(scope="module", params=[NAMES, PORTS])
def way(request: pytest.FixtureRequest) -> str:
    """By node ports of the first management node, or by Routes."""
    return str(request.param)


@pytest.fixture(scope="module")
def mine(cluster: Cluster, way: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    files = tmp_path_factory.mktemp("none")
    pull_secret = files / "auth.json"
    pull_secret.write_text(json.dumps({"auths": {}}))
    made = Hosted(cluster, NAME, files)
    where = ("--name", NAME, "--namespace", made.namespace)
    release = str(payload.release_reference(parts.KUBERNETES))
    try:
        rendered = made.hypershift(
            *("create", "cluster", "none", *where, "--release-image", release),
            *("--pull-secret", str(pull_secret), "--node-pool-replicas", "1"),
            *("--external-api-server-address", first_node(cluster)),
            *("--render", "--render-sensitive"),
        )
        cluster.apply(*(published(way, one) for one in yaml.safe_load_all(rendered.stdout)))
        made.await_condition("Available")
        yield made
    finally:
        made.hypershift("destroy", "cluster", "none", *where)


def published(way: str, manifest: Manifest) -> Manifest:
    if way == NAMES and manifest["kind"] == "HostedCluster":
        # four are asked for; a hosted Kubernetes has no use for the last one
        oauth = {"type": "Route", "route": {"hostname": f"oauth-{NAME}.{HOSTED_DOMAIN}"}}
        fourth = {"service": "OAuthServer", "servicePublishingStrategy": oauth}
        manifest["spec"]["services"] = [*named(NAME, HOSTED_DOMAIN), fourth]
    return manifest


def first_node(cluster: Cluster) -> str:
    addresses = cluster.get("nodes")[0]["status"]["addresses"]
    return str(next(one["address"] for one in addresses if one["type"] == ADDRESS))


@pytest.fixture
def machine(mine: Hosted, tmp_path: Path) -> Iterator[Machine]:
    """A machine of the user's own with the pool's user data, not yet switched on."""
    plan = mine.management.spec.plan
    image, mirrors = (
        mine.management.images["machine-os"],
        {REGISTRY_HOST: f"http://{plan.registry}"},
    )
    tree = asyncio.run(rootfs.tree_from_registry(image, mine.management.where.trees, mirrors))
    made = Machine(
        MachineSpec(
            name=NAME,
            scope=SCOPE,
            os_tree=tree,
            directory=tmp_path / NAME,
            network=Attachment(
                bridge=plan.bridge,
                # the provider of Local machines begins at the other end
                address=f"{plan.hosted_machines[-10]}/{plan.machines.prefixlen}",
                gateway=str(plan.gateway),
                resolvers=(str(plan.gateway),),
            ),
            metadata=Metadata(hostname=NAME),
        )
    )
    try:
        made.create(user_data(mine))
        yield made
    finally:
        asyncio.run(made.destroy())
        sweep(SCOPE)


def user_data(mine: Hosted) -> bytes:
    """What the pool has for machines, as its owner reads it."""

    def there() -> Manifest | None:
        found = mine.management.get("secrets", "-n", mine.plane)
        names = (one for one in found if one["metadata"]["name"].startswith(f"user-data-{NAME}-"))
        return next(names, None)

    secret: Manifest = mine.until(there, "user data")
    return base64.b64decode(secret["data"]["value"])


def test_a_machine_booted_by_hand_becomes_a_node_once_its_owner_approves(
    mine: Hosted, machine: Machine, way: str
) -> None:
    began = time.monotonic()
    asyncio.run(machine.boot())
    client = until(lambda: pending(mine, "kubernetes.io/kube-apiserver-client-kubelet"), PATIENCE)
    time.sleep(5)
    assert pending(mine, client["spec"]["signerName"]), "nobody but its owner knows the machine"
    approve(mine, client)
    approve(mine, until(lambda: pending(mine, "kubernetes.io/kubelet-serving"), PATIENCE))
    mine.until(lambda: any(map(is_ready, mine.get("nodes"))), "node", lambda: mine.get("nodes"))
    sys.stdout.write(f"\n  node Ready after {time.monotonic() - began:.0f} s\n")
    assert [one["metadata"]["name"] for one in mine.get("nodes")] == [NAME]
    reached = until(lambda: condition(mine, "ReachedIgnitionEndpoint"), PATIENCE)
    assert reached["status"] == "True"
    runs_pods(mine)
    is_published(mine, way)


def is_published(mine: Hosted, way: str) -> None:
    """Everything is where it was asked to be, and nothing has an address beside that."""
    kinds = {
        one["metadata"]["name"]: one["spec"]["type"]
        for one in mine.management.get("services", "-n", mine.plane)
    }
    balanced = [name for name, kind in kinds.items() if kind == "LoadBalancer"]
    ignition = mine.resource()["status"]["ignitionEndpoint"]
    if way == NAMES:
        assert mine.endpoint() == (f"api-{NAME}.{HOSTED_DOMAIN}", 443)
        assert ignition == f"ignition-{NAME}.{HOSTED_DOMAIN}"
        assert balanced == ["router"]
        assert "NodePort" not in kinds.values()
    else:
        assert mine.endpoint()[0] == ignition.partition(":")[0] == first_node(mine.management)
        assert balanced == []


def runs_pods(mine: Hosted) -> None:
    """A pod starts on it and its log comes through the tunnel."""
    mine.apply(a_pod("hello", mine.management.busybox, "echo hello; exec sleep 1000"))
    mine.kubectl("wait", "pod/hello", "--for=condition=Ready", "--timeout=180s")
    assert until(lambda: mine.kubectl("logs", "hello"), PATIENCE).strip() == "hello"
    mine.await_condition("DataPlaneConnectionAvailable")


def pending(mine: Hosted, signer: str) -> Manifest | None:
    """A certificate request that nobody has answered."""
    for found in mine.get("csr"):
        if found["spec"]["signerName"] == signer and not found.get("status", {}).get("conditions"):
            request: Manifest = found
            return request
    return None


def approve(mine: Hosted, request: Manifest) -> None:
    mine.kubectl("certificate", "approve", request["metadata"]["name"])


def condition(mine: Hosted, kind: str) -> Manifest | None:
    pool = mine.management.get("nodepool", NAME, "-n", mine.namespace)
    found: list[Manifest] = pool.get("status", {}).get("conditions", [])
    return next((one for one in found if one["type"] == kind), None)
