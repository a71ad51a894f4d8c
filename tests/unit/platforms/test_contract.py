"""What every platform promises, whichever cloud it is."""

import pytest

from hypershift.kit import InvalidSpec
from hypershift.platforms import PLATFORMS, ClusterFacts, Platform, platform_of


def facts_of(platform: Platform) -> ClusterFacts:
    cluster = {
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"infraID": "demo-abcde", "platform": {"type": platform.type}},
    }
    return ClusterFacts(cluster, "clusters-demo", ("192.0.2.1", 6443))


@pytest.mark.parametrize("platform", PLATFORMS.values(), ids=PLATFORMS)
def test_what_a_platform_makes_for_a_cluster_lies_in_its_control_plane_namespace(
    platform: Platform,
) -> None:
    facts = facts_of(platform)
    made = [platform.infra_cluster(facts), *platform.credentials(facts)]
    assert {m["metadata"]["namespace"] for m in made if m} <= {"clusters-demo"}


@pytest.mark.parametrize("platform", PLATFORMS.values(), ids=PLATFORMS)
def test_the_control_plane_runs_on_a_platform_that_the_api_names(platform: Platform) -> None:
    assert platform.control_plane_platform(facts_of(platform))["type"] in PLATFORMS


def test_an_unknown_platform_is_the_users_to_change() -> None:
    with pytest.raises(InvalidSpec, match="'Mainframe' is not supported") as caught:
        platform_of("Mainframe")
    assert caught.value.field == "spec.platform.type"
    assert caught.value.reason == "UnsupportedPlatform"
