"""Definitions as text: rendered anywhere, and never quietly in place of a provider's own."""

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.kit import Manifest
from hypershift.parts.errors import PartUnavailable

COMMAND = ["install", "render", "--outputs=crds"]


async def unavailable() -> list[Manifest]:
    raise PartUnavailable("no compiler and no network")


async def none(_platforms: object) -> list[Manifest]:
    return []


@pytest.fixture(autouse=True)
def cold_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hypershift.parts.cluster_api_crds", unavailable)
    monkeypatch.setattr("hypershift.parts.provider_crds", none)


def test_a_cold_cache_without_a_network_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(HYPERSHIFT, COMMAND) == 0
    told = capsys.readouterr()
    found = {each["metadata"]["name"]: each for each in yaml.safe_load_all(told.out)}
    stored = {
        version["name"]
        for version in found["machines.cluster.x-k8s.io"]["spec"]["versions"]
        if version["storage"]
    }
    assert stored == {"v1beta2"}
    assert "warning: no compiler and no network" in told.err
    assert "would put them in place of a provider's own" in told.err


def test_definitions_of_providers_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(HYPERSHIFT, [*COMMAND, "--provider-definitions=false"]) == 0
    told = capsys.readouterr()
    groups = {each["spec"]["group"] for each in yaml.safe_load_all(told.out)}
    assert "infrastructure.cluster.x-k8s.io" not in groups
    assert {"cluster.x-k8s.io", "hypershift.openshift.io"} <= groups
