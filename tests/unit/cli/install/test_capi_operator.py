"""On OpenShift an operator of Cluster API is there, and learns which definitions are ours."""

import json
from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.cli.install import waiting
from hypershift.cli.install.capi_operator import CONFIG, NAME, claim, release
from hypershift.kit import Manifest, UsageError
from hypershift.kube import NotFound, Resource

OURS = (
    "machines.cluster.x-k8s.io",
    "clusters.cluster.x-k8s.io",
    "nodepools.hypershift.openshift.io",
)
DEFINITIONS = [{"metadata": {"name": name}} for name in OURS]


class OpenShift(MemoryClient):
    """A cluster whose operator follows its configuration after some looks at it."""

    def __init__(self, *served: str, looks: int = 2) -> None:
        """Serve these kinds in the operator's group."""
        super().__init__()
        self.served = served
        self.looks = looks

    async def raw(
        self, method: str, path: str, *, body: object = None, query: dict[str, str] | None = None
    ) -> bytes:
        assert (method, path, body, query) == ("GET", CONFIG.base, None, None)
        if not self.served:
            raise NotFound(404, "NotFound", "the server could not find the requested resource")
        return json.dumps({"resources": [{"kind": kind} for kind in self.served]}).encode()

    async def apply(self, manifest: Manifest, **how: Any) -> Manifest:
        applied = await super().apply(manifest, **how)
        applied["metadata"]["generation"] = 2
        return applied

    async def get(
        self, resource: Resource, name: str, namespace: str = "", *, subresource: str = ""
    ) -> Manifest:
        found = await super().get(resource, name, namespace, subresource=subresource)
        self.looks -= 1
        seen, current = (1, "a") if self.looks > 1 else (2, "a" if self.looks == 1 else "b")
        found["status"] = {
            "observedRevisionGeneration": seen,
            "currentRevision": current,
            "desiredRevision": "b",
        }
        return found


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "INTERVAL", 0)


async def test_the_definitions_of_cluster_api_are_named_and_the_operator_follows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    client = OpenShift("ClusterAPI", looks=3)
    await claim(client, DEFINITIONS)
    assert client.looks == 0
    spec = (await client.find(CONFIG, NAME) or {})["spec"]
    assert spec == {"unmanagedCustomResourceDefinitions": sorted(OURS[:2])}
    assert capsys.readouterr().out.splitlines() == [
        "ClusterAPI API detected, coordinating with Cluster CAPI Operator",
        "Applied ClusterAPI config with 2 unmanaged CRDs",
        "Waiting for Cluster CAPI Operator to sync...",
        "Cluster CAPI Operator synced successfully",
    ]


async def test_an_operator_that_does_not_follow_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting, "LIMIT", -1)
    with pytest.raises(UsageError, match="Cluster CAPI Operator to sync"):
        await claim(OpenShift("ClusterAPI", looks=100), DEFINITIONS)


@pytest.mark.parametrize("served", [(), ("IngressController",)])
async def test_nothing_is_written_where_that_operator_is_not(served: tuple[str, ...]) -> None:
    client = OpenShift(*served)
    await claim(client, DEFINITIONS)
    await release(client)
    assert client.writes == []


async def test_nothing_is_named_when_no_definition_of_cluster_api_is_written() -> None:
    client = OpenShift("ClusterAPI")
    await claim(client, DEFINITIONS[2:])
    assert client.writes == []


async def test_names_are_taken_back_only_where_there_are_any() -> None:
    client = OpenShift("ClusterAPI")
    await release(client)
    assert client.writes == []
    client.put({"kind": "ClusterAPI", "metadata": {"name": NAME}, "spec": {"other": ["theirs"]}})
    applied: list[Manifest] = []

    async def apply(manifest: Manifest, **_how: Any) -> Manifest:
        applied.append(manifest)
        return manifest

    client.apply = apply  # type: ignore[method-assign]
    await release(client)
    assert applied == [
        {"apiVersion": CONFIG.api_version, "kind": "ClusterAPI", "metadata": {"name": NAME}}
    ]
