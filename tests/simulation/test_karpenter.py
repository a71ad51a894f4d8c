"""Karpenter's operator: classes of nodes become Karpenter's, whatever happens in between."""

import asyncio
import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from tests.lib.karpenter import IMAGE, NAMESPACE, OLD_IMAGE, Cloud, Inside, controllers, prepare
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport
from tests.lib.stage import Stage, play
from tests.unit.operators.machine_approver.requests import CLIENT, SERVING, pem

from hypershift.kit import Manifest
from hypershift.kube import Client, Unavailable, kinds
from hypershift.kube.transport import WRITES
from hypershift.operators.karpenter import names
from hypershift.pki.kubelet_request import KUBERNETES, Csr
from hypershift.runtime import condition_of

Story = Callable[[Stage, Inside], Coroutine[Any, Any, None]]
UP, QUIET = 60.0, 600.0


def staged(story: Story, cloud: Cloud | None = None, **changes: Any) -> None:
    async def whole(stage: Stage) -> None:
        inside = Inside(stage)
        await prepare(stage.user, **changes)
        stage.manage(*controllers(cloud), remote_client=_guest(stage, inside))
        try:
            await story(stage, inside)
        finally:
            await inside.close()

    play(whole)


def _guest(stage: Stage, inside: Inside) -> Callable[[bytes], Client]:
    class Counted(SimTransport):
        async def request(self, request: Any) -> Any:
            stage.requests.append(request)
            return await super().request(request)

    return lambda _: Client(Counted(inside.server, rng=stage.rng), rng=stage.rng)


class Mortal(SimTransport):
    """A way to a server for a process that dies with the first write that changes something."""

    def __init__(self, written: asyncio.Event, server: SimServer, **options: Any) -> None:
        super().__init__(server, **options)
        self._written, self._store = written, server.store

    async def request(self, request: Any) -> Any:
        if self._written.is_set():
            raise Unavailable(503, message="the process is dead")
        before = self._store.revision
        answer = await super().request(request)
        others = "/events" in request.path or request.method not in WRITES
        if self._store.revision != before and not others:
            self._written.set()
        return answer


async def live_once(stage: Stage, inside: Inside, most: float) -> bool:
    """A life of the process, which ends with its first write; False if it had nothing to write."""
    dead = asyncio.Event()
    client = Client(Mortal(dead, stage.server, rng=stage.rng), rng=stage.rng)

    def guest(_: bytes) -> Client:
        return Client(Mortal(dead, inside.server, rng=stage.rng), rng=stage.rng)

    manager = stage.manage(*controllers(), client=client, remote_client=guest)
    try:
        async with asyncio.timeout(most):
            await dead.wait()
    except TimeoutError:
        return False
    finally:
        await stage.kill(manager)
    return True


def remains(stage: Stage, inside: Inside) -> dict[str, Any]:
    """What a control plane and its cluster have, without what is new with each object."""
    found: dict[str, Any] = {}
    for where, server, every in (
        ("beside", stage.server, (kinds.SECRET, kinds.CONFIG_MAP, kinds.DEPLOYMENT, kinds.ROLE)),
        ("inside", inside.server, (names.CLASS, names.EC2_CLASS, names.POOL, names.CLAIM)),
    ):
        for resource in every:
            for one in server.all(resource):
                key = f"{where} {resource.kind} {one['metadata']['name']}"
                found[key] = sorted(one["metadata"].get("finalizers") or ())
    return found


async def ours(stage: Stage, name: str = "demo") -> Manifest:
    return await stage.user.get(kinds.HOSTED_CONTROL_PLANE, name, NAMESPACE)


