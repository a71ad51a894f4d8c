"""What nodes of a Kubernetes release get of the cluster's proxy authorities and mirrors."""

from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.lib.waking import woken
from tests.unit.operators.hypershift.node_pool.passes import (
    a_cluster,
    a_pool,
    a_world,
    condition,
    one_pass,
)

from hypershift.ignition import fingerprint, token, trust
from hypershift.kit import Manifest, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import Environment, controller

NOTHING: Any = None


def bundle(name: str, text: str) -> Manifest:
    metadata = {"name": name, "namespace": "clusters"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata,
            "data": {"ca-bundle.crt": text}}  # fmt: skip


async def tokens(kube: MemoryClient) -> list[Manifest]:
    found = await kube.list(kinds.SECRET, "clusters-demo")
    return [one for one in found if one["metadata"]["name"].startswith("token-")]


def proxied(**changes: Any) -> Manifest:
    return a_cluster(spec={"configuration": {"proxy": {"trustedCA": {"name": "proxy"}}}} | changes)


async def test_the_authorities_of_the_proxy_are_in_the_hash_that_the_token_carries() -> None:
    kube = a_world(a_pool(), proxied(additionalTrustBundle={"name": "own"}))
    kube.put(bundle("own", "A\n"))
    kube.put(bundle("proxy", "B"))
    await one_pass(kube)
    (made,) = await tokens(kube)
    assert data_of(made, token.TRUST_BUNDLE_HASH).decode() == fingerprint.of_text("A\nB\n")


async def test_authorities_that_are_not_there_are_named() -> None:
    kube = a_world(a_pool(), proxied())
    scope, report = await one_pass(kube)
    told = str(report) + str(scope.status)
    assert 'cannot get proxy trustedCA clusters/proxy: configmaps "proxy" not found' in told
    assert await tokens(kube) == []


def test_one_bundle_stays_byte_for_byte_and_two_are_joined() -> None:
    assert trust.bundle("", "A") == trust.bundle("A", "A") == "A"
    assert trust.bundle("A", "B\n\n") == "A\nB\n"
    assert trust.bundle() == ""


async def test_mirrors_of_the_cluster_are_in_the_configuration_of_its_pools() -> None:
    plain, mirrored = a_world(a_pool()), a_world(a_pool(), a_cluster(spec={"imageContentSources": [
        {"source": "quay.io/team", "mirrors": ["mirror.example.org/team"]}]}))  # fmt: skip
    before, _ = await one_pass(plain)
    after, _ = await one_pass(mirrored)
    assert before.config
    assert after.config
    assert before.config.hash != after.config.hash
    assert "kind: ImageDigestMirrorSet" in after.config.raw
    assert "- mirror.example.org/team\n" in after.config.raw


async def test_a_mirror_that_renames_repositories_is_refused() -> None:
    sources = [{"source": "quay.io/a", "mirrors": ["mirror.example.org/b"]}]
    kube = a_world(a_pool(), a_cluster(spec={"imageContentSources": sources}))
    scope, _ = await one_pass(kube)
    told = condition(scope, "ValidMachineConfig")
    assert told
    assert told[0] == "False"
    assert "renames repositories" in told[2]


@pytest.mark.parametrize(("marks", "expected"), [({}, 0), ({"copy-of": "clusters/proxy"}, 1)])
def test_a_new_copy_of_a_bundle_wakes_the_pools(marks: dict[str, str], expected: int) -> None:
    copy = bundle("proxy", "B")
    copy["metadata"] |= {
        "namespace": "clusters-demo",
        "annotations": {f"hypershift.openshift.io/{name}": value for name, value in marks.items()},
    }
    assert (
        len(woken(controller(Environment(NOTHING)), kinds.CONFIG_MAP, copy, [a_pool()])) == expected
    )
