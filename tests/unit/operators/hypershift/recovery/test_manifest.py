"""Manifests of hosted clusters: what goes in comes out, and nothing else is taken for one."""

import gzip
import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.api.annotations import REFERENCED_RESOURCE_PREFIX
from hypershift.component.encryption_keys import key_name
from hypershift.kit import Key, Manifest, Secret
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.ownership import Owner
from hypershift.operators.hypershift.recovery import BadManifest, BadSeal, ClusterManifest
from hypershift.operators.hypershift.recovery.gather import is_lasting
from hypershift.operators.hypershift.recovery.manifest import bare
from hypershift.pki import Leaf, new_authority

NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEY, OTHER = Secret(b"k" * 32), Secret(b"o" * 32)
MATERIAL = b"m" * 32


def an_object(kind: str, name: str, namespace: str = "clusters", **fields: Any) -> Manifest:
    version = "v1" if kind in ("Secret", "ConfigMap") else "hypershift.openshift.io/v1beta1"
    metadata = {"name": name, "namespace": namespace, "uid": "u", "resourceVersion": "7"}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}


def a_secret(name: str, namespace: str = "clusters", **data: bytes) -> Manifest:
    encoded = {key.replace("_", "."): b64encode(value).decode() for key, value in data.items()}
    return an_object("Secret", name, namespace, data=encoded)


def a_manifest(**spec: Any) -> ClusterManifest:
    cluster = an_object(
        "HostedCluster", "demo", spec={"infraID": "demo-x", **spec}, status={"a": 1}
    )
    pool = an_object("NodePool", "demo", spec={"clusterName": "demo", "pausedUntil": "true"})
    keys = (a_secret("root-ca", "clusters-demo", ca_key=b"k"),)
    return recovery.manifest_of(cluster, [pool], [a_secret("key", key=MATERIAL)], keys)


AES: Manifest = {"type": "aescbc", "aescbc": {"activeKey": {"name": "key"}}}


def test_a_manifest_comes_out_as_it_went_in() -> None:
    made = a_manifest()
    assert recovery.unpacked(recovery.packed(made)) == made
    assert recovery.packed(made) == recovery.packed(made)


def test_what_an_object_was_given_by_the_server_stays_behind() -> None:
    found = an_object("Secret", "s", status={"x": 1})
    found["metadata"] |= {
        "finalizers": ["f"],
        "ownerReferences": [{"uid": "o"}],
        "annotations": {"mine": "1", f"{REFERENCED_RESOURCE_PREFIX}demo": "true"},
    }
    left = bare(found)
    assert "status" not in left
    assert left["metadata"].keys() == {"name", "namespace", "annotations"}
    assert left["metadata"]["annotations"]["mine"] == "1"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({"format": 2}, "its format is 2"),
        ({"format": 1}, "no HostedCluster"),
        ({"format": 1, "cluster": "x"}, "no HostedCluster"),
        ([], "no document"),
        ("clusterrole", "does not belong"),
        ("elsewhere", "outside of namespace clusters"),
    ],
)
def test_another_document_is_refused(document: Any, why: str) -> None:
    if isinstance(document, str):
        role = an_object("Secret", "x") | {"kind": "ClusterRole"}
        odd = role if document == "clusterrole" else an_object("Secret", "x", "kube-system")
        cluster = an_object("HostedCluster", "demo", spec={})
        document = {"format": 1, "cluster": cluster, "given": [odd]}
    with pytest.raises(BadManifest, match=why):
        recovery.unpacked(gzip.compress(json.dumps(document).encode()))


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hypershift.operators.hypershift.recovery.manifest.LARGEST", 1000)
    with pytest.raises(BadManifest, match="larger than 1000"):
        recovery.unpacked(gzip.compress(b" " * 10_000_000))


@given(st.binary(max_size=300))
def test_a_sealed_text_opens_with_its_key_alone(content: bytes) -> None:
    made = recovery.sealed(content, KEY)
    assert recovery.opened(made, KEY) == content
    assert content == b"" or len(content) < 8 or content not in made
    with pytest.raises(BadSeal, match="another key"):
        recovery.opened(made, OTHER)


