"""A node follows its cluster's authorities: files first, then the kubelet, then it says so."""

import asyncio
import json
import os
import time
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from hypershift.helpers.node import kubelet
from hypershift.helpers.node.authorities import Node, step
from hypershift.helpers.node.certificates import CLIENT, SERVER, USES, Use
from hypershift.helpers.node.kubelet import Process
from hypershift.helpers.node.ready import Readiness
from hypershift.kube import Client
from hypershift.pki import Authority, Leaf, Usage, new_authority

NOW = datetime.now(UTC)
OLD, NEW = (new_authority("cluster-signer", NOW) for _ in range(2))
ROOTS = [new_authority("root-ca", NOW) for _ in range(2)]
MARK = "abc-Reissuing"


class Played:
    """A kubelet and an API server; `signer` is who signs requests now."""

    def __init__(self) -> None:
        self.process = Process(17, time.time() + 60)
        self.restarts = 0
        self.signer: Authority = NEW
        self.requests: list[dict[str, Any]] = []

    async def restart(self, old: Process) -> None:
        assert old == self.process
        self.restarts += 1
        self.process = Process(old.pid + 1, time.time() + 60)

    async def healthy(self) -> bool:
        return True

    async def create(self, manifest: dict[str, Any]) -> None:
        self.requests.append(manifest)

    async def get(self, _resource: object, name: str) -> dict[str, Any]:
        (found,) = (one for one in self.requests if one["metadata"]["name"] == name)
        csr = x509.load_pem_x509_csr(b64decode(found["spec"]["request"]))
        builder = x509.CertificateBuilder(
            self.signer.certificate.subject,
            csr.subject,
            csr.public_key(),
            x509.random_serial_number(),
            self.signer.certificate.not_valid_before_utc,
            self.signer.certificate.not_valid_after_utc,
            list(csr.extensions),
        )
        pem = builder.sign(self.signer.key, hashes.SHA256()).public_bytes(
            serialization.Encoding.PEM
        )
        return {"status": {"certificate": b64encode(pem).decode()}}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    made = Played()
    monkeypatch.setattr(kubelet, "find", lambda: made.process)
    monkeypatch.setattr(kubelet, "restart", made.restart)
    monkeypatch.setattr(kubelet, "is_healthy", made.healthy)
    monkeypatch.setattr(Client, "connect", lambda _path: made)
    return made


@pytest.fixture
def node(tmp_path: Path) -> Node:
    made = Node(tmp_path / "host")
    for path in (*made.files, made.pki / "x"):
        path.parent.mkdir(parents=True, exist_ok=True)
    made.callers.write_text("old callers")
    for path in made.kubeconfigs:
        path.write_text(json.dumps(a_kubeconfig(ROOTS[0])))
        path.chmod(0o600)
    certificates_of(made, OLD)
    return made


def certificates_of(node: Node, signer: Authority) -> None:
    for use, usage in zip(USES, (Usage.CLIENT, Usage.SERVER), strict=True):
        names = frozenset({"node-1"}) if use is SERVER else frozenset()
        leaf = Leaf("system:node:node-1", ("system:nodes",), usage, names)
        pair = signer.issue(leaf, NOW)
        path = node.pki / f"{use.stem}-first.pem"
        path.write_bytes(pair.certificate + pair.key.reveal())
        use.current(node.pki).symlink_to(path)


def a_kubeconfig(root: Authority) -> dict[str, Any]:
    cluster = {
        "server": "https://192.0.2.1:6443",
        "certificate-authority-data": b64encode(root.pem).decode(),
    }
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "cluster", "cluster": cluster}],
        "users": [{"name": "kubelet", "user": {"client-certificate": "/x"}}],
    }


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return wanted(tmp_path / "wanted", NEW)


def wanted(folder: Path, signer: Authority) -> Path:
    folder.mkdir(exist_ok=True)
    both = ROOTS[0].pem + ROOTS[1].pem
    files = {"kubelet-ca.crt": b"callers", "api-ca.crt": both, "signer.crt": signer.pem}
    for name, content in (files | {"mark": MARK.encode()}).items():
        (folder / name).write_bytes(content)
    return folder


def current(node: Node, use: Use) -> x509.Certificate:
    return x509.load_pem_x509_certificate(use.current(node.pki).read_bytes())


