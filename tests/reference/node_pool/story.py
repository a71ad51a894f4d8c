"""One case of the vectors: its objects in a simulated API server, and the passes over its pool."""

import base64
import copy
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.lib import virtual
from tests.lib.pools import MACHINES
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport
from tests.reference.node_pool import cluster_api

from hypershift.ignition import token
from hypershift.kit import Key, Manifest, Secret, TransientError, annotations_of
from hypershift.kube import Client, Resource, kinds
from hypershift.operators.hypershift import Mode, Settings, node_pool, ownership
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.operator_image import OperatorImages
from hypershift.operators.hypershift.ownership import Owner
from hypershift.platforms.aws.machine_template import MACHINE as AWS_MACHINE
from hypershift.platforms.kubevirt.boot_image import DATA_VOLUME
from hypershift.platforms.kubevirt.machine_template import MACHINE as KUBEVIRT_MACHINE
from hypershift.platforms.openstack.machine_template import CLUSTER, IMAGE
from hypershift.platforms.powervs.machine_template import IMAGE as POWERVS_IMAGE
from hypershift.release import BootImages, Product, Release
from hypershift.runtime.reconciler import Reconciler

POOL = Key("clusters", "workers")
PLANE = "clusters-demo"
EXTRA_KINDS = (
    AWS_MACHINE,
    CLUSTER,
    DATA_VOLUME,
    IMAGE,
    KUBEVIRT_MACHINE,
    POWERVS_IMAGE,
    *(machines.resource for machines in MACHINES.values()),
)


def read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(), yaml.CSafeLoader)
    return loaded


class Releases:
    """Releases whose version is the tag of their image, with the contents of the case."""

    def __init__(self, contents: dict[str, Any]) -> None:
        streams = contents["streams"]
        self._images = contents["tags"]
        self._boot = BootImages(streams["rhel-9"], streams)

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        version = re.sub(r"-(x86_64|multi|aarch64)$", "", image.rpartition(":")[2])
        if not re.match(r"\d+\.\d+\.\d+", version):
            raise TransientError("unable to lookup release image")
        return Release(version, Product.OPENSHIFT, self._images, image, boot_images=self._boot)


#: As the original runs: each cluster has an operator of its own.
DEDICATED = Settings(mode=Mode.DEDICATED, image="registry.example/hypershift")


@dataclass(frozen=True)
class Images:
    """A registry in which every image has the same labels."""

    said: dict[str, str]

    async def labels(self, image: str, pull_secret: Secret[bytes]) -> dict[str, str]:
        del image, pull_secret
        return self.said


