import asyncio
from pathlib import Path
from typing import Any

import pytest

from hypershift import parts
from hypershift.cli.install.installed import Installed
from hypershift.cli.install.provider_kinds import (
    completed,
    core_kinds,
    platforms_of,
    provider_kinds,
)
from hypershift.kit import Manifest
from hypershift.parts import manifests
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable
from hypershift.parts.settings import Settings
from hypershift.parts.table import DEFINITIONS

MACHINES = "awsmachines.infrastructure.cluster.x-k8s.io"


def theirs() -> Manifest:
    """A definition as a provider has it, with an older version that is not served any more."""
    words = {"type": "object", "description": "what it is"}
    schema = {**words, "properties": {"description": {"type": "string"}, "spec": words}}
    versions = [
        {"name": name, "served": served, "storage": served, "schema": {"openAPIV3Schema": schema},
         "additionalPrinterColumns": [{"name": "Ready"}]}
        for name, served in (("v1beta1", False), ("v1beta2", True))
    ]  # fmt: skip
    names = {"kind": "AWSMachine", "plural": "awsmachines", "shortNames": ["awsm"]}
    group = "infrastructure.cluster.x-k8s.io"
    return {
        "kind": "CustomResourceDefinition",
        "metadata": {"name": MACHINES, "annotations": {"controller-gen": "1"}},
        "spec": {"group": group, "names": names, "versions": versions},
    }


def ours() -> Manifest:
    found = provider_kinds(frozenset({"aws"}))
    return next(each for each in found if each["metadata"]["name"] == MACHINES)


def test_a_definition_has_its_providers_schema_and_the_originals_versions() -> None:
    made = completed(ours(), {MACHINES: theirs()})
    (version,) = made["spec"]["versions"]
    assert (version["name"], version["served"], version["storage"]) == ("v1beta2", True, True)
    schema = version["schema"]["openAPIV3Schema"]
    assert schema == {
        "type": "object",
        "properties": {"description": {"type": "string"}, "spec": {"type": "object"}},
    }
    assert version["additionalPrinterColumns"] == [{"name": "Ready"}]
    assert made["spec"]["names"]["shortNames"] == ["awsm"]
    assert made["metadata"]["labels"] == {"cluster.x-k8s.io/v1beta1": "v1beta2"}


def test_what_is_not_known_keeps_every_field() -> None:
    assert completed(ours(), {}) == ours()


def test_a_definition_names_its_platform() -> None:
    assert platforms_of([ours()]) == {"aws"}


@pytest.mark.parametrize("standing", [theirs(), ours()], ids=["real", "open"])
def test_a_definition_of_another_program_is_never_replaced(standing: Manifest) -> None:
    for wanted in (ours(), completed(ours(), {MACHINES: theirs()})):
        assert Installed(definitions={MACHINES: standing}).leaves_unchanged(wanted)
        assert not Installed().leaves_unchanged(wanted)
    mine = completed(ours(), {MACHINES: theirs()})
    assert not Installed(definitions={MACHINES: mine}).leaves_unchanged(mine)


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What the module proxy is asked for; it has the provider for KubeVirt alone."""
    asked: list[str] = []
    (tmp_path / manifests._DEFINITIONS).mkdir(parents=True)  # noqa: SLF001
    (tmp_path / manifests._DEFINITIONS / "a.yaml").write_text("kind: X\n")  # noqa: SLF001

    async def download(what: str, title: str, *_: Any) -> dict[str, str]:
        asked.append(title)
        if "kubevirt" not in what:
            raise PartUnavailable(f"no {title}")
        sums = {one.upstream: one.sum for one in DEFINITIONS}
        return {"Dir": str(tmp_path), "Sum": sums[what.partition("@")[0]]}

    monkeypatch.setattr(manifests, "_download", download)
    return asked


def fetch(cache: Path, *platforms: str, offline: bool = False) -> tuple[list[Manifest], list[str]]:
    said: list[str] = []
    settings = Settings(cache=cache, offline=offline)
    return asyncio.run(parts.provider_crds(platforms, settings, said.append)), said


def test_definitions_are_fetched_once(modules: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        found, _said = fetch(tmp_path / "cache", "kubevirt")
        assert found == [{"kind": "X"}]
    assert modules == ["cluster-api-provider-kubevirt 0.11.2"]


def test_after_a_failure_only_the_cache_is_asked(modules: list[str], tmp_path: Path) -> None:
    found, said = fetch(tmp_path / "cache", "azure", "gcp", "agent")
    assert found == []
    assert modules == ["cluster-api-provider-azure 1.26.0"]
    assert said[1:] == [
        "no cluster-api-provider-azure 1.26.0",
        "the definitions of cluster-api-provider-gcp 1.13.1 are not in the cache",
    ]


def test_offline_nothing_is_asked(modules: list[str], tmp_path: Path) -> None:
    assert fetch(tmp_path / "cache", "kubevirt", offline=True)[0] == []
    assert modules == []


def test_files_of_another_sum_are_refused(
    modules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = next(each for each in DEFINITIONS if each.platform == "kubevirt")
    download = manifests._download  # noqa: SLF001

    async def other(*given: Any) -> dict[str, str]:
        return {**await download(*given), "Sum": "h1:other="}

    monkeypatch.setattr(manifests, "_download", other)
    with pytest.raises(ChecksumMismatch, match=f"{one.version} has h1:other="):
        fetch(tmp_path / "cache", "kubevirt")
    assert modules


def test_every_name_is_there_once() -> None:
    names = [each["metadata"]["name"] for each in provider_kinds(frozenset())]
    assert len(names) == len(set(names))
    assert "awsclusterroleidentities.infrastructure.cluster.x-k8s.io" in names
    assert "floatingips.openstack.k-orc.cloud" in names


def test_a_limit_leaves_other_platforms_out() -> None:
    groups = {each["spec"]["group"] for each in provider_kinds(frozenset({"agent"}))}
    assert groups == {"capi-provider.agent-install.openshift.io"}


def test_exactly_one_version_is_stored_and_it_is_the_newest() -> None:
    for definition in provider_kinds(frozenset()):
        stored = [each["name"] for each in definition["spec"]["versions"] if each["storage"]]
        assert stored == [definition["spec"]["versions"][-1]["name"]]


def test_names_of_cluster_api_are_spelled_as_it_does() -> None:
    names = [each["metadata"]["name"] for each in core_kinds()]
    assert "clusters.cluster.x-k8s.io" in names
    assert "ipaddresses.ipam.cluster.x-k8s.io" in names
    assert "clusterclasses.cluster.x-k8s.io" in names
