"""`hypershift kubectl` takes no cluster from kubectl's words and runs no tenant's program: H7."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.lib.memory import MemoryClient

from hypershift.cli import kubectl
from hypershift.cli.command import Command, understand
from hypershift.cli.flags import Values
from hypershift.cli.typed import options
from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client, KubeconfigError, kinds

CRD: Manifest = {
    "apiVersion": kinds.CUSTOM_RESOURCE_DEFINITION.api_version,
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "hostedclusters.hypershift.openshift.io"},
}


def values(*words: str) -> Values:
    root = Command("hypershift", "", commands=(kubectl.COMMAND,))
    return understand(root, ["kubectl", *words]).values


def a_cluster(name: str, namespace: str = "clusters") -> Manifest:
    return {
        "apiVersion": kinds.HOSTED_CLUSTER.api_version,
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": namespace},
        "status": {"kubeconfig": {"name": f"{name}-admin-kubeconfig"}},
    }


def its_secret(name: str, user: dict[str, Any], namespace: str = "clusters") -> Manifest:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": "https://api:6443"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": user}],
        "current-context": "c",
    }
    content = base64.b64encode(yaml.safe_dump(document).encode()).decode()
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": f"{name}-admin-kubeconfig", "namespace": namespace},
        "data": {"kubeconfig": content},
    }


@pytest.fixture
def management(monkeypatch: pytest.MonkeyPatch) -> MemoryClient:
    client = MemoryClient(CRD)

    @asynccontextmanager
    async def connect(*_: Any, **__: Any) -> AsyncIterator[MemoryClient]:
        yield client

    monkeypatch.setattr(Client, "connect", connect)
    return client


@pytest.mark.parametrize(
    ("words", "cluster", "passed"),
    [
        (("--", "get", "nodes"), "", ("get", "nodes")),
        (("demo", "--", "get", "nodes"), "demo", ("get", "nodes")),
        (("team/demo", "--", "get", "--", "x"), "team/demo", ("get", "--", "x")),
        (("--", "--kubeconfig", "x"), "", ("--kubeconfig", "x")),
        ((), "", ()),
        (("demo",), "demo", ()),
    ],
)
def test_a_cluster_stands_in_front_of_the_dashes(
    words: tuple[str, ...], cluster: str, passed: tuple[str, ...]
) -> None:
    found = options(kubectl.Kubectl, values(*words))
    assert kubectl.cluster_name(found) == cluster
    assert found.passed == passed


def test_words_for_kubectl_without_dashes_are_refused_with_what_to_type() -> None:
    with pytest.raises(UsageError, match="hypershift kubectl -- get nodes"):
        kubectl.cluster_name(options(kubectl.Kubectl, values("get", "nodes")))


async def test_a_program_in_a_tenants_kubeconfig_is_never_handed_to_kubectl(
    management: MemoryClient,
) -> None:
    management.put(a_cluster("get"))
    management.put(its_secret("get", {"exec": {"command": "sh", "args": ["-c", "id"]}}))
    with pytest.raises(KubeconfigError, match=r"hosted cluster clusters/get .*exec"):
        await kubectl.hosted_kubeconfig(Path("x"), "get")


async def test_kubectl_gets_server_and_identity_alone(management: MemoryClient) -> None:
    management.put(a_cluster("demo"))
    management.put(its_secret("demo", {"token": "t"}))
    found = yaml.safe_load(await kubectl.hosted_kubeconfig(Path("x"), "demo"))
    assert found["clusters"] == [{"name": "demo", "cluster": {"server": "https://api:6443"}}]
    assert found["users"] == [{"name": "admin", "user": {"token": "t"}}]


async def test_an_unknown_cluster_is_said_in_our_words(management: MemoryClient) -> None:
    del management
    with pytest.raises(UsageError, match="there is no cluster nothere"):
        await kubectl.hosted_kubeconfig(Path("x"), "nothere")


async def test_one_of_two_clusters_of_a_name_has_to_be_chosen(management: MemoryClient) -> None:
    for namespace in ("red", "blue"):
        management.put(a_cluster("web", namespace))
        management.put(its_secret("web", {"token": namespace}, namespace))
    with pytest.raises(UsageError, match="NAMESPACE/NAME"):
        await kubectl.hosted_kubeconfig(Path("x"), "web")
    found = yaml.safe_load(await kubectl.hosted_kubeconfig(Path("x"), "blue/web"))
    assert found["users"][0]["user"] == {"token": "blue"}
