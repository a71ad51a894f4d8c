"""Kinds that a shard keeps are in the shard and nowhere else, with the real programs."""

import json
import os
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.controlplane.pods import Machine, a_machine, start
from tests.integration.controlplane.test_processes import whole_view
from tests.unit.component.clusters import NAMESPACE

from hypershift import parts
from hypershift.component import edit, rendered
from hypershift.controlplane import etcd, kube_apiserver
from hypershift.kit import Manifest
from hypershift.release import Product

PARTS = ("etcd", "etcdctl", "kube-apiserver", "kubectl")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(parts.missing(PARTS)), reason="etcd and kube-apiserver are not here"),
]

SHARD = {
    "name": "events",
    "replicas": 1,
    "resources": [
        {"apiGroup": "", "resource": "events"},
        {"apiGroup": "coordination.k8s.io", "resource": "leases"},
    ],
}
ADDRESSES = {"etcd-0": "127.0.0.1", "etcd-events-0": "127.0.0.2"}
NAMES = {
    "etcd-0": f"etcd-0.etcd-discovery.{NAMESPACE}.svc",
    "etcd-events-0": f"etcd-events-0.etcd-discovery-events.{NAMESPACE}.svc",
}
HOSTS = {
    f"etcd-client.{NAMESPACE}.svc": "127.0.0.1",
    f"etcd-0.etcd-discovery.{NAMESPACE}.svc": "127.0.0.1",
    f"etcd-client-events.{NAMESPACE}.svc": "127.0.0.2",
    f"etcd-events-0.etcd-discovery-events.{NAMESPACE}.svc": "127.0.0.2",
}


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


class Plane:
    """An etcd, a shard of it and an API server."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        managed = {"storage": {"type": "PersistentVolume"}, "shards": [SHARD]}
        self.view = whole_view(etcd={"managed": managed})
        self.objects = dict(self.view.objects)
        (shard,) = etcd.shards(self.view.spec, Product.KUBERNETES)
        self.components = {"etcd-0": etcd.KUBERNETES, "etcd-events-0": shard}
        for member in self.components:
            self.start(member)
        result = rendered(kube_apiserver.KUBERNETES, self.view)
        self._know(result.manifests)
        self.readiness = readiness(result.workload)
        start(machine, edit.drop_containers(result.workload, "konnectivity-server"), self.objects)
        machine.wait_for("https://localhost:6443/readyz", who="kube-apiserver")
        self.admin = machine.directory / "admin"
        self.admin.write_text(self._secret("admin-kubeconfig", result.manifests))

    def start(self, member: str) -> None:
        result = rendered(self.components[member], self.view)
        self._know(result.manifests)
        address = ADDRESSES[member]
        start(self.machine, result.workload, self.objects, pod=member, listen=address)
        self.machine.wait_for(f"http://{address}:2381/readyz", who=member)

    def _know(self, manifests: tuple[Manifest, ...]) -> None:
        self.objects |= {(one["kind"], one["metadata"]["name"]): one for one in manifests}

    @staticmethod
    def _secret(name: str, manifests: tuple[Manifest, ...]) -> str:
        found = next(one for one in manifests if one["metadata"]["name"] == name)
        return b64decode(found["data"]["kubeconfig"]).decode()

    def kubectl(self, *words: str, feed: Manifest | None = None) -> str:
        argv = [str(parts.path("kubectl")), "--kubeconfig", str(self.admin), *words]
        if feed is not None:
            file = self.machine.directory / "feed.json"
            file.write_text(json.dumps(feed))
            argv += ["-f", str(file)]
        done = self.machine.run(*argv)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def await_trouble(self, check: str) -> None:
        """Wait until the API server says that a check fails."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            said = self.machine.run("curl", "-ks", "https://localhost:6443/readyz")
            if f"[-]{check} failed" in said.stdout.decode():
                return
            time.sleep(0.5)
        raise AssertionError(f"{check} goes on to be well: {said.stdout!r}")

    def keys(self, member: str) -> set[str]:
        """The kinds that a member holds, by the first part of their keys."""
        folder = self.machine.directory / member
        done = self.machine.run(
            parts.path("etcdctl"),
            f"--endpoints=https://{NAMES[member]}:2379",
            f"--cacert={folder / 'etcd-ca' / 'ca.crt'}",
            f"--cert={folder / 'server-tls' / 'server.crt'}",
            f"--key={folder / 'server-tls' / 'server.key'}",
            "get",
            "--prefix",
            "--keys-only",
            "/registry/",
        )
        assert done.returncode == 0, done.stderr.decode()
        return {line.split("/")[2] for line in done.stdout.decode().split() if line.count("/") > 2}