async def test_a_node_gets_everything_of_a_stage_and_one_restart(
    node: Node, source: Path, played: Played
) -> None:
    before = {use: current(node, use) for use in USES}
    played.process = Process(17, time.time() - 60)
    assert await step(node, source, MARK)
    assert played.restarts == 1
    assert node.callers.read_text() == "callers"
    for path in node.kubeconfigs:
        (cluster,) = yaml.safe_load(path.read_text())["clusters"]
        trusted = b64decode(cluster["cluster"]["certificate-authority-data"])
        assert trusted == (source / "api-ca.crt").read_bytes()
        assert path.stat().st_mode & 0o777 == 0o600
    for use in USES:
        found = current(node, use)
        assert NEW.issued(found)
        assert found.subject == before[use].subject
        assert use.current(node.pki).is_symlink()
        assert use.current(node.pki).stat().st_mode & 0o777 == 0o600
    names = x509.SubjectAlternativeName
    assert [one.extensions.get_extension_for_class(names).value for one in (current(node, SERVER),)]
    assert [one["spec"]["usages"][1] for one in played.requests] == ["client auth", "server auth"]


async def test_a_second_look_changes_nothing(node: Node, source: Path, played: Played) -> None:
    await step(node, source, MARK)
    await step(node, source, MARK)
    assert len(played.requests) == len(USES)
    assert played.restarts == 0  # this kubelet is younger than every file


async def test_a_pod_that_died_before_the_restart_is_followed_by_one_that_makes_it(
    node: Node, source: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(_old: Process) -> None:
        raise ConnectionError("the pod ends here")

    played.process = Process(17, time.time() - 60)
    with monkeypatch.context() as patched:
        patched.setattr(kubelet, "restart", dies)
        with pytest.raises(ConnectionError):
            await step(node, source, MARK)
    assert await step(node, source, MARK)
    assert played.restarts == 1


async def test_a_certificate_that_the_old_authority_signs_yet_is_not_taken(
    node: Node, source: Path, played: Played
) -> None:
    played.signer = OLD
    before = current(node, CLIENT)
    assert not await step(node, source, MARK)
    assert current(node, CLIENT) == before
    played.signer = NEW
    assert await step(node, source, MARK)


async def test_files_of_another_stage_are_left_alone(
    node: Node, source: Path, played: Played
) -> None:
    assert not await step(node, source, "abc-Dropping")
    assert node.callers.read_text() == "old callers"
    assert played.restarts == 0


@pytest.mark.usefixtures("played")
async def test_a_node_without_a_kubelet_is_not_done(
    node: Node, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kubelet, "find", lambda: None)
    with pytest.raises(kubelet.NotRunningError):
        await step(node, source, MARK)


def test_a_kubelet_is_told_from_other_programs_and_from_one_in_a_container(tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    for pid, name, namespace in (
        (1, "init", "mnt:[1]"),
        (5, "kubelet", "mnt:[2]"),
        (9, "sh", "mnt:[1]"),
    ):
        a_process(proc, pid, name, namespace)
    assert kubelet.find(proc) is None
    a_process(proc, 12, "kubelet", "mnt:[1]")
    found = kubelet.find(proc)
    assert found is not None
    assert found.pid == 12
    assert abs(found.started - time.time()) < 5


def a_process(proc: Path, pid: int, name: str, namespace: str) -> None:
    folder = proc / str(pid)
    (folder / "ns").mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n")
    (folder / "ns/mnt").symlink_to(namespace)
    ticks = time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK")
    fields = " ".join(["S", *["0"] * 18, str(int(ticks)), "0"])
    (folder / "stat").write_text(f"{pid} (a (strange) name) {fields}\n")


async def test_the_probe_tells_whether_it_is_done(unused_tcp_port: int) -> None:
    async with Readiness(unused_tcp_port) as readiness:
        assert b" 503 " in await asked(unused_tcp_port)
        readiness.ready = True
        assert b" 200 " in await asked(unused_tcp_port)
        assert await kubelet.is_healthy(("127.0.0.1", unused_tcp_port))
    assert not await kubelet.is_healthy(("127.0.0.1", unused_tcp_port))


async def asked(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    answer = await reader.readline()
    writer.close()
    return answer
