"""The template of an EC2 instance."""

from typing import Any

import pytest
from tests.lib.pools import MACHINES, pool_facts

from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms import NotReady, PoolFacts
from hypershift.platforms.aws import tags

AWS = MACHINES["AWS"]
STREAM: Manifest = {
    "x86_64": {
        "images": {"aws": {"regions": {"us-east-1": {"image": "ami-1"}}}},
        "rhel-coreos-extensions": {"aws-winli": {"regions": {"us-east-1": {"image": "ami-w"}}}},
    }
}


def facts(group: str = "sg-0", pool: Manifest | None = None, **wanted: Any) -> PoolFacts:
    status = {"platform": {"aws": {"defaultWorkerSecurityGroupID": group}}}
    return pool_facts(
        "AWS",
        {"instanceType": "m5.large", "subnet": {"id": "subnet-1"}} | wanted,
        cluster={"region": "us-east-1"},
        stream=STREAM,
        hosted_cluster={"status": status},
        pool=pool,
    )


def machine(**wanted: Any) -> Manifest:
    spec: Manifest = AWS.template(facts(**wanted)).spec["template"]["spec"]
    return spec


def test_a_machine_waits_for_the_security_group_of_its_cluster() -> None:
    with pytest.raises(NotReady, match="default security group"):
        AWS.template(facts(group=""))
    kinds = {str(one.type): one for one in AWS.check(facts(group="")).conditions}
    assert kinds["AWSSecurityGroupAvailable"].reason == "DefaultSGNotReady"


@pytest.mark.parametrize(
    ("placement", "market"),
    [
        ({"marketType": "Spot", "spot": {"maxPrice": "1"}}, None),
        ({"marketType": "CapacityBlocks"}, "CapacityBlock"),
        ({"marketType": "OnDemand"}, "OnDemand"),
        ({"capacityReservation": {"id": "cr-1"}}, "CapacityBlock"),
        ({"capacityReservation": {"id": "cr-1", "marketType": "OnDemand"}}, "OnDemand"),
        ({"capacityReservation": {"id": "cr-1"}, "tenancy": "host"}, None),
        ({"capacityReservation": {"preference": "Open"}}, None),
    ],
)
def test_how_instances_are_paid_for_follows_the_placement(
    placement: Manifest, market: str | None
) -> None:
    made = machine(placement=placement)
    assert made.get("marketType") == market
    assert ("spotMarketOptions" in made) == (placement.get("marketType") == "Spot")
    assert made.get("capacityReservationId") == placement.get("capacityReservation", {}).get("id")


def test_a_spot_instance_may_name_no_price() -> None:
    assert machine(placement={"marketType": "Spot"})["spotMarketOptions"] == {}


def test_a_volume_has_a_type_only_when_the_pool_speaks_of_it() -> None:
    assert machine()["rootVolume"] == {"size": 16}
    assert machine(rootVolume={})["rootVolume"] == {"size": 16, "type": "gp3"}
    wanted = {"size": 99, "type": "io1", "iops": 4000, "encrypted": False}
    assert machine(rootVolume=wanted)["rootVolume"] == wanted


def test_windows_has_images_of_its_own() -> None:
    assert machine(imageType="Windows")["ami"] == {"id": "ami-w"}
    (image,) = [
        one for one in AWS.check(facts(imageType="Windows")).conditions if "Image" in one.type
    ]
    assert image.message == 'Bootstrap Windows AMI is "ami-w"'


def test_a_region_without_an_image_is_said_and_stops_the_pool() -> None:
    given = pool_facts("AWS", {}, cluster={"region": "moon-1"}, stream=STREAM)
    report = AWS.check(given)
    assert report.error == (
        "couldn't discover an AMI for release image: couldn't find AWS image for region \"moon-1\""
    )
    with pytest.raises(InvalidSpec, match="moon-1"):
        AWS.template(given)


def test_a_template_with_other_tags_is_as_good() -> None:
    made = AWS.template(facts()).spec
    other = {"template": {"spec": made["template"]["spec"] | {"additionalTags": {"a": "b"}}}}
    assert AWS.same(made, other)
    other["template"]["spec"]["instanceType"] = "m5.xlarge"
    assert not AWS.same(made, other)


def test_the_cluster_decides_whose_tag_counts() -> None:
    given = pool_facts(
        "AWS",
        {"resourceTags": [{"key": "a", "value": "pool"}, {"key": "b", "value": "pool"}]},
        cluster={
            "resourceTags": [
                {"key": "a", "value": "cluster"},
                {"key": "b", "value": "cluster", "overridePolicy": "Allow"},
            ]
        },
    )
    made = tags.of_machines(given)
    assert (made["a"], made["b"]) == ("cluster", "pool")
    assert made["kubernetes.io/cluster/demo-abcde"] == "owned"
    conflict = tags.conflict(given)
    assert (conflict.is_true, conflict.reason) == (True, "TagConflictDetected")
    assert "keys a;" in conflict.message
    assert "keys b (allowed" in conflict.message
