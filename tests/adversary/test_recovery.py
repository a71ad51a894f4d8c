"""Manifests of clusters out of a tenant's store, and what a tenant puts into their own.

An administrator restores with every right, so a manifest whose key a tenant holds must put nothing
anywhere but in the cluster's own two namespaces, and there nothing but what a cluster consists of.
"""

import gzip
import json
import os
from base64 import b64encode
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.lib.stage import Stage, play
from tests.unit.cli.recovery.test_restore import a_restore
from tests.unit.operators.hypershift.recovery.test_manifest import (
    a_manifest,
    a_secret,
    an_object,
)

from hypershift.cli.recovery.restore import bring_back
from hypershift.kit import Key, Manifest, UsageError
from hypershift.kube import kinds
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.ownership import Owner
from hypershift.operators.hypershift.recovery import BadManifest, gather

TOKEN = "kubernetes.io/service-account-token"
BOOTSTRAP = "bootstrap.kubernetes.io/token"


def forged(**changes: Any) -> bytes:
    """A manifest that its author changed before sealing it."""
    document = json.loads(gzip.decompress(recovery.packed(a_manifest())))
    return gzip.compress(json.dumps(document | changes).encode())


def a_cluster(name: str = "demo", namespace: str = "clusters", **changes: Any) -> Manifest:
    return an_object("HostedCluster", name, namespace, spec={"infraID": "x"}) | changes


A_TOKEN = a_secret("bootstrap-token-abcdef", "kube-system", token_id=b"abcdef", ca_key=b"x")
FORGERIES: dict[str, dict[str, Any]] = {
    "a key in kube-system": {"keys": [A_TOKEN]},
    "a key in the operator's namespace": {"keys": [a_secret("webhook", "hypershift", ca_key=b"k")]},
    "a key in another cluster's": {"keys": [a_secret("root-ca", "clusters-other", ca_key=b"k")]},
    "a key in the user's": {"keys": [a_secret("root-ca", "clusters", ca_key=b"k")]},
    "a kubeconfig among keys": {
        "keys": [a_secret("hcco-kubeconfig", "clusters-demo", kubeconfig=b"k", ca_key=b"x")]
    },
    "a leaf among keys": {"keys": [a_secret("etcd-client-tls", "clusters-demo", tls_crt=b"x")]},
    "a cluster in kube-system": {"cluster": a_cluster(namespace="kube-system"), "given": [],
                                 "pools": [], "keys": []},
    "a pool of another cluster": {
        "pools": [an_object("NodePool", "web", spec={"clusterName": "other"})]
    },
    "a pool without a spec": {"pools": [an_object("NodePool", "web")]},
    "a cluster without a spec": {"cluster": an_object("HostedCluster", "demo")},
    "a spec that is a list": {"cluster": a_cluster(spec=[])},
    "names that are paths": {"cluster": a_cluster(name="../../x")},
    "annotations that are none": {"given": [
        {**a_secret("s"), "metadata": {"name": "s", "namespace": "clusters", "annotations": []}}
    ]},
    "values that are none": {"keys": [{**a_secret("root-ca", "clusters-demo"), "data": "x"}]},
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_manifest_puts_nothing_where_no_cluster_is(forgery: str) -> None:
    with pytest.raises(BadManifest):
        recovery.unpacked(forged(**FORGERIES[forgery]))


@pytest.mark.parametrize("kind", [TOKEN, BOOTSTRAP, "helm.sh/release.v1"])
def test_no_controller_makes_anything_of_a_secret_that_was_restored(kind: str) -> None:
    """A token's type makes a token of a ServiceAccount of the namespace, by its annotation."""
    made = {**a_secret("robot", token=b"x"), "type": kind}
    plane = {**a_secret("root-ca", "clusters-demo", ca_key=b"x"), "type": kind}
    manifest = recovery.unpacked(forged(given=[made], keys=[plane]))
    assert {one["type"] for one in (*manifest.given, *manifest.keys)} == {"Opaque"}
    moved = recovery.manifest_of(a_cluster(), [], [made], [plane])
    assert {one["type"] for one in (*moved.given, *moved.keys)} == {"Opaque"}


def test_what_only_a_server_writes_is_left_out_of_a_forged_manifest() -> None:
    odd = a_cluster(status={"x": 1})
    odd["metadata"] |= {"finalizers": ["hypershift.io/aws-oidc-discovery"], "uid": "u"}
    found = recovery.unpacked(forged(cluster=odd)).cluster
    assert "status" not in found
    assert found["metadata"].keys() == {"name", "namespace"}


def test_keys_are_planted_in_no_namespace_that_is_somebody_elses() -> None:
    """Another tenant's cluster may take the namespace between the look and the keys."""

    async def story(stage: Stage) -> None:
        restore = a_restore(stage.user)
        home = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters"}}
        await stage.user.create(home)
        await restore.client.create(
            recovery.cluster_to_create(restore.manifest, restore.snapshot, restore.address)
        )
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters-demo"}}
        await stage.user.create(space)
        with pytest.raises(UsageError, match="clusters-demo is not"):
            await bring_back(restore)
        assert await stage.user.list(kinds.SECRET, "clusters-demo") == []

    play(story)


def test_keys_that_are_there_with_other_content_are_not_taken_for_the_clusters() -> None:
    async def story(stage: Stage) -> None:
        restore = a_restore(stage.user)
        home = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters"}}
        await stage.user.create(home)
        cluster = await restore.client.create(
            recovery.cluster_to_create(restore.manifest, restore.snapshot, restore.address)
        )
        owner = recovery.namespace_to_create(Owner(restore.key, cluster["metadata"]["uid"]))
        await stage.user.create(owner)
        await stage.user.create(
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": "root-ca", "namespace": "clusters-demo"},
                "data": {"ca.key": b64encode(b"evil").decode()},
            }
        )
        with pytest.raises(UsageError, match="other content"):
            await bring_back(restore)

    play(story)


async def test_a_cluster_that_names_too_much_is_told_so_before_it_is_packed() -> None:
    """Compressing it would take seconds of the loop that all clusters share."""
    named = [{"name": f"c{number}"} for number in range(40)]
    pool = an_object("NodePool", "p", spec={"clusterName": "demo", "config": named})
    maps = [
        an_object("ConfigMap", one["name"], data={"config": os.urandom(500_000).hex()})
        for one in named
    ]
    cluster = an_object("HostedCluster", "demo", spec={"infraID": "x"})
    with pytest.raises(BadManifest, match="more than"):
        await gather(MemoryClient(cluster, pool, *maps), Key("clusters", "demo"))


async def test_secrets_that_a_cluster_does_not_use_are_not_even_read() -> None:
    class Counting(MemoryClient):
        read = 0

        async def list(self, resource: Any, *args: Any, **options: Any) -> Any:
            found = await super().list(resource, *args, **options)
            if resource in (kinds.SECRET, kinds.CONFIG_MAP) and not options.get("only"):
                self.read += len(found)
            return found

    cluster = an_object("HostedCluster", "demo", spec={"infraID": "x"})
    client = Counting(cluster, *(a_secret(f"s{number}", key=b"x") for number in range(5)))
    assert (await gather(client, Key("clusters", "demo"))).given == ()
    assert client.read == 0