@given(st.data())
def test_a_changed_or_truncated_seal_is_refused(data: st.DataObject) -> None:
    made = recovery.sealed(b"some content", KEY)
    at = data.draw(st.integers(0, len(made) - 1))
    changed = made[:at] + bytes((made[at] ^ 1,)) + made[at + 1 :]
    for broken in (changed, made[:at]):
        with pytest.raises(BadSeal):
            recovery.opened(broken, KEY)


@pytest.mark.parametrize("text", [b"", b"short", b64encode(b"x" * 31), b"\xff" * 40])
def test_a_text_that_is_no_key_is_refused(text: bytes) -> None:
    with pytest.raises(BadSeal, match="32 bytes"):
        recovery.seal_key(text)
    assert recovery.seal_key(b64encode(b"k" * 32) + b"\n") == KEY


def test_keys_that_a_snapshot_needs_are_looked_for_in_the_manifest() -> None:
    ours, other = f"aescbc/{key_name(MATERIAL)}", "aescbc/key-77"
    assert recovery.missing_keys(a_manifest(secretEncryption=AES), [ours, "kms/x"]) == frozenset()
    assert recovery.missing_keys(a_manifest(secretEncryption=AES), [other]) == {other}
    assert recovery.missing_keys(a_manifest(), [ours]) == {ours}


def test_keys_of_an_earlier_rotation_are_found_in_the_servers_configuration() -> None:
    section = {"aescbc": {"keys": [{"name": "key-77", "secret": "eA=="}]}}
    config = json.dumps({"resources": [{"resources": ["secrets"], "providers": [section]}]})
    live = an_object("Secret", "kas-secret-encryption-config", "clusters-demo")
    live["data"] = {"config.yaml": b64encode(config.encode()).decode()}
    made = a_manifest()
    kept = recovery.manifest_of(made.cluster, [], [], [live])
    assert recovery.missing_keys(kept, ["aescbc/key-77"]) == frozenset()


def test_authorities_and_what_cannot_be_made_anew_are_kept_and_leaves_are_not() -> None:
    authority = new_authority("signer", NOW)
    leaf = authority.issue(Leaf("someone"), NOW)
    kept = {
        "root-ca": a_secret("root-ca", ca_key=b"k"),
        "sa-signing-key": a_secret("sa-signing-key"),
        "kubeadmin-password": a_secret("kubeadmin-password"),
        "authority-succession": a_secret("authority-succession"),
        "break-glass": a_secret("break-glass", tls_crt=authority.pem),
    }
    copy = a_secret("sa-signing-key")
    copy["metadata"]["annotations"] = {"hypershift.openshift.io/copy-of": "clusters/mine"}
    assert all(map(is_lasting, kept.values()))
    assert not is_lasting(copy)
    assert not is_lasting(a_secret("leaf", tls_crt=leaf.certificate))


def test_the_cluster_starts_paused_from_the_snapshot_with_everything_else_as_it_was() -> None:
    source = a_manifest(etcd={"managed": {"storage": {"persistentVolume": {"size": "8Gi"}}}})
    made = recovery.cluster_to_create(source, "s3://b/1.db", "https://s/1.db?x")
    storage = made["spec"]["etcd"]["managed"]["storage"]
    assert storage["restoreSnapshotURL"] == ["https://s/1.db?x"]
    assert storage["persistentVolume"] == {"size": "8Gi"}
    assert made["spec"]["pausedUntil"] == "true"
    assert made["metadata"]["annotations"][recovery.RESTORED_FROM] == "s3://b/1.db"
    assert made["spec"]["infraID"] == "demo-x"
    assert "pausedUntil" not in recovery.pool_to_create(source.pools[0])["spec"]


def test_the_namespace_is_marked_as_the_clusters_own() -> None:
    made = recovery.namespace_to_create(Owner(Key("clusters", "demo"), "new-uid"))
    assert made["metadata"]["name"] == "clusters-demo"
    assert made["metadata"]["annotations"]["hypershift.openshift.io/cluster-uid"] == "new-uid"