def test_the_default_class_becomes_karpenters_and_a_second_look_writes_nothing() -> None:
    async def story(stage: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        found = inside.all(names.EC2_CLASS)["default"]["spec"]
        assert found["amiFamily"] == "Custom"
        images = [each["id"] for each in found["amiSelectorTerms"]]
        assert images == ["ami-amd64-4.20.0", "ami-arm64-4.20.0"]
        merge = json.loads(found["userData"])["ignition"]["config"]["merge"][0]
        assert merge["source"] == "https://ignition.example.com/ignition"
        shown = inside.all(names.CLASS)["default"]["status"]
        assert shown["subnets"] == [
            {"id": "subnet-default", "zone": "eu-west-1a", "zoneID": "euw1-az1"}
        ]
        assert (shown["releaseImage"], shown["version"]) == (IMAGE, "4.20.0")
        said = {one["type"]: one["status"] for one in shown["conditions"]}
        assert said == {"Ready": "True", "VersionResolved": "True", "SupportedVersionSkew": "True"}
        listed = await stage.user.get(kinds.CONFIG_MAP, names.SUBNETS, NAMESPACE)
        assert listed["data"] == {"subnetIDs": '["subnet-default"]'}
        deployed = await stage.user.get(kinds.DEPLOYMENT, "karpenter", NAMESPACE)
        assert deployed["spec"]["replicas"] == 1
        before = len(stage.writes)
        await asyncio.sleep(QUIET)
        assert stage.writes[before:] == []

    staged(story)


async def one_write_per_life(stage: Stage, inside: Inside) -> int:
    lives = 0
    while await live_once(stage, inside, 120.0):
        lives += 1
        assert lives < 300, "no life of one write comes to an end"
    return lives


def test_a_process_that_dies_after_each_write_comes_to_the_same_end() -> None:
    async def acts(stage: Stage, inside: Inside, rest: Callable[[], Any]) -> list[dict[str, Any]]:
        seen = []
        await rest()
        spec = {"kubelet": {"maxPods": 50}, "tags": {"team": "blue"}}
        await inside.create(names.CLASS, "fast", spec=spec)
        await rest()
        seen.append(remains(stage, inside))
        patch = {"spec": {"kubelet": {"maxPods": 60}, "version": "4.19.3"}}
        await inside.user.patch(names.CLASS, "fast", patch)
        await rest()
        seen.append(remains(stage, inside))
        await inside.create(names.POOL, "on-demand", spec={})
        await inside.user.delete(names.CLASS, "fast")
        await asyncio.sleep(10)
        await rest()
        seen.append(remains(stage, inside))
        await stage.user.delete(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
        await rest()
        seen.append(remains(stage, inside))
        assert await stage.user.find(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE) is None
        return seen

    ends: list[list[dict[str, Any]]] = []

    def played(calm: bool) -> None:  # noqa: FBT001
        async def whole(stage: Stage) -> None:
            inside = Inside(stage)
            await prepare(stage.user)

            async def rest() -> None:
                if calm:
                    await asyncio.sleep(120)
                else:
                    await one_write_per_life(stage, inside)

            if calm:
                stage.manage(*controllers(), remote_client=_guest(stage, inside))
            try:
                ends.append(await acts(stage, inside, rest))
            finally:
                await inside.close()

        play(whole)

    played(calm=True)
    played(calm=False)
    calm, broken = ends
    for before, after in zip(calm, broken, strict=True):
        assert after == before
    assert "inside OpenshiftEC2NodeClass fast" not in broken[2]
    assert not any("karpenter-kubelet-fast" in each for each in broken[2])
    assert not any(each.startswith("inside NodeClaim") for each in broken[3])


async def class_of(inside: Inside, name: str) -> Manifest:
    return await inside.user.get(names.CLASS, name)


def test_pods_that_may_not_be_evicted_keep_no_cluster_from_going() -> None:
    async def story(stage: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        await inside.create(names.POOL, "on-demand", spec={})
        await asyncio.sleep(20)
        counted = (await ours(stage))["status"]["autoNode"]
        assert counted == {"nodeCount": 1, "nodeClaimCount": 1, "vcpus": 4}
        inside.blocked = True
        await stage.user.delete(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
        await asyncio.sleep(120)
        assert inside.all(names.CLAIM) == inside.all(kinds.NODE) == {}
        assert await stage.user.find(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE) is None

    staged(story)


def test_nodes_go_with_cluster_apis_cluster_and_the_finalizer_with_the_control_plane() -> None:
    async def story(stage: Stage, inside: Inside) -> None:
        cluster = {
            "apiVersion": kinds.CAPI_CLUSTER.api_version,
            "kind": "Cluster",
            "metadata": {
                "name": "demo-7x2kf",
                "namespace": NAMESPACE,
                "finalizers": ["example.com/keep"],
            },
        }
        await stage.user.create(cluster)
        await asyncio.sleep(UP)
        await inside.create(names.POOL, "on-demand", spec={})
        await asyncio.sleep(20)
        await stage.user.delete(kinds.CAPI_CLUSTER, "demo-7x2kf", NAMESPACE)
        await asyncio.sleep(90)
        assert inside.all(names.POOL) == inside.all(names.CLAIM) == {}
        left = (await ours(stage))["metadata"]["finalizers"]
        assert left == ["hypershift.openshift.io/karpenter-finalizer"]

    staged(story)


def test_the_kubelet_of_a_class_has_its_settings_and_the_taint_and_nothing_twice() -> None:
    async def story(stage: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        spec = {"kubelet": {"maxPods": 50, "registerWithTaints": []}}
        await inside.create(names.CLASS, "small", spec=spec)
        await asyncio.sleep(30)
        found = await stage.user.get(kinds.CONFIG_MAP, "karpenter-kubelet-small", NAMESPACE)
        assert "karpenter.sh/unregistered" in found["data"]["config"]
        assert "maxPods: 50" in found["data"]["config"]
        assert inside.all(names.EC2_CLASS)["small"]["spec"]["kubelet"] == {"maxPods": 50}
        pool = {
            each["metadata"]["name"]: each
            for each in stage.server.all(kinds.SECRET)
            if "token-small-karpenter" in each["metadata"]["name"]
        }
        (token,) = pool.values()
        config = gzip.decompress(b64decode(b64decode(token["data"]["config"]))).decode()
        assert config.count("kind: KubeletConfig") == 1

    staged(story)


def test_a_version_is_resolved_or_says_why_not() -> None:
    async def story(_: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        for name, version in (("old", "4.19.3"), ("newer", "4.21.0"), ("unknown", "4.18.1")):
            await inside.create(names.CLASS, name, spec={"version": version})
        await asyncio.sleep(60)
        old, newer, unknown = [
            (await class_of(inside, each))["status"] for each in ("old", "newer", "unknown")
        ]
        assert (old["releaseImage"], old["version"]) == (OLD_IMAGE, "4.19.3")
        assert inside.all(names.EC2_CLASS)["old"]["spec"]["amiSelectorTerms"][0] == {
            "id": "ami-amd64-4.19.3"
        }
        for each, why in ((newer, "the latest version supported is"), (unknown, "not found")):
            told = condition_of({"status": each}, "VersionResolved") or {}
            assert (told["status"], told["reason"]) == ("False", "ResolutionFailed")
            assert why in told["message"]
            assert (condition_of({"status": each}, "Ready") or {})["status"] == "False"
        assert set(inside.all(names.EC2_CLASS)) == {"default", "old"}

    staged(story)


def test_new_user_data_takes_the_place_of_the_old_and_the_old_token_expires() -> None:
    async def story(stage: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        before = inside.all(names.EC2_CLASS)["default"]["spec"]["userData"]
        patch = {"spec": {"configuration": {"proxy": {"httpProxy": "http://proxy.example.com"}}}}
        await stage.user.patch(kinds.HOSTED_CONTROL_PLANE, "demo", patch, NAMESPACE)
        await asyncio.sleep(60)
        assert inside.all(names.EC2_CLASS)["default"]["spec"]["userData"] != before
        secrets = {each["metadata"]["name"]: each for each in stage.server.all(kinds.SECRET)}
        assert len([each for each in secrets if each.startswith("user-data-")]) == 1
        tokens = [each for name, each in secrets.items() if name.startswith("token-")]
        expires = "hypershift.openshift.io/ignition-token-expiration-timestamp"
        ending = [expires in each["metadata"]["annotations"] for each in tokens]
        assert sorted(ending) == [False, True]

    staged(story)


def test_what_users_change_of_ours_is_set_right() -> None:
    async def story(_: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        patch = {"spec": {"tags": {"mine": "yes"}}}
        await inside.user.patch(names.CLASS, "default", patch)
        await inside.user.delete(kinds.VALIDATING_ADMISSION_POLICY, names.POLICY)
        await asyncio.sleep(30)
        assert "tags" not in (await class_of(inside, "default"))["spec"]
        assert inside.all(kinds.VALIDATING_ADMISSION_POLICY)

    staged(story)


class Found:
    """An instance as the cloud tells of it."""

    private_name = "ip-10-0-0-9.eu-west-1.compute.internal"
    names = frozenset({private_name})
    addresses = frozenset({"10.0.0.9"})


INSTANCE = "i-0123456789abcdef9"


async def a_claim(inside: Inside, **status: str) -> None:
    await inside.create(names.CLAIM, "on-demand-9", spec={})
    found = {"providerID": f"aws:///eu-west-1a/{INSTANCE}", **status}
    await inside.user.patch(names.CLAIM, "on-demand-9", {"status": found}, subresource="status")


async def a_request(inside: Inside, csr: Csr) -> None:
    identity = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest"}
    spec = {
        "request": b64encode(csr.request).decode(),
        "signerName": csr.signer,
        "username": csr.user,
        "groups": list(csr.groups),
        "usages": list(csr.usages),
    }
    await inside.user.create(identity | {"metadata": {"name": csr.name}, "spec": spec})


def approved(inside: Inside) -> set[str]:
    found = inside.all(kinds.CERTIFICATE_SIGNING_REQUEST)
    return {name for name, one in found.items() if (one.get("status") or {}).get("conditions")}


def test_the_requests_of_karpenters_instances_are_approved_and_no_others() -> None:
    cloud = Cloud()
    cloud.instances[INSTANCE] = Found()

    async def story(_: Stage, inside: Inside) -> None:
        await asyncio.sleep(UP)
        await a_claim(inside)
        user, groups = KUBERNETES.user, tuple(KUBERNETES.groups)
        node = f"system:node:{Found.private_name}"
        client = replace(CLIENT, user=user, groups=groups, request=pem(node))
        await a_request(inside, replace(client, name="good"))
        await a_request(inside, replace(client, name="other", request=pem("system:node:other")))
        await a_request(inside, replace(client, name="somebody", user="somebody"))
        await asyncio.sleep(30)
        assert approved(inside) == {"good"}
        status = {"status": {"nodeName": Found.private_name}}
        await inside.user.patch(names.CLAIM, "on-demand-9", status, subresource="status")
        serving = replace(SERVING, user=node)
        for name, dns, addresses in (
            ("serving", (Found.private_name,), ("10.0.0.9",)),
            ("address", (Found.private_name,), ("10.0.0.10",)),
            ("name", ("kubernetes.default.svc",), ("10.0.0.9",)),
        ):
            wanted = replace(serving, name=name, request=pem(node, dns=dns, ips=addresses))
            await a_request(inside, wanted)
        await asyncio.sleep(60)
        assert approved(inside) == {"good", "serving"}

    staged(story, cloud)