class Story:
    """The world of a case, and what happens in it."""

    def __init__(self, inputs: Path, case: str) -> None:
        """Read the case on top of what holds for all of them."""
        common, self.case = read(inputs / "every-case.yaml"), read(inputs / f"{case}.yaml")
        release = common["release"] | (self.case.get("release") or {})
        zero = self.case.get("scaleFromZeroPlatform")
        self.environment = node_pool.Environment(
            Releases(release),
            scale_from_zero=frozenset({zero} if zero else ()),
            operators=OperatorImages(DEDICATED, Images(release["controlPlaneOperatorLabels"])),
        )
        self.common = common["objects"]
        self.clock = virtual.VirtualClock()
        self.server = SimServer(rng=random.Random(1))  # noqa: S311 - a case repeats itself
        for resource in EXTRA_KINDS:
            self.server.catalog.add(resource)
        self.kube = Client(SimTransport(self.server, name="case"), manager="case")
        self.uids: dict[str, str] = {}
        self.before: dict[tuple[str, str, str], Manifest] = {}
        self.passes: list[Manifest] = []

    # The world

    async def prepare(self) -> None:
        """Put everything in place that the case starts with."""
        removed = set(self.case.get("without") or ())
        for namespace in ("clusters", PLANE, "infra-ns"):
            await self.kube.create(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
            )
        objects = {_name(one): one for one in self.common if _name(one) not in removed}
        objects |= {_name(one): one for one in self.case.get("objects") or ()}
        cluster = self.case["hostedCluster"]
        if "kubeConfig" in (cluster.get("status") or {}):
            cluster["status"]["kubeconfig"] = cluster["status"].pop("kubeConfig")
        for manifest in (*objects.values(), cluster, self.case["nodePool"]):
            await self._create(cluster_api.newer(manifest))
        name, namespace = cluster["metadata"]["name"], cluster["metadata"]["namespace"]
        uid = (await self.kube.get(kinds.HOSTED_CLUSTER, name, namespace))["metadata"]["uid"]
        mark = ownership.mark(Owner(Key(namespace, name), uid))
        await self.kube.patch(kinds.NAMESPACE, PLANE, {"metadata": {"annotations": mark}})
        self.before = self.state()

    async def _create(self, manifest: Manifest) -> None:
        made = await self.kube.create(copy.deepcopy(manifest))
        if uid := manifest["metadata"].get("uid"):
            self.uids[made["metadata"]["uid"]] = uid
        if status := manifest.get("status"):
            await self._status(await self.kube.resource_of(manifest), manifest["metadata"], status)

    async def _status(self, resource: Resource, metadata: Manifest, status: Manifest) -> None:
        namespace = metadata.get("namespace", "")
        await self.kube.patch(
            resource, metadata["name"], {"status": status}, namespace, subresource="status"
        )

    def state(self) -> dict[tuple[str, str, str], Manifest]:
        """Every object but events and namespaces, with the uids of the case."""
        found = {}
        for record in self.server.store.everything():
            manifest = record.manifest
            if manifest["kind"] not in ("Event", "Namespace"):
                metadata = manifest["metadata"]
                where = (manifest["kind"], metadata.get("namespace", ""), metadata["name"])
                found[where] = copy.deepcopy(manifest)
        return found

    # The passes

    async def play(self) -> None:
        """Reconcile once for each pass, after what is done before it."""
        for step in self.case.get("passes") or [{}]:
            await self._observe_all()
            await self._before(step)
            self.passes.append(await self._reconcile())

    async def _observe_all(self) -> None:
        """In the vectors no generation ever moves: every status speaks of the current one."""
        for found in await self.kube.list(kinds.MACHINE_DEPLOYMENT, PLANE):
            status = {"observedGeneration": cluster_api.ANY_GENERATION}
            await self._status(kinds.MACHINE_DEPLOYMENT, found["metadata"], status)

    async def _before(self, step: dict[str, Any]) -> None:
        for key, resource in (
            ("hostedCluster", kinds.HOSTED_CLUSTER),
            ("nodePool", kinds.NODE_POOL),
        ):
            if patch := step.get(key):
                await self._patch(resource, key, patch)
        if step.get("ignited"):
            payload = {"reason": token.AS_EXPECTED, "message": token.GENERATED}
            await self._tokens(payload, {token.REACHED: "True"})
        if "payload" in step:
            await self._tokens(step["payload"], {})
        if step.get("rolledOut"):
            await self._roll_out()
        if marks := step.get("machineSetAnnotations"):
            patch = {"metadata": {"annotations": marks}}
            await self.kube.patch(kinds.MACHINE_SET, POOL.name, patch, PLANE)
        if conditions := step.get("machineHealthCheckConditions"):
            await self._status(
                kinds.MACHINE_HEALTH_CHECK,
                {"name": POOL.name, "namespace": PLANE},
                {"conditions": conditions},
            )
        if step.get("delete"):
            await self.kube.delete(kinds.NODE_POOL, POOL.name, POOL.namespace)

    async def _patch(self, resource: Resource, key: str, patch: dict[str, Any]) -> None:
        metadata = self.case[key]["metadata"]
        patch = dict(patch)
        if status := patch.pop("status", None):
            await self._status(resource, metadata, status)
        if patch:
            await self.kube.patch(resource, metadata["name"], patch, metadata["namespace"])

    async def _tokens(self, values: dict[str, str], marks: dict[str, str]) -> None:
        data = {key: base64.b64encode(text.encode()).decode() for key, text in values.items()}
        for secret in await self.kube.list(kinds.SECRET, PLANE):
            if token.IGNITION_CONFIG in annotations_of(secret):
                patch = {"data": data, "metadata": {"annotations": marks}}
                await self.kube.patch(kinds.SECRET, secret["metadata"]["name"], patch, PLANE)

    async def _roll_out(self) -> None:
        for resource in (kinds.MACHINE_DEPLOYMENT, kinds.MACHINE_SET):
            for found in await self.kube.list(resource, PLANE):
                metadata = found["metadata"]
                if target := annotations_of(found).get(names.TARGET_CONFIG_VERSION):
                    marks = {names.CURRENT_CONFIG_VERSION: target}
                    patch = {"metadata": {"annotations": marks}}
                    await self.kube.patch(resource, metadata["name"], patch, PLANE)
                await self._status(resource, metadata, cluster_api.rolled_out(found))

    async def _reconcile(self) -> Manifest:
        nothing: Any = None
        # A new one for each pass: it would tell an event of the pass before only once.
        reconciler = Reconciler(
            node_pool.controller(self.environment),
            self.kube,
            self.kube,
            nothing,
            clock=self.clock,
            rng=random.Random(1),  # noqa: S311 - a case repeats itself
        )
        told = await self._events()
        verdict = await reconciler(POOL)
        now = await self._events()
        new = [text for text, count in now.items() if count > told.get(text, 0)]
        if verdict.errors:
            return {"error": "; ".join(str(one) for one in verdict.errors), "events": new}
        for text in new:
            if error := text.removeprefix("Warning ReconcileError "):
                return {"error": error, "events": new}
        return {"requeueAfter": f"{verdict.after:g}s"} if verdict.after else {}

    async def _events(self) -> dict[str, int]:
        found = await self.kube.list(kinds.EVENT, POOL.namespace)
        return {f"{one['type']} {one['reason']} {one['message']}": one["count"] for one in found}


def _name(manifest: Manifest) -> str:
    return f"{manifest['kind']}/{manifest['metadata']['name']}"


__all__ = ["PLANE", "POOL", "Story"]
