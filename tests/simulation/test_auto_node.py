"""AutoNode by the HyperShift operator: Karpenter's operator comes, goes and is reported."""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Coroutine
from typing import Any

from tests.lib.aws import ROLES, WithProvider, routed
from tests.lib.karpenter import IMAGE, REGION, Releases
from tests.lib.planes import a_cluster, prepare
from tests.lib.stage import Stage, play

from hypershift.api.conditions import HostedClusterCondition
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.runtime import condition_of

HOME, PLACE = "clusters", "clusters-demo"
NAMES = ("karpenter", "karpenter-operator")
FINALIZER = "hypershift.openshift.io/karpenter-finalizer"
WANTED = {
    "provisionerConfig": {
        "name": "Karpenter",
        "karpenter": {
            "platform": "AWS",
            "aws": {"roleARN": "arn:aws:iam::123456789012:role/karpenter"},
        },
    }
}


def the_cluster(**spec: Any) -> Manifest:
    aws = {
        "region": REGION,
        "rolesRef": ROLES,
        "endpointAccess": "Public",
        "cloudProviderConfig": {"vpc": "vpc-1", "subnet": {"id": "subnet-0"}},
    }
    return a_cluster(
        "demo",
        **{
            "release": {"image": IMAGE},
            "platform": {"type": "AWS", "aws": aws},
            "services": routed("demo"),
            "infraID": "demo-7x2kf",
            "networking": {
                "networkType": "OVNKubernetes",
                "machineNetwork": [{"cidr": "10.0.0.0/16"}],
            },
            "autoNode": WANTED,
            **spec,
        },
    )


Story = Callable[[Stage], Coroutine[Any, Any, None]]


def staged(story: Story, **spec: Any) -> None:
    async def whole(stage: Stage) -> None:
        stage.server.catalog.add(AWS_CLUSTER)
        await prepare(stage.user)
        settings = Settings(image="registry.example/hypershift:1")
        environment = hosted_cluster.Environment(settings, WithProvider(Releases()))
        stage.manage(hosted_cluster.controller(environment))
        await stage.user.create(the_cluster(**spec))
        await asyncio.sleep(20)
        await start(stage)
        await story(stage)

    play(whole)


async def start(stage: Stage) -> None:
    """What the control plane's own operators do that Karpenter's waits for."""
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "hcco-kubeconfig", "namespace": PLACE},
        "data": {"kubeconfig": b64encode(b"way").decode()},
    }
    await stage.user.create(secret)
    status = {
        "kubeConfig": {"name": "admin-kubeconfig", "key": "kubeconfig"},
        "ready": True,
        "initialized": True,
        "externalManagedControlPlane": True,
        "autoNode": {"nodeCount": 1, "nodeClaimCount": 1, "vcpus": 4},
    }
    place = (kinds.HOSTED_CONTROL_PLANE, "demo", {"status": status}, PLACE)
    await stage.user.patch(*place, subresource="status")
    await asyncio.sleep(60)


async def deployed(stage: Stage) -> set[str]:
    found = await stage.user.list(kinds.DEPLOYMENT, PLACE)
    return {each["metadata"]["name"] for each in found} & set(NAMES)


async def told(stage: Stage, kind: str = HostedClusterCondition.AUTO_NODE_ENABLED) -> Manifest:
    found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", HOME)
    return condition_of(found, kind) or {}


async def component(stage: Stage, name: str) -> None:
    """Karpenter's operator brings Karpenter, and both are rolled out."""
    made = {
        "apiVersion": kinds.CONTROL_PLANE_COMPONENT.api_version,
        "kind": "ControlPlaneComponent",
        "metadata": {"name": name, "namespace": PLACE},
        "spec": {},
    }
    if await stage.user.find(kinds.CONTROL_PLANE_COMPONENT, name, PLACE) is None:
        await stage.user.create(made)
    done = {
        "type": "RolloutComplete",
        "status": "True",
        "reason": "AsExpected",
        "message": "",
        "lastTransitionTime": "2030-01-01T00:00:00Z",
    }
    patch = {"status": {"conditions": [done]}}
    await stage.user.patch(kinds.CONTROL_PLANE_COMPONENT, name, patch, PLACE, subresource="status")


def test_karpenters_operator_runs_and_a_second_look_writes_nothing() -> None:
    async def story(stage: Stage) -> None:
        assert (await told(stage, "SupportedHostedCluster"))["status"] == "True"
        assert await deployed(stage) == {"karpenter-operator"}
        found = await stage.user.get(kinds.DEPLOYMENT, "karpenter-operator", PLACE)
        container = found["spec"]["template"]["spec"]["containers"][0]
        assert container["command"] == ["/usr/bin/karpenter-operator"]
        assert any(each.startswith("--ignition-endpoint=ignition") for each in container["args"])
        said = await told(stage)
        assert (said["status"], said["reason"]) == ("False", "AutoNodeProgressing")
        before = len(stage.writes)
        await asyncio.sleep(600)
        assert stage.writes[before:] == []

    staged(story)


