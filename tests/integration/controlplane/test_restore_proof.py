"""The programs of a restore proof with the real etcd and API server: good backups and bad ones."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.e2e import backups, hook, shop
from tests.integration.controlplane.pods import Machine, a_machine
from tests.lib.server import PARTS, RealServer, real_server

from hypershift import parts, pki
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cloud import stores
from hypershift.component.encryption_keys import key_name
from hypershift.controlplane.etcd import snapshot
from hypershift.kit import Key, Manifest
from hypershift.kube import Client
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.etcd_backup.proof.rules import manifests

NEEDED = (*PARTS, "etcdctl", "etcdutl")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(parts.missing(NEEDED)), reason="the programs are not here"),
]

MATERIAL = b"m" * 32
KEY = b64encode(MATERIAL).decode()
ENCRYPTION = f"""\
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aescbc: {{keys: [{{name: {key_name(MATERIAL)}, secret: {KEY}}}]}}
  - identity: {{}}
"""
OBJECTS, UID = 40, "the-uid-of-the-backup"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


@dataclass(frozen=True)
class Backup:
    """A backup in a store, and where that is."""

    store: backups.Store
    key: str
    kinds: int

    def bucket(self) -> stores.Bucket:
        keys = stores.keys_from_file(self.store.files / "credentials")
        return stores.Bucket(backups.BUCKET, backups.REGION, keys, endpoint=self.store.endpoint)

    def change(self, suffix: str, content: bytes) -> None:
        """Let the store have something else."""
        put = self.store.client.put_object
        put(Bucket=backups.BUCKET, Key=self.key + suffix, Body=content)


def a_manifest(*, encryption: bool = True) -> bytes:
    """What a backup holds besides etcd, packed: the keys of the control plane."""
    pair = pki.new_key(pki.Algorithm.RSA_2048)
    account = {
        "service-account.key": pki.key_to_pem(pair),
        "service-account.pub": pki.public_pem(pair),
    }
    cluster = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"infraID": "demo-x"},
    }
    keys = [a_secret("sa-signing-key", account)]
    if encryption:
        content = {"config.yaml": ENCRYPTION.encode()}
        keys.append(a_secret("kas-secret-encryption-config", content))
    return recovery.packed(recovery.manifest_of(cluster, [], [], keys))


def a_secret(name: str, content: dict[str, bytes]) -> Manifest:
    data = {key: b64encode(value).decode() for key, value in content.items()}
    metadata = {"name": name, "namespace": "clusters-demo"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data}


def sealed(backup_store: backups.Store, packed: bytes) -> bytes:
    key = recovery.seal_key((backup_store.files / "manifest.key").read_bytes())
    return recovery.sealed(packed, key)


async def fill(server: RealServer) -> None:
    """Secrets, a kind of the user's, and a webhook that fails whatever is written."""
    async with server.client() as client:
        for number in range(OBJECTS):
            kind, part = ("Secret", "stringData") if number % 2 else ("ConfigMap", "data")
            metadata = {"name": f"kept-{number}", "namespace": "default"}
            await client.create(
                {"apiVersion": "v1", "kind": kind, "metadata": metadata, part: {"n": str(number)}}
            )
        _, (definition, _) = shop.a_hook("none")
        await client.create(definition)
        await orders(client)
        every = hook.a_registration("default", b"", "*", "*")
        del every["webhooks"][0]["namespaceSelector"]
        del every["webhooks"][0]["clientConfig"]["caBundle"]
        every["webhooks"][0]["rules"][0]["operations"] = ["*"]
        await client.create(every)


async def orders(client: Client) -> None:
    for number in range(5):
        order = shop.an_order(f"order-{number}")
        order["metadata"]["namespace"] = "default"
        for _ in range(100):
            try:
                await client.create(order)
                break
            except Exception:  # noqa: BLE001 - the definition is not served yet
                await asyncio.sleep(0.1)


