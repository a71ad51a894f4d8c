"""Authorities are replaced under real programs: etcd, API servers, controller manager, kubectl.

Programs are restarted one after the other in each stage, as rollouts do. After each restart every
program must serve, and every kubeconfig that is good in this stage must open both API servers.
"""

import base64
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import pytest
import yaml
from cryptography import x509
from tests.lib.ports import free_port
from tests.unit.pki.test_succession import SITE, Objects, advance, begin, files, follow

from hypershift import parts
from hypershift.helpers.node import certificates, kubelet
from hypershift.helpers.node.authorities import Node, step
from hypershift.helpers.node.kubelet import Process
from hypershift.kit.assets import asset
from hypershift.kube import Client, kinds
from hypershift.operators.machine_approver.approve import MESSAGE, REASON
from hypershift.pki import (
    SUCCESSION_SECRET,
    KeyPair,
    Leaf,
    Part,
    Usage,
    authorities,
    kubeconfig,
    kubeconfig_text,
    read_succession,
    secret_data,
    wanted,
)
from hypershift.pki.kubelet_request import approved
from hypershift.pki.succession import ROOT

pytestmark = pytest.mark.integration

NEEDED = ("etcd", "kube-apiserver", "kube-controller-manager", "kubectl")
#: Those that a kubelet's certificates need.
CONTROLLERS = (
    "certificatesigningrequest-signing-controller",
    "certificatesigningrequest-approving-controller",
    "serviceaccount-controller",
    "serviceaccount-token-controller",
)
#: What the controller manager ends without; an API server grants it a moment after it serves.
READ_FIRST = "namespaces/kube-system/configmaps/extension-apiserver-authentication"
PATIENCE = 240.0
STARTED = 150.0
NOW = datetime.now(UTC)


@dataclass
class Plane:
    """The programs of a control plane, each with the files that it was started with."""

    folder: Path
    ports: dict[str, int] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    logs: list[IO[bytes]] = field(default_factory=list)

    def restart(self, name: str, objects: Objects) -> None:
        """End a program and start it with the certificates of now."""
        if old := self.running.pop(name, None):
            old.terminate()
            old.wait(60)
        where = self.folder / name
        mounted(where, objects)
        port = self.ports.setdefault(name, free_port())
        program = {"one": "kube-apiserver", "two": "kube-apiserver"}.get(name, name)
        words = getattr(self, f"_{program.replace('-', '_')}")(where, port)
        log = (self.folder / f"{name}.log").open("ab")
        self.logs.append(log)
        self.running[name] = subprocess.Popen(
            [str(parts.path(program)), *words], stdout=log, stderr=log, cwd=where
        )

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()
        for log in self.logs:
            log.close()

    def _etcd(self, where: Path, port: int) -> list[str]:
        peers = self.ports.setdefault("peers", free_port())
        return [
            f"--data-dir={self.folder / 'data'}",
            f"--listen-client-urls=https://127.0.0.1:{port}",
            f"--advertise-client-urls=https://localhost:{port}",
            f"--listen-peer-urls=http://127.0.0.1:{peers}",
            f"--initial-advertise-peer-urls=http://127.0.0.1:{peers}",
            f"--initial-cluster=default=http://127.0.0.1:{peers}",
            "--client-cert-auth=true",
            f"--cert-file={where}/etcd-server-tls/server.crt",
            f"--key-file={where}/etcd-server-tls/server.key",
            f"--trusted-ca-file={where}/etcd-ca/ca.crt",
            "--unsafe-no-fsync",
            "--log-level=error",
        ]

    def _kube_apiserver(self, where: Path, port: int) -> list[str]:
        return [
            f"--etcd-servers=https://localhost:{self.ports['etcd']}",
            f"--etcd-cafile={where}/etcd-ca/ca.crt",
            f"--etcd-certfile={where}/etcd-client-tls/etcd-client.crt",
            f"--etcd-keyfile={where}/etcd-client-tls/etcd-client.key",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            f"--secure-port={port}",
            f"--tls-cert-file={where}/kas-server-crt/tls.crt",
            f"--tls-private-key-file={where}/kas-server-crt/tls.key",
            f"--client-ca-file={where}/client-ca/ca.crt",
            f"--kubelet-certificate-authority={where}/client-ca/ca.crt",
            f"--kubelet-client-certificate={where}/kas-kubelet-client-crt/tls.crt",
            f"--kubelet-client-key={where}/kas-kubelet-client-crt/tls.key",
            f"--requestheader-client-ca-file={where}/aggregator-client-ca/ca.crt",
            "--requestheader-allowed-names=system:openshift-aggregator",
            f"--proxy-client-cert-file={where}/kas-aggregator-crt/tls.crt",
            f"--proxy-client-key-file={where}/kas-aggregator-crt/tls.key",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={where}/sa-signing-key/service-account.pub",
            f"--service-account-signing-key-file={where}/sa-signing-key/service-account.key",
            "--service-cluster-ip-range=172.31.0.0/16",
            "--authorization-mode=Node,RBAC",
            "--shutdown-delay-duration=0s",
            "--shutdown-watch-termination-grace-period=1s",
        ]

    def _kube_controller_manager(self, where: Path, port: int) -> list[str]:
        config = self.folder / "controller-manager.kubeconfig"
        return [
            f"--kubeconfig={config}",
            f"--authentication-kubeconfig={config}",
            f"--authorization-kubeconfig={config}",
            f"--secure-port={port}",
            "--bind-address=127.0.0.1",
            "--leader-elect=false",
            f"--controllers={','.join(CONTROLLERS)}",
            "--use-service-account-credentials=true",
            f"--cluster-signing-cert-file={where}/cluster-signer-ca/ca.crt",
            f"--cluster-signing-key-file={where}/cluster-signer-ca/ca.key",
            f"--service-account-private-key-file={where}/sa-signing-key/service-account.key",
        ]


