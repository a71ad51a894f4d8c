"""Each platform has its traits in one value, and a cloud that is not special has the usual ones."""

from dataclasses import replace

import pytest

from hypershift.api.platforms.traits import TRAITS, PlatformTraits, traits_of
from hypershift.api.values import PlatformType
from hypershift.api.well_known import API_PORT


def test_every_platform_of_the_api_has_traits() -> None:
    assert set(TRAITS) == set(PlatformType)


def test_an_unknown_platform_has_the_usual_answers() -> None:
    assert traits_of("Moon") == PlatformTraits("Moon")


@pytest.mark.parametrize("platform", [PlatformType.LOCAL, PlatformType.NONE, PlatformType.AGENT])
def test_a_platform_without_a_cloud_differs_in_its_registry_alone(platform: PlatformType) -> None:
    assert replace(traits_of(platform), keeps_registry_in_memory=False) == PlatformTraits(platform)


def test_one_cloud_has_another_port_for_the_api_server() -> None:
    others = {name for name, each in TRAITS.items() if each.api_port == API_PORT}
    assert others == set(PlatformType) - {PlatformType.IBMCLOUD}
