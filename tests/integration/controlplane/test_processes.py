"""The real programs start, serve and recover with what is rendered for them."""

import asyncio
import os
import shutil
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.integration.controlplane.pods import PARTS, Machine, a_machine, start
from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import NAMESPACE, NOW, a_view

from hypershift import parts, pki
from hypershift.component import View, etcd_shards, rendered
from hypershift.controlplane import etcd, kube_apiserver, kube_controller_manager, kube_scheduler
from hypershift.controlplane.etcd import EtcdctlFailed, keep_members
from hypershift.controlplane.etcd import keeper as etcd_keeper
from hypershift.kit import Manifest
from hypershift.kit.fragmentation import endpoints
from hypershift.kube import ExecResult, kinds

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(
        bool(parts.missing(PARTS)), reason="the parts of a control plane are not here"
    ),
]

PORT = 6443
KEY = {"kind": "Secret", "data": {"key": b64encode(b"k" * 32).decode()}}
ENCRYPTED = {"type": "aescbc", "aescbc": {"activeKey": {"name": "etcd-key"}}}
SERVICES = ("kube-apiserver", f"kube-apiserver.{NAMESPACE}.svc", f"etcd-client.{NAMESPACE}.svc")


@pytest.fixture
def place() -> Iterator[Path]:
    """A short path: a socket's name may have a hundred characters only."""
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def whole_view(now: Any = None, **spec: Any) -> View:
    """A view with certificates that are valid today."""
    view = a_view(secretEncryption=ENCRYPTED, **spec)
    site = pki.Site(
        NAMESPACE,
        "demo",
        openshift=False,
        api_host="127.0.0.1",
        konnectivity_host="127.0.0.1",
        service_cidrs=view.service_cidrs,
        etcd_shards=tuple(shard.name for shard in etcd_shards.managed_shards(view.spec)),
    )
    made = pki.by_kind_and_name(pki.reconcile({}, pki.wanted(site), now or _today()))
    made["Secret", "etcd-key"] = KEY
    return replace(view, infra=replace(view.infra, api_host="127.0.0.1"), objects=made)


def _today() -> Any:
    return NOW.now(NOW.tzinfo)


def run_component(machine: Machine, component: Any, view: View) -> View:
    """Render a component, start it, and know what it wrote."""
    result = rendered(component, view)
    objects = dict(view.objects)
    objects |= {(one["kind"], one["metadata"]["name"]): one for one in result.manifests}
    start(machine, result.workload, objects)
    return replace(view, objects=objects)


def test_a_control_plane_serves_and_encrypts_from_the_first_write(place: Path) -> None:
    hosts = dict.fromkeys(SERVICES, "127.0.0.1")
    with a_machine(f"hs-cp-{os.getpid()}", place, hosts) as machine:
        view = run_component(machine, etcd.KUBERNETES, whole_view())
        machine.wait_for("http://127.0.0.1:2381/readyz", who="etcd")
        view = run_component(machine, kube_apiserver.KUBERNETES, view)
        machine.wait_for(f"https://localhost:{PORT}/readyz", who="kube-apiserver")
        machine.wait_for("http://127.0.0.1:2041/healthz", who="konnectivity-server")
        for component, port in (
            (kube_scheduler.KUBERNETES, 10259),
            (kube_controller_manager.KUBERNETES, 10257),
        ):
            view = run_component(machine, component, view)
            machine.wait_for(f"https://127.0.0.1:{port}/healthz", who=component.name)
        admin = place / "admin"
        admin.write_bytes(view.secret("admin-kubeconfig", "kubeconfig"))
        kubectl = (str(parts.path("kubectl")), "--kubeconfig", str(admin))
        made = machine.run(*kubectl, "create", "secret", "generic", "s", "--from-literal=a=PLAIN")
        assert made.returncode == 0, made.stderr
        assert b"system:masters" in machine.run(*kubectl, "auth", "whoami").stdout
        stored = machine.run(*_etcdctl(place / "etcd-0"), "get", "/registry/secrets/default/s")
        assert b"k8s:enc:aescbc:v1:" in stored.stdout
        assert b"PLAIN" not in stored.stdout


def _etcdctl(pod: Path, host: str = "localhost") -> tuple[str, ...]:
    return (
        str(parts.path("etcdctl")),
        f"--endpoints=https://{host}:2379",
        f"--cacert={pod / 'etcd-ca' / 'ca.crt'}",
        f"--cert={pod / 'server-tls' / 'server.crt'}",
        f"--key={pod / 'server-tls' / 'server.key'}",
    )


def member_host(name: str) -> str:
    return f"{name}.etcd-discovery.{NAMESPACE}.svc"