def mounted(where: Path, objects: Objects) -> None:
    """Every Secret and ConfigMap as a folder of files."""
    for (kind, name), found in objects.items():
        folder = where / name
        folder.mkdir(parents=True, exist_ok=True)
        for key, value in found["data"].items():
            content = base64.b64decode(value) if kind == "Secret" else value.encode()
            (folder / f"{key}").write_bytes(content)


def root(objects: Objects) -> bytes:
    """Whom a kubeconfig of this stage trusts."""
    current = secret_data(objects, ROOT)["ca.crt"]
    found = read_succession(secret_data(objects, SUCCESSION_SECRET))
    return found.trusted(ROOT, current) if found else current


def credentials(plane: Plane, objects: Objects, server: str, pair: str) -> bytes:
    shown = files(objects, pair)
    place = f"https://127.0.0.1:{plane.ports[server]}"
    made = kubeconfig(place, root(objects), certificate=shown["crt"], key=shown["key"])
    return kubeconfig_text(made)


def opens(plane: Plane, config: bytes, asked: str = "namespaces/default") -> str:
    """Why kubectl is not let in with a kubeconfig; empty when it is."""
    path = plane.folder / "kubectl.kubeconfig"
    path.write_bytes(config)
    question = ("get", "--raw", f"/api/v1/{asked}", "--request-timeout=10s")
    answer = subprocess.run(
        [str(parts.path("kubectl")), f"--kubeconfig={path}", *question],
        capture_output=True,
        text=True,
        check=False,
    )
    return (answer.stderr or "no answer") if answer.returncode else ""


def await_open(plane: Plane, config: bytes, asked: str = "namespaces/default") -> None:
    end = time.monotonic() + PATIENCE
    while why := opens(plane, config, asked):
        assert time.monotonic() < end, why
        time.sleep(0.5)


def start_controller_manager(plane: Plane, objects: Objects) -> None:
    """Start it when its rights are there: without them it ends, and no kubelet starts it again."""
    config = credentials(plane, objects, "one", "kube-controller-manager/tls")
    (plane.folder / "controller-manager.kubeconfig").write_bytes(config)
    await_open(plane, config, READ_FIRST)
    plane.restart("kube-controller-manager", objects)


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[Plane]:
    if parts.missing(NEEDED):
        pytest.skip(f"parts are not here: {', '.join(NEEDED)}")
    made = Plane(tmp_path)
    try:
        yield made
    finally:
        made.stop()


SERVERS = ("one", "two")
ADMIN = "system-admin-client/tls"


def first() -> Objects:
    return follow({}, NOW)