def readiness(server: Manifest) -> str:
    """What a kubelet asks an API server."""
    containers = edit.pod_of(server)["spec"]["containers"]
    found = next(one for one in containers if one["name"] == kube_apiserver.KUBERNETES.name)
    return str(found["readinessProbe"]["httpGet"]["path"])


def an_event(name: str) -> Manifest:
    about = {"kind": "Pod", "name": "a", "namespace": "default"}
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": metadata,
        "involvedObject": about,
        "reason": "Tried",
        "message": "in a shard",
    }


def a_lease(name: str) -> Manifest:
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"holderIdentity": "me"},
    }


def test_events_and_leases_are_in_the_shard_and_nowhere_else(place: Path) -> None:
    with a_machine(f"hs-sh-{os.getpid()}", place, HOSTS) as machine:
        plane = Plane(machine)
        plane.kubectl("create", feed=an_event("first"))
        plane.kubectl("create", feed=a_lease("mine"))
        plane.kubectl("create", "configmap", "c", "--from-literal=a=b")
        apart, first = plane.keys("etcd-events-0"), plane.keys("etcd-0")
        assert apart == {"events", "leases"}
        assert "configmaps" in first
        assert not {"events", "leases"} & first
        assert "in a shard" in plane.kubectl("get", "events")

        machine.kill("etcd-events-0")
        plane.await_trouble("etcd-override-0")
        # The kubelet leaves such a server in its Services.
        machine.wait_for(f"https://localhost:6443{plane.readiness}", who="kube-apiserver")
        plane.kubectl("create", "configmap", "d", "--from-literal=a=b")
        assert "d" in plane.kubectl("get", "configmap", "d", "-o", "name")
        plane.start("etcd-events-0")
        assert "in a shard" in plane.kubectl("get", "events")
        assert "mine" in plane.kubectl("get", "lease", "-n", "default")


def test_three_members_of_a_shard_find_each_other_and_admit_no_peer_of_the_first(
    place: Path,
) -> None:
    """One authority signs the peers of all clusters: the name in a certificate tells them apart."""
    address = {f"etcd-events-{index}": f"127.0.0.{index + 2}" for index in range(3)}
    hosts = {
        f"{name}.etcd-discovery-events.{NAMESPACE}.svc": where for name, where in address.items()
    }
    managed = {"storage": {"type": "PersistentVolume"}, "shards": [{**SHARD, "replicas": 3}]}
    view = whole_view(etcd={"managed": managed})
    (shard,) = etcd.shards(view.spec, Product.KUBERNETES)
    result = rendered(shard, view)
    objects = dict(view.objects)
    objects |= {(one["kind"], one["metadata"]["name"]): one for one in result.manifests}
    with a_machine(f"hs-s3-{os.getpid()}", place, hosts) as machine:
        for name, where in address.items():
            start(machine, result.workload, objects, pod=name, listen=where)
        for name, where in address.items():
            machine.wait_for(f"http://{where}:2381/readyz", who=name)
        machine.kill("etcd-events-2")

        # In its place comes one with a certificate that is good for peers of the first cluster.
        first = objects["Secret", "etcd-peer-tls"]
        foreign = {**objects, ("Secret", "etcd-events-peer-tls"): first}
        start(machine, result.workload, foreign, pod="etcd-events-2", listen="127.0.0.4")
        machine.run("sleep", "8")
        ready = machine.run("curl", "-fsS", "http://127.0.0.4:2381/readyz")
        assert ready.returncode != 0, ready.stdout
        machine.kill("etcd-events-2")
        start(machine, result.workload, objects, pod="etcd-events-2", listen="127.0.0.4")
        machine.wait_for("http://127.0.0.4:2381/readyz", who="etcd-events-2")
