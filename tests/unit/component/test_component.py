"""Components as values."""

from pathlib import Path

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component import Asset, Component, Tier, default_replicas

SECRET = {"kind": "Secret", "metadata": {"name": "kubeconfig"}}
COMPONENT = Component(
    name="demo",
    assets=Path(),
    workload=Asset("deployment.yaml"),
    manifests=(Asset("config.yaml"), Asset(stub=SECRET), Asset("service.yaml")),
)


def test_an_asset_takes_the_place_of_the_one_with_its_kind_and_name() -> None:
    other = Asset(stub={**SECRET, "type": "Opaque"})
    assert COMPONENT.with_assets(other) == (Asset("config.yaml"), other, Asset("service.yaml"))


def test_an_asset_that_replaces_nothing_is_a_mistake() -> None:
    with pytest.raises(LookupError, match="demo has no asset"):
        COMPONENT.with_assets(Asset("absent.yaml"))


@pytest.mark.parametrize(
    ("tier", "replicas"), [(Tier.CONTROL_PLANE, 2), (Tier.API_CRITICAL, 3), (Tier.STORAGE, 3)]
)
def test_the_tier_decides_how_many_replicas_a_highly_available_component_has(
    tier: Tier, replicas: int
) -> None:
    component = Component("demo", Path(), Asset(), tier=tier)
    assert default_replicas(a_view(controllerAvailabilityPolicy="HighlyAvailable"), component) == (
        replicas
    )
    assert default_replicas(a_view(), component) == 1
