"""What every platform promises, whichever cloud it is."""

from dataclasses import FrozenInstanceError

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.api import HostedCluster, read
from hypershift.api.values import PlatformType
from hypershift.kit import InvalidSpec
from hypershift.platforms import (
    PLATFORMS,
    ClusterFacts,
    ClusterSide,
    Platform,
    cluster_side,
    platform_of,
)

HOSTED = {name: each.cluster for name, each in PLATFORMS.items() if each.cluster is not None}
clouds = pytest.mark.parametrize("platform", PLATFORMS.values(), ids=PLATFORMS)
hosted = pytest.mark.parametrize(("name", "cluster"), HOSTED.items(), ids=HOSTED)


_ROLES = ("controlPlaneOperator", "imageRegistry", "ingress", "kubeCloudController", "network")
#: What a platform cannot do without.
SECTIONS = {
    "AWS": {
        "aws": {
            "region": "us-east-1",
            "rolesRef": {
                f"{name}ARN": f"arn:aws:iam::123456789012:role/{name}"
                for name in (*_ROLES, "nodePoolManagement", "storage")
            },
        }
    }
}


def facts_of(name: str) -> ClusterFacts:
    cluster = {
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"infraID": "demo-abcde", "platform": {"type": name, **SECTIONS.get(name, {})}},
    }
    return ClusterFacts(read(HostedCluster, cluster), "clusters-demo", ("192.0.2.1", 6443))


def test_every_platform_of_the_api_is_one_object() -> None:
    assert set(PLATFORMS) == set(PlatformType)


@clouds
def test_a_platform_is_found_by_the_name_that_users_write(platform: Platform) -> None:
    assert platform_of(a_decoded_spec({"platform": {"type": str(platform.type)}})) is platform


@clouds
def test_a_platform_cannot_be_changed(platform: Platform) -> None:
    with pytest.raises(FrozenInstanceError):
        platform.cluster = None  # type: ignore[misc]


@clouds
def test_a_platform_that_is_not_hosted_is_refused(platform: Platform) -> None:
    if platform.cluster is None:
        with pytest.raises(InvalidSpec, match=rf"'{platform.type}' .* \(it has AWS, Local, None\)"):
            cluster_side(platform.type)
    else:
        assert cluster_side(platform.type) is platform.cluster


@hosted
def test_what_a_platform_makes_for_a_cluster_lies_in_its_control_plane_namespace(
    name: str, cluster: ClusterSide
) -> None:
    facts = facts_of(name)
    made = [cluster.infra_cluster(facts), *cluster.credentials(facts)]
    assert {m["metadata"]["namespace"] for m in made if m} <= {"clusters-demo"}


@hosted
def test_the_control_plane_runs_on_a_platform_that_the_api_names(
    name: str, cluster: ClusterSide
) -> None:
    assert cluster.control_plane_platform({"type": name})["type"] in PLATFORMS


def test_an_unknown_platform_is_the_users_to_change() -> None:
    with pytest.raises(InvalidSpec, match="'Mainframe' is not supported") as caught:
        cluster_side("Mainframe")
    assert caught.value.field == "spec.platform.type"
    assert caught.value.reason == "UnsupportedPlatform"


def test_an_unknown_platform_is_not_special() -> None:
    assert platform_of(a_decoded_spec({"platform": {"type": "Mainframe"}})) == Platform("Mainframe")