async def test_real_programs_serve_each_other_through_every_stage(
    plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = before = oldest = first()
    for name in ("etcd", *SERVERS):
        plane.restart(name, objects)
    for server in SERVERS:
        await_open(plane, credentials(plane, objects, server, ADMIN))
    node = a_node(plane, objects)
    for stage in ("trust", "reissue", "drop"):
        before = objects
        begun = begin(before, NOW, Part.AUTHORITIES)
        objects = follow(begun if stage == "trust" else advance(before, NOW), NOW)
        for restarted in ("etcd", *SERVERS):
            plane.restart(restarted, objects)
            for server in SERVERS:
                await_open(plane, credentials(plane, objects, server, ADMIN))
                await_open(plane, credentials(plane, before, server, ADMIN))
                if stage != "drop":
                    await_open(plane, credentials(plane, oldest, server, ADMIN))
        if stage == "reissue":
            await renews_its_certificates(plane, objects, node, monkeypatch)
    for server in SERVERS:
        assert "certificate" in opens(plane, credentials(plane, oldest, server, ADMIN))
        stale = objects | {
            ("Secret", "system-admin-client"): oldest["Secret", "system-admin-client"]
        }
        assert "Unauthorized" in opens(plane, credentials(plane, stale, server, ADMIN))


def a_node(plane: Plane, objects: Objects) -> Node:
    """The files of a node that joined before anything was replaced."""
    made = Node(plane.folder / "node")
    made.pki.mkdir(parents=True)
    made.callers.parent.mkdir(parents=True)
    made.callers.write_text("")
    signer = authorities(objects, wanted(SITE))["cluster-signer-ca"]
    for use, usage in zip(certificates.USES, (Usage.CLIENT, Usage.SERVER), strict=True):
        names = frozenset({"node-1"}) if usage is Usage.SERVER else frozenset()
        pair: KeyPair = signer.issue(
            Leaf("system:node:node-1", ("system:nodes",), usage, names), NOW
        )
        path = made.pki / f"{use.stem}-first.pem"
        path.write_bytes(pair.certificate + pair.key.reveal())
        use.current(made.pki).symlink_to(path)
    return made


async def renews_its_certificates(
    plane: Plane, objects: Objects, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program on a node gets certificates of the new authority from the real signer."""
    admin = Client.from_kubeconfig_dict(
        yaml.safe_load(credentials(plane, objects, "one", ADMIN)), manager="test"
    )
    start_controller_manager(plane, objects)
    link = certificates.CLIENT.current(node.pki)
    text = kubeconfig_text(kubeconfig(f"https://127.0.0.1:{plane.ports['two']}", root(objects)))
    document = yaml.safe_load(text)
    document["users"][0]["user"] = {"client-certificate": str(link), "client-key": str(link)}
    node.kubeconfigs[0].write_text(yaml.safe_dump(document))
    source = plane.folder / "wanted"
    source.mkdir()
    for name, content in {
        "mark": b"now",
        "kubelet-ca.crt": objects["ConfigMap", "kubelet-client-ca"]["data"]["ca.crt"].encode(),
        "api-ca.crt": root(objects),
        "signer.crt": secret_data(objects, "cluster-signer-ca")["ca.crt"],
    }.items():
        (source / name).write_bytes(content)
    monkeypatch.setattr(kubelet, "find", lambda: Process(1, time.time() + 60))
    monkeypatch.setattr(kubelet, "is_healthy", healthy)
    monkeypatch.setattr(certificates, "PATIENCE", STARTED)
    async with admin:
        for manifest in asset("hypershift.operators.guest_config", "access"):
            await admin.apply(manifest)
        monkeypatch.setattr(certificates, "POLL", 0.5)
        monkeypatch.setattr(certificates, "_signed", approving(admin))
        assert await step(node, source, "now")
    signer = authorities(objects, wanted(SITE))["cluster-signer-ca"]
    for use in certificates.USES:
        found = x509.load_pem_x509_certificate(use.current(node.pki).read_bytes())
        assert signer.issued(found)
    async with Client.connect(node.kubeconfigs[0]) as client:
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
        answer = await client.create(review | {"metadata": {}})
    assert answer["status"]["userInfo"]["username"] == "system:node:node-1"


async def healthy() -> bool:
    return True


def approving(admin: Client) -> Callable[[Client, str], Awaitable[bytes]]:
    """Approve what the machine approver would, and wait as before."""
    wait = certificates._signed  # noqa: SLF001 - it is waited on below

    async def approve(client: Client, name: str) -> bytes:
        found = await admin.get(kinds.CERTIFICATE_SIGNING_REQUEST, name)
        if found["spec"]["signerName"] == certificates.SERVER.signer:
            wanted = approved(found, REASON, MESSAGE, NOW)
            await admin.replace(wanted, subresource="approval")
        return await wait(client, name)

    return approve
