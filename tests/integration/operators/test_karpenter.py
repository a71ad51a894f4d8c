"""Karpenter's operator on a real API server: it accepts what we write, by Karpenter's own rules."""

import asyncio
import copy
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from tests.lib.karpenter import NAMESPACE, controllers, prepare
from tests.lib.server import RealServer, available, real_server

from hypershift.api.schema.manifests import crds
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Resource, kinds
from hypershift.operators.karpenter import names
from hypershift.runtime import Manager, condition_of

pytestmark = pytest.mark.integration
SECONDS = 90.0
#: A class that says something of everything.
EVERYTHING: Manifest = {
    "blockDeviceMappings": [
        {
            "deviceName": "/dev/xvda",
            "rootVolume": "RootVolume",
            "ebs": {
                "deleteOnTermination": "Delete",
                "encrypted": "Encrypted",
                "iops": 3000,
                "throughput": 125,
                "volumeSizeGiB": 50,
                "volumeType": "GP3",
            },
        }
    ],
    "capacityReservationSelectorTerms": [{"id": "cr-0123456789abcdef0"}],
    "instanceStorePolicy": "RAID0",
    "ipAddressAssociation": "Public",
    "kubelet": {
        "maxPods": 100,
        "evictionHard": {"memory.available": "5%"},
        "evictionSoft": {"memory.available": "10%"},
        "evictionSoftGracePeriod": {"memory.available": "1m30s"},
        "systemReserved": {"cpu": "100m"},
        "kubeReserved": {"memory": "200Mi"},
        "imageGCHighThresholdPercent": 80,
        "imageGCLowThresholdPercent": 70,
        "cpuCFSQuota": True,
        "podsPerCore": 10,
    },
    "metadataOptions": {
        "access": "HTTPEndpoint",
        "httpIPProtocol": "IPv4",
        "httpPutResponseHopLimit": 2,
        "httpTokens": "Required",
    },
    "monitoring": "Detailed",
    "securityGroupSelectorTerms": [{"tags": {"team": "blue"}}],
    "subnetSelectorTerms": [{"id": "subnet-0123456789abcdef0"}],
    "tags": {"team": "blue"},
    "version": "4.19.3",
}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available():
        pytest.skip("the parts etcd and kube-apiserver are not here")
    with real_server(tmp_path_factory.mktemp("both")) as started:
        yield started


def as_user(server: RealServer, token: str) -> Client:
    config = copy.deepcopy(server.kubeconfig)
    config["users"][0]["user"] = {"token": token}
    return Client.from_kubeconfig_dict(config, manager=token)


@asynccontextmanager
async def running(server: RealServer) -> AsyncIterator[Client]:
    """The operator at work; the server is management and hosted cluster in one."""
    async with server.client() as user, server.client("operator") as theirs:
        for definition in crds():
            await user.create(definition)
        await eventually(user, kinds.HOSTED_CONTROL_PLANE)
        await prepare(user)
        inside = as_user(server, "configurer")
        manager = Manager(theirs, controllers(), remote_client=lambda _: inside)
        task = asyncio.create_task(manager.run())
        try:
            yield user
        finally:
            manager.stop()
            await asyncio.gather(task, return_exceptions=True)


async def eventually(client: Client, resource: Resource, name: str = "", field: str = "") -> Any:
    """The object once it is there, and has that part of a status."""
    async with asyncio.timeout(SECONDS):
        while True:
            with suppress(ApiError):
                if not name:
                    return await client.list(resource)
                found = await client.find(resource, name)
                if found is not None and (not field or field in (found.get("status") or {})):
                    return found
            await asyncio.sleep(0.5)


async def gone(client: Client, name: str) -> None:
    """Wait until a class is gone."""
    async with asyncio.timeout(SECONDS):
        while True:
            if await client.find(names.CLASS, name) is None:
                return
            await asyncio.sleep(0.5)


async def test_karpenters_own_rules_accept_what_we_write(server: RealServer) -> None:
    async with running(server) as user:
        await eventually(user, names.EC2_CLASS, "default")
        everything = {
            "apiVersion": names.CLASS.api_version,
            "kind": names.CLASS.kind,
            "metadata": {"name": "everything"},
            "spec": EVERYTHING,
        }
        await user.create(everything)
        made = await eventually(user, names.EC2_CLASS, "everything")
        assert made["spec"]["kubelet"]["evictionSoftGracePeriod"] == {"memory.available": "1m30s"}
        shown = await eventually(user, names.CLASS, "everything", "conditions")
        resolved = condition_of(shown, "VersionResolved") or {}
        assert (resolved["status"], shown["status"]["version"]) == ("True", "4.19.3")
        plane = await user.get(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
        assert plane["metadata"]["finalizers"] == ["hypershift.openshift.io/karpenter-finalizer"]
        assert plane["status"]["autoNode"] == {"nodeCount": 0, "nodeClaimCount": 0, "vcpus": 0}
        pool = {
            "apiVersion": names.POOL.api_version,
            "kind": names.POOL.kind,
            "metadata": {"name": "on-demand"},
            "spec": {
                "template": {
                    "spec": {
                        "nodeClassRef": {
                            "group": names.EC2_CLASS.group,
                            "kind": names.EC2_CLASS.kind,
                            "name": "default",
                        },
                        "requirements": [
                            {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}
                        ],
                    }
                }
            },
        }
        assert (await user.create(pool))["spec"]["template"]


async def test_nobody_but_us_writes_what_karpenter_reads(server: RealServer) -> None:
    async with running(server) as user:
        await eventually(user, names.EC2_CLASS, "default")
        await asyncio.sleep(3)  # the server takes a moment to apply a new policy
        patch = {"spec": {"userData": "mine"}}
        with pytest.raises(ApiError, match="please use OpenshiftEC2NodeClass"):
            await user.patch(names.EC2_CLASS, "default", patch)
        kept = {"metadata": {"finalizers": ["karpenter.k8s.aws/termination"]}}
        await user.patch(names.EC2_CLASS, "default", kept)


async def test_a_class_is_deleted_with_everything_that_was_made_of_it(server: RealServer) -> None:
    async with running(server) as user:
        identity = {"apiVersion": names.CLASS.api_version, "kind": names.CLASS.kind}
        spec = {"kubelet": {"maxPods": 50}}
        await eventually(user, names.EC2_CLASS, "default")
        await user.create(identity | {"metadata": {"name": "fast"}, "spec": spec})
        await eventually(user, names.EC2_CLASS, "fast")
        assert await user.find(kinds.CONFIG_MAP, "karpenter-kubelet-fast", NAMESPACE)
        await user.delete(names.CLASS, "fast")
        await gone(user, "fast")
        assert await user.find(names.EC2_CLASS, "fast") is None
        assert await user.find(kinds.CONFIG_MAP, "karpenter-kubelet-fast", NAMESPACE) is None