TLS = ("--endpoints", "--cacert", "--cert", "--key")


class Members(MemoryClient):
    """A cluster whose pods are processes: commands in them are commands here."""

    machine: Machine

    async def exec(
        self,
        name: str,
        namespace: str,
        command: Any,
        *,
        container: str = "",
        stdin: bytes = b"",
    ) -> ExecResult:
        del namespace, container, stdin
        words = [
            word
            for word in command[1:]
            if not word.startswith(("--endpoints", "--ca", "--cert", "--key"))
        ]
        local = _etcdctl(self.machine.directory / name, member_host(name))
        done = self.machine.run(*local, *words)
        return ExecResult(done.stdout, done.stderr, done.returncode)


def _seen(members: Members, *, lost: str) -> None:
    """Put the objects that tell of a member whose node is gone."""
    meta = {"namespace": NAMESPACE}
    status = {"readyReplicas": 2}
    members.put(
        _object("apps/v1", "StatefulSet", "etcd", meta, spec={"replicas": 3}, status=status)
    )
    for index in range(3):
        name = f"etcd-{index}"
        ready = {"type": "Ready", "status": "False" if name == lost else "True"}
        members.put(_object("v1", "Pod", name, meta, status={"conditions": [ready]}))
        claim = {"volumeName": f"pv{index}"}
        members.put(_object("v1", "PersistentVolumeClaim", f"data-{name}", meta, spec=claim))
        only = {"key": "kubernetes.io/hostname", "operator": "In", "values": [f"n{index}"]}
        affinity = {"required": {"nodeSelectorTerms": [{"matchExpressions": [only]}]}}
        members.put(
            _object("v1", "PersistentVolume", f"pv{index}", {}, spec={"nodeAffinity": affinity})
        )
        if name != lost:
            members.put(_object("v1", "Node", f"n{index}", {}))


def _object(version: str, kind: str, name: str, meta: Manifest, **rest: Any) -> Manifest:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **meta}, **rest}


async def test_a_member_that_lost_its_disk_is_rebuilt_from_the_others(place: Path) -> None:
    view = whole_view(controllerAvailabilityPolicy="HighlyAvailable")
    result = rendered(etcd.KUBERNETES, view)
    objects = dict(view.objects)
    objects |= {(one["kind"], one["metadata"]["name"]): one for one in result.manifests}
    address = {f"etcd-{index}": f"127.0.0.{index + 1}" for index in range(3)}
    hosts = {member_host(name): where for name, where in address.items()}

    with a_machine(f"hs-ha-{os.getpid()}", place, hosts) as machine:

        def run_member(name: str) -> None:
            start(machine, result.workload, objects, pod=name, listen=address[name])

        def await_member(name: str) -> None:
            machine.wait_for(f"http://{address[name]}:2381/readyz", who=name)

        for name in address:
            run_member(name)
        for name in address:
            await_member(name)
        etcdctl = _etcdctl(place / "etcd-0", member_host("etcd-0"))
        assert machine.run(*etcdctl, "put", "kept", "yes").returncode == 0

        machine.kill("etcd-1")
        shutil.rmtree(place / "etcd-1" / "data")
        kube = Members()
        kube.machine = machine
        _seen(kube, lost="etcd-1")
        await _persistently(view, kube)
        assert await kube.find(kinds.PERSISTENT_VOLUME_CLAIM, "data-etcd-1", NAMESPACE) is None

        objects["ConfigMap", "etcd-bootstrap"]["data"]["initial-cluster-state"] = "existing"
        run_member("etcd-1")
        await_member("etcd-1")
        kept = machine.run(*_etcdctl(place / "etcd-1", member_host("etcd-1")), "get", "kept")
        assert b"yes" in kept.stdout
        listed = machine.run(*etcdctl, "member", "list").stdout.decode()
        assert listed.count("started") == 3

        words = ("endpoint", "status", "--cluster", "--write-out=json")
        found = endpoints(await etcd_keeper.etcdctl(view, kube, "etcd-0", *words))
        assert sorted(one.url for one in found) == [f"https://{host}:2379" for host in hosts]
        assert sum(one.leads for one in found) == 1
        assert all(one.size >= one.used > 0 for one in found)


async def _persistently(view: View, kube: Members) -> None:
    """etcd refuses changes of its membership for a moment after one: the controller comes back."""
    for _ in range(60):
        try:
            rebuilt = await keep_members(view, kube)
        except EtcdctlFailed:
            await asyncio.sleep(0.5)
            continue
        assert rebuilt is not None
        assert rebuilt.member == "etcd-1"
        return
    pytest.fail("the member was never rebuilt")
