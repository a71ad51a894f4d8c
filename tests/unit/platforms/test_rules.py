"""How each cloud changes the rules for a HostedCluster."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_cluster

from hypershift.platforms import PLATFORMS, platform_named


def named(**traits: Any) -> set[str]:
    """The clouds whose rules answer as given."""
    return {
        name
        for name, each in PLATFORMS.items()
        if all(getattr(each.rules, trait) == value for trait, value in traits.items())
    }


def test_clusters_on_bare_machines_have_nothing_in_a_cloud() -> None:
    assert named(uses_cloud_resources=False) == {"Agent", "None"}
    assert platform_named("").rules.uses_cloud_resources


def test_a_private_router_exists_where_there_are_private_links() -> None:
    assert named(private_router=True) == {n for n, each in PLATFORMS.items() if each.links}


def test_the_original_keeps_pods_from_the_management_api_on_one_cloud() -> None:
    assert named(management_kas_exempts="") == set(PLATFORMS) - {"AWS"}


@pytest.mark.parametrize(
    ("azure", "problems"),
    [
        ({}, 0),
        ({"topology": "Public"}, 0),
        ({"topology": "Private"}, 1),
        ({"topology": "Private", "private": {"type": "PrivateLink"}}, 0),
    ],
)
def test_a_private_topology_on_azure_needs_a_type(azure: dict[str, Any], problems: int) -> None:
    spec = {"platform": {"type": "Azure", "azure": azure | {"azureAuthenticationConfig": {}}}}
    found = list(PLATFORMS["Azure"].rules.problems(a_decoded_cluster(spec)))
    assert len(found) == problems