@pytest.fixture(scope="module")
def stored(folder: Path) -> Iterator[Backup]:
    """A cluster's snapshot and manifest in a store, as the Job of a backup puts them there."""
    (folder / "encryption.yaml").write_text(ENCRYPTION)
    flags = (f"--encryption-provider-config={folder / 'encryption.yaml'}",)
    with backups.serving("127.0.0.1", folder) as store:
        with real_server(folder / "cluster", flags=flags) as server:
            asyncio.run(fill(server))
            etcdctl = (str(parts.path("etcdctl")), f"--endpoints=127.0.0.1:{server.etcd_port}")
            subprocess.run((*etcdctl, "put", "/hypershift.openshift.io/backup", UID), check=True)
            saved = folder / "snapshot.db"
            subprocess.run((*etcdctl, "snapshot", "save", saved), check=True)
        (folder / "cluster.manifest").write_bytes(sealed(store, a_manifest()))
        os.environ["SSL_CERT_FILE"] = str(store.trust)
        words = [
            *("control-plane-operator", "etcd-upload", f"--snapshot-path={saved}"),
            *("--storage-type=S3", "--key-prefix=demo", f"--aws-bucket={backups.BUCKET}"),
            f"--credentials-file={folder / 'credentials'}",
            *(f"--aws-region={backups.REGION}", f"--manifest-path={folder / 'cluster.manifest'}"),
        ]
        assert execute(HYPERSHIFT, words) == 0
        del os.environ["SSL_CERT_FILE"]
        (key,) = (one for one in store.names() if one.endswith(".db"))
        yield Backup(store, key, len(snapshot.verified(saved).kinds))


def an_order() -> manifests.Order:
    return manifests.Order(
        namespace="scratch",
        backup=Key("clusters-demo", "daily"),
        uid=UID,
        image="ours",
        etcd_image="etcd",
        api_image="kube-apiserver",
        service_network="10.0.0.0/24",
        inputs={manifests.BUNDLE: ""},
        has_bundle=True,
    )


class Proof:
    """The containers of the Pod, one after the other, on this host."""

    def __init__(self, machine: Machine, place: Path, backup: Backup, manifest_key: Path) -> None:
        self.machine, self.place, self.backup = machine, place, backup
        self.manifest_key = manifest_key
        pod = manifests.job(an_order())["spec"]["template"]["spec"]
        every = pod["initContainers"] + pod["containers"]
        self.commands = {
            one["name"]: [self._local(word) for word in one["command"]] for one in every
        }
        self.told: dict[str, Any] = {}

    def _local(self, word: str) -> str:
        for path, real in (
            ("/proof-inputs/manifest-key", self.manifest_key),
            ("/proof-inputs/ca-bundle.crt", self.backup.store.trust),
            ("/proof", self.place),
        ):
            word = word.replace(path, str(real))
        return word

    def fetch(self) -> int:
        """Run the first container; it reaches the store."""
        bucket = self.backup.bucket()
        suffixes = ("", snapshot.LIST_SUFFIX, snapshot.MANIFEST_SUFFIX)
        addresses = {
            name: bucket.presigned(self.backup.key + suffix, timedelta(hours=1))
            for name, suffix in zip(manifests.ADDRESSES, suffixes, strict=True)
        }
        return self._ours("fetch", (), addresses)

    def run(self) -> int:
        """Run the others, in a network of their own."""
        return self.fetch() or self.compare()

    def compare(self) -> int:
        """Run what comes after the first."""
        program, *words = self.commands["unpack"]
        done = self.machine.run(parts.path(program), *words)
        assert done.returncode == 0, done.stderr
        for name in ("etcd", "kube-apiserver"):
            program, *words = self.commands[name]
            self.machine.spawn(name, [str(parts.path(program)), *words], {})
        return self._ours("compare", ("ip", "netns", "exec", self.machine.name), {})

    def _ours(self, name: str, before: tuple[str, ...], environment: dict[str, str]) -> int:
        words = (*before, sys.executable, "-m", "hypershift.cli", *self.commands[name])
        env = {**os.environ, **environment}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        logs = (self.place / f"{one}.log" for one in ("etcd", "kube-apiserver"))
        print(done.stdout, done.stderr, *(log.read_text()[-2000:] for log in logs if log.exists()))  # noqa: T201
        reason, _, message = done.stdout.strip().rpartition("\n")[2].partition(": ")
        self.told = {"reason": reason, "message": message}
        assert "Signature=" not in done.stdout + done.stderr
        return done.returncode


@pytest.fixture
def proof(folder: Path, stored: Backup) -> Iterator[Proof]:
    with (
        tempfile.TemporaryDirectory(dir=folder) as name,
        a_machine(f"hs-rp-{os.getpid()}", Path(name), {}) as machine,
    ):
        # A pod has an address and a way out, which the API server looks for.
        machine.run("ip", "address", "add", "192.0.2.2/24", "dev", "lo")
        machine.run("ip", "route", "add", "default", "via", "192.0.2.2", "dev", "lo")
        yield Proof(machine, Path(name), stored, folder / "manifest.key")


