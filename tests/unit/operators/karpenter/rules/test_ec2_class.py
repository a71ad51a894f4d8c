"""What an OpenshiftEC2NodeClass becomes for Karpenter."""

from base64 import b64encode
from typing import Any

import pytest
from tests.lib.karpenter import a_plane

from hypershift.api import HostedControlPlane, OpenshiftEC2NodeClass, read
from hypershift.api.defaults import zeroed
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.karpenter.rules import ec2_class

IMAGES = {"hypershift.openshift.io/ami": "ami-1", "hypershift.openshift.io/ami-arm64": "ami-2"}


def a_class(**spec: Any) -> OpenshiftEC2NodeClass:
    manifest = {"metadata": {"name": "fast", "uid": "1"}, "spec": spec}
    return read(OpenshiftEC2NodeClass, zeroed(OpenshiftEC2NodeClass, manifest))


def user_data(**labels: str) -> Manifest:
    marks = labels or IMAGES
    return {"metadata": {"labels": marks}, "data": {"value": b64encode(b"{}").decode()}}


def a_control_plane(
    annotations: dict[str, str] | None = None, **changes: Any
) -> HostedControlPlane:
    manifest = a_plane(**changes)
    manifest["metadata"] |= {"uid": "2", "annotations": annotations or {}}
    return read(HostedControlPlane, zeroed(HostedControlPlane, manifest))


def spec(annotations: dict[str, str] | None = None, **wanted: Any) -> Manifest:
    return ec2_class.spec(a_class(**wanted), a_control_plane(annotations), user_data())


def test_a_class_that_says_nothing_has_what_every_node_needs() -> None:
    assert spec() == {
        "amiFamily": "Custom",
        "amiSelectorTerms": [{"id": "ami-1"}, {"id": "ami-2"}],
        "blockDeviceMappings": [
            {
                "deviceName": "/dev/xvda",
                "ebs": {"encrypted": True, "volumeSize": "120Gi", "volumeType": "gp3"},
            }
        ],
        "kubelet": {"maxPods": 250},
        "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo-7x2kf"}}],
        "subnetSelectorTerms": [
            {
                "tags": {
                    "kubernetes.io/cluster/demo-7x2kf": "*",
                    "kubernetes.io/role/internal-elb": "1",
                }
            }
        ],
        "userData": "{}",
    }


@pytest.mark.parametrize(
    ("wanted", "field", "value"),
    [
        ({"ipAddressAssociation": "Public"}, "associatePublicIPAddress", True),
        ({"ipAddressAssociation": "SubnetDefault"}, "associatePublicIPAddress", False),
        ({"monitoring": "Detailed"}, "detailedMonitoring", True),
        ({"monitoring": "Basic"}, "detailedMonitoring", False),
        ({"instanceStorePolicy": "RAID0"}, "instanceStorePolicy", "RAID0"),
        (
            {"metadataOptions": {"access": "None", "httpTokens": "Required"}},
            "metadataOptions",
            {"httpEndpoint": "disabled", "httpTokens": "required"},
        ),
        (
            {"metadataOptions": {"httpIPProtocol": "IPv4", "httpPutResponseHopLimit": 2}},
            "metadataOptions",
            {"httpProtocolIPv6": "disabled", "httpPutResponseHopLimit": 2},
        ),
        (
            {"capacityReservationSelectorTerms": [{"instanceMatchCriteria": "Targeted"}]},
            "capacityReservationSelectorTerms",
            [{"instanceMatchCriteria": "targeted"}],
        ),
        (
            {"subnetSelectorTerms": [{"id": "subnet-1"}]},
            "subnetSelectorTerms",
            [{"id": "subnet-1"}],
        ),
        (
            {"securityGroupSelectorTerms": [{"name": "workers"}]},
            "securityGroupSelectorTerms",
            [{"name": "workers"}],
        ),
        (
            {
                "blockDeviceMappings": [
                    {
                        "deviceName": "/dev/xvdb",
                        "rootVolume": "RootVolume",
                        "ebs": {
                            "deleteOnTermination": "Retain",
                            "encrypted": "Unencrypted",
                            "volumeSizeGiB": 20,
                            "volumeType": "IO2",
                            "iops": 3000,
                        },
                    }
                ]
            },
            "blockDeviceMappings",
            [
                {
                    "deviceName": "/dev/xvdb",
                    "rootVolume": True,
                    "ebs": {
                        "deleteOnTermination": False,
                        "encrypted": False,
                        "iops": 3000,
                        "volumeSize": "20Gi",
                        "volumeType": "io2",
                    },
                }
            ],
        ),
        (
            {
                "kubelet": {
                    "maxPods": 9,
                    "evictionSoft": {"memory.available": "5%"},
                    "evictionSoftGracePeriod": {"memory.available": "90s"},
                }
            },
            "kubelet",
            {
                "maxPods": 9,
                "evictionSoft": {"memory.available": "5%"},
                "evictionSoftGracePeriod": {"memory.available": "1m30s"},
            },
        ),
    ],
)
def test_a_field_in_karpenters_words(wanted: Manifest, field: str, value: object) -> None:
    assert spec(**wanted)[field] == value


def test_the_instance_profile_is_the_platforms() -> None:
    marks = {"hypershift.openshift.io/aws-karpenter-default-instance-profile": "workers"}
    assert spec(marks)["instanceProfile"] == "workers"


def test_tags_of_the_cluster_outweigh_those_of_the_class_unless_they_may_not() -> None:
    tags = [
        {"key": "team", "value": "red"},
        {"key": "cost", "value": "1", "overridePolicy": "Allow"},
        {"key": "kubernetes.io/cluster/demo", "value": "owned"},
    ]
    plane = a_control_plane(platform={"aws": {"resourceTags": tags}})
    wanted = a_class(tags={"team": "blue", "cost": "2", "mine": "yes"})
    found = ec2_class.spec(wanted, plane, user_data())["tags"]
    assert found == {"team": "red", "cost": "2", "mine": "yes"}


def test_user_data_without_an_image_makes_no_class() -> None:
    with pytest.raises(InvalidSpec, match="no AMIs found"):
        ec2_class.spec(a_class(), a_control_plane(), user_data(other="x"))
