"""Where the cluster's programs come from: pinned parts, archives, registries."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from tests.e2e import processes
from tests.e2e.embedded import Cluster, a_pod

from hypershift import oci, parts
from hypershift.parts.cache import sha256_of
from hypershift.parts.fetch import sources
from hypershift.parts.pins import pinned_checksum

pytestmark = [pytest.mark.e2e]

UNITS = {
    "etcd": "etcd",
    "kube-apiserver": "kube-apiserver",
    "kube-controller-manager": "kube-controller-manager",
    "kube-scheduler": "kube-scheduler",
    "registry": "registry",
    "resolver": "coredns",
}
#: What runs inside machines.
INSIDE = (
    "containerd",
    "containerd-shim-runc-v2",
    "kubelet",
    "kube-router",
    "kube-proxy",
    "coredns",
    "cluster-api",
)


def expected(name: str, kubernetes: str) -> str:
    """The checksum of a part: the pinned one, or that of an official download."""
    part = parts.find(name, kubernetes)
    record = sources().cache.record(part)
    assert record is not None, f"{name} is not in the cache"
    pinned = pinned_checksum(part, record.toolchain, parts.architecture())
    assert pinned or record.source == "download", f"{name} is neither pinned nor official"
    return pinned or record.sha256


def test_every_running_component_is_a_pinned_part(cluster: Cluster) -> None:
    version = cluster.spec.kubernetes
    for unit, part in UNITS.items():
        running = Path(f"/proc/{cluster.pid(unit)}/exe")
        assert sha256_of(running) == expected(part, version), unit
    seen = processes.checksums(processes.in_machines(cluster.spec.index))
    for part in INSIDE:
        assert seen[part] == {expected(part, version)}, part


@pytest.fixture
def layout(cluster: Cluster, tmp_path: Path) -> oci.Layout:
    """A layout of our own with an image that no kubelet knows under the name `source`.

    What a kubelet has pulled once it gives, under another name, only to those who may pull it: so
    it is not the payload's busybox itself, though it has its files.
    """
    cached = oci.Layout(parts.Settings.from_environment().cache / "images")
    ending = f"/busybox:{cluster.spec.kubernetes}"
    (name,) = (each for each in cached.index() if each.endswith(ending))
    own = oci.Layout(tmp_path / "layout")
    own.prepare()
    for digest in cached.digests(cached.find(name)):
        shutil.copyfile(cached.blob(digest), own.blob(digest))
    manifest = own.manifest(cached.find(name).digest)
    layers = [oci.Written(layer.digest, layer.size) for layer in manifest.layers]
    settings = oci.Settings(labels={"test": str(tmp_path)})
    image = oci.assemble(layers, settings, parts.architecture())
    own.put_image(image)
    own.name({"source": image.descriptor})
    return own


def runs_everywhere(cluster: Cluster, image: str, home: str) -> None:
    """A pod on each node that may not pull its image, in a namespace that nobody else uses."""
    names = [node["metadata"]["name"] for node in cluster.get("nodes")]
    with cluster.namespace(home) as namespace:
        for name in names:
            pod = a_pod(name, image, "sleep 1000", namespace, nodeName=name)
            pod["spec"]["containers"][0]["imagePullPolicy"] = "Never"
            cluster.apply(pod)
        ready = ("--for=condition=Ready", "--timeout=60s")
        cluster.kubectl("wait", "-n", namespace, *(f"pod/{name}" for name in names), *ready)


def test_an_image_from_an_archive_runs_on_every_node(
    cluster: Cluster, layout: oci.Layout, tmp_path: Path
) -> None:
    reference = f"registry.hypershift.local/e2e/archive:{os.getpid()}"
    layout.name({reference: layout.find("source")})
    oci.write_archive(layout, [reference], tmp_path / "image.tar")
    said = cluster.image("load", str(tmp_path / "image.tar"))
    assert said.stdout.count(reference) == cluster.spec.nodes
    runs_everywhere(cluster, reference, "e2e-archive")


def test_an_image_of_a_registry_runs_on_every_node(cluster: Cluster, layout: oci.Layout) -> None:
    reference = f"registry.hypershift.local/e2e/pulled:{os.getpid()}"

    async def push() -> None:
        mirrors = {"registry.hypershift.local": f"http://{cluster.spec.plan.pushes}"}
        async with oci.Registry(mirrors) as registry:
            await oci.push_image(registry, layout, layout.find("source"), oci.parse(reference))

    asyncio.run(push())
    said = cluster.image("load", reference, "-o", "json")
    assert said.stdout.count(reference) == cluster.spec.nodes
    runs_everywhere(cluster, reference, "e2e-pulled")