@pytest.fixture
def kept(stored: Backup) -> Iterator[dict[str, bytes]]:
    """What lies in the store; it lies there again afterwards."""
    suffixes = ("", snapshot.LIST_SUFFIX, snapshot.MANIFEST_SUFFIX)
    found = {suffix: stored.store.read(stored.key + suffix) for suffix in suffixes}
    yield found
    for suffix, content in found.items():
        stored.change(suffix, content)


def test_a_good_backup_is_restored_and_compared(proof: Proof) -> None:
    assert proof.run() == 0
    assert proof.told["reason"] == "Restored"
    assert f"of {proof.backup.kinds} kinds" in proof.told["message"]
    assert "not read" not in proof.told["message"]
    assert "no mark" not in proof.told["message"]


def test_a_damaged_snapshot_is_told(proof: Proof, stored: Backup, kept: dict[str, bytes]) -> None:
    content = bytearray(kept[""])
    content[len(content) // 2] ^= 1
    stored.change("", bytes(content))
    assert proof.run() == 1
    assert proof.told["reason"] == "SnapshotDamaged"


def test_a_truncated_snapshot_is_told(proof: Proof, stored: Backup, kept: dict[str, bytes]) -> None:
    stored.change("", kept[""][:-5000])
    assert proof.run() == 1
    assert proof.told["reason"] == "SnapshotDamaged"


def test_a_snapshot_that_is_gone_is_told(
    proof: Proof, stored: Backup, kept: dict[str, bytes]
) -> None:
    assert kept
    stored.store.client.delete_object(Bucket=backups.BUCKET, Key=stored.key)
    assert proof.run() == 1
    assert proof.told["reason"] == "SnapshotNotFetched"


def test_a_manifest_sealed_with_another_key_is_told(proof: Proof, folder: Path) -> None:
    other = folder / "other.key"
    other.write_bytes(b"o" * 32)
    proof.commands["fetch"] = [
        word.replace(str(folder / "manifest.key"), str(other)) for word in proof.commands["fetch"]
    ]
    assert proof.run() == 1
    assert proof.told["reason"] == "ManifestUnreadable"
    assert "another key" in proof.told["message"]


def test_a_manifest_that_is_gone_is_told(
    proof: Proof, stored: Backup, kept: dict[str, bytes]
) -> None:
    assert kept
    key = stored.key + snapshot.MANIFEST_SUFFIX
    stored.store.client.delete_object(Bucket=backups.BUCKET, Key=key)
    assert proof.run() == 1
    assert proof.told["reason"] == "ManifestUnreadable"


def test_a_missing_encryption_key_is_told(
    proof: Proof, stored: Backup, kept: dict[str, bytes]
) -> None:
    assert kept
    stored.change(snapshot.MANIFEST_SUFFIX, sealed(stored.store, a_manifest(encryption=False)))
    assert proof.run() == 1
    assert proof.told["reason"] == "EncryptionKeyMissing"


def test_objects_that_the_list_does_not_have_are_told(
    proof: Proof, stored: Backup, kept: dict[str, bytes]
) -> None:
    listed = json.loads(kept[snapshot.LIST_SUFFIX])
    listed["kinds"]["configmaps"]["count"] += 1
    stored.change(snapshot.LIST_SUFFIX, json.dumps(listed).encode())
    assert proof.run() == 1
    assert proof.told["reason"] == "ObjectsDiffer"
    assert "configmaps" in proof.told["message"]


def test_another_backups_snapshot_is_told(proof: Proof) -> None:
    proof.commands["compare"][-1] = "another-uid"
    assert proof.run() == 1
    assert proof.told["reason"] == "SnapshotDamaged"
    assert "another backup" in proof.told["message"]


def test_a_secret_that_cannot_be_decrypted_is_told(proof: Proof) -> None:
    """The key has the name of the old one and other content."""
    assert proof.fetch() == 0
    path = proof.place / "encryption.yaml"
    path.write_text(path.read_text().replace(KEY, b64encode(b"n" * 32).decode()))
    proof.commands["compare"] += ["--patience", "30s"]
    assert proof.compare() == 1
    assert proof.told["reason"] == "ControlPlaneNotStarted"
    assert "the API server did not start" in proof.told["message"]