def test_it_is_reported_when_both_are_rolled_out() -> None:
    async def story(stage: Stage) -> None:
        await component(stage, "karpenter")
        done = {"type": "Available", "status": "True"}
        status = {
            "conditions": [done],
            "observedGeneration": 1,
            **dict.fromkeys(("replicas", "updatedReplicas", "availableReplicas"), 1),
            "readyReplicas": 1,
        }
        place = (kinds.DEPLOYMENT, "karpenter-operator", {"status": status}, PLACE)
        await stage.user.patch(*place, subresource="status")
        await asyncio.sleep(60)
        assert (await told(stage))["status"] == "True"
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", HOME)
        assert found["status"]["autoNode"]["nodeCount"] == 1

    staged(story)


def test_switched_off_nothing_of_it_is_left() -> None:
    async def story(stage: Stage) -> None:
        taint = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "set-karpenter-taint", "namespace": PLACE},
        }
        await stage.user.create(taint)
        pod = (await stage.user.get(kinds.DEPLOYMENT, "karpenter-operator", PLACE))["spec"]
        await stage.user.create(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": "karpenter", "namespace": PLACE},
                "spec": pod,
            }
        )
        await component(stage, "karpenter")
        await stage.user.patch(kinds.HOSTED_CLUSTER, "demo", {"spec": {"autoNode": None}}, HOME)
        await asyncio.sleep(90)
        assert await deployed(stage) == set()
        for kind in (kinds.ROLE, kinds.ROLE_BINDING, kinds.SERVICE_ACCOUNT):
            left = {each["metadata"]["name"] for each in await stage.user.list(kind, PLACE)}
            assert not left & set(NAMES)
        assert await stage.user.list(kinds.CONTROL_PLANE_COMPONENT, PLACE) == []
        assert await stage.user.find(kinds.CONFIG_MAP, "set-karpenter-taint", PLACE) is None
        assert await stage.user.find(kinds.SECRET, "karpenter-credentials", PLACE) is None
        plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)
        assert "autoNode" not in plane["status"]
        assert (await told(stage))["reason"] == "AutoNodeNotConfigured"
        before = len(stage.writes)
        await asyncio.sleep(600)
        assert stage.writes[before:] == []

    staged(story)


async def keep(stage: Stage, *, serves: bool) -> None:
    """Karpenter's operator has put its finalizer on; the API server runs or not."""
    patch = {"metadata": {"finalizers": [FINALIZER]}}
    await stage.user.patch(kinds.HOSTED_CONTROL_PLANE, "demo", patch, PLACE)
    pod = (await stage.user.get(kinds.DEPLOYMENT, "karpenter-operator", PLACE))["spec"]
    server = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "kube-apiserver", "namespace": PLACE},
        "spec": pod,
    }
    await stage.user.create(server)
    status = {"conditions": [{"type": "Available", "status": str(serves)}]}
    place = (kinds.DEPLOYMENT, "kube-apiserver", {"status": status}, PLACE)
    await stage.user.patch(*place, subresource="status")


async def deleted(stage: Stage) -> Manifest | None:
    await stage.user.delete(kinds.HOSTED_CLUSTER, "demo", HOME)
    await asyncio.sleep(120)
    return await stage.user.find(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)


def test_without_an_api_server_nobody_waits_for_karpenter() -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, serves=False)
        assert await deleted(stage) is None

    staged(story)


def test_while_karpenter_works_the_control_plane_waits_for_it() -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, serves=True)
        plane = await deleted(stage)
        assert plane is not None
        assert plane["metadata"]["finalizers"] == [FINALIZER]

    staged(story)


def test_on_another_platform_it_is_refused() -> None:
    async def story(stage: Stage) -> None:
        said = await told(stage, "SupportedHostedCluster")
        assert said["status"] == "False"
        assert "spec.autoNode" in said["message"]

    async def whole(stage: Stage) -> None:
        await prepare(stage.user)
        environment = hosted_cluster.Environment(Settings(), WithProvider(Releases()))
        stage.manage(hosted_cluster.controller(environment))
        network = {"networkType": "Other"}
        wanted = a_cluster("demo", release={"image": IMAGE}, networking=network, autoNode=WANTED)
        await stage.user.create(wanted)
        await asyncio.sleep(20)
        await story(stage)

    play(whole)
