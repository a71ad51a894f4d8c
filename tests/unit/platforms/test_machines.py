"""What the machines of every cloud promise."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec
from tests.lib.pools import MACHINES, pool_facts

from hypershift.api import read
from hypershift.api.node_pool import NodePoolPlatform
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.platforms import PoolFacts, platform_of

STREAM: Manifest = {
    "x86_64": {
        "artifacts": {
            "openstack": {
                "release": "9.6.1-0",
                "formats": {"qcow2.gz": {"disk": {"location": "https://x/q", "sha256": "f"}}},
            }
        },
        "images": {
            "aws": {"regions": {"us-east-1": {"image": "ami-1"}}},
            "gcp": {"project": "rhcos", "name": "rhcos-9"},
            "kubevirt": {"digest-ref": "quay.io/x@sha256:d"},
        },
    },
    "ppc64le": {
        "images": {"powervs": {"regions": {"us-south": {"release": "9.6.1", "object": "o"}}}}
    },
}
SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
WANTED: dict[str, dict[str, Any]] = {
    "AWS": {"instanceType": "m5.large", "subnet": {"id": "subnet-1"}},
    "Agent": {},
    "Azure": {"vmSize": "D4", "subnetID": SUBNET, "image": {"type": "ImageID", "imageID": "/i"}},
    "GCP": {"machineType": "n2", "zone": "a"},
    "KubeVirt": {"rootVolume": {"type": "Persistent", "persistent": {"size": "32Gi"}}},
    "Local": {},
    "OpenStack": {"flavor": "m1"},
    "PowerVS": {"systemType": "s922", "processors": "0.5", "memoryGiB": 32},
}
CLUSTER = {"AWS": {"region": "us-east-1"}, "GCP": {"region": "r"}}


def facts(platform: str) -> PoolFacts:
    status = {"platform": {"aws": {"defaultWorkerSecurityGroupID": "sg-0"}}}
    owner = {
        "apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
        "kind": "OpenStackCluster",
        "metadata": {"name": "demo", "uid": "u"},
    }
    return pool_facts(
        platform,
        WANTED[platform],
        cluster=CLUSTER.get(platform),
        stream=STREAM,
        hosted_cluster={"status": status},
        infra_cluster=owner,
    )


@pytest.mark.parametrize("platform", MACHINES)
def test_an_ordinary_pool_has_a_template_and_nothing_to_complain_about(platform: str) -> None:
    machines = MACHINES[platform]
    report = machines.check(facts(platform))
    assert report.error == ""
    template = machines.template(facts(platform))
    assert template.spec["template"]["spec"] is not None
    assert machines.template(facts(platform)).hashed == template.hashed


@pytest.mark.parametrize("platform", MACHINES)
def test_only_what_may_change_in_place_is_missing_from_the_text_that_names_a_template(
    platform: str,
) -> None:
    template = MACHINES[platform].template(facts(platform))
    spec = template.spec
    if platform == "GCP":
        spec = dict(spec["template"]["spec"])
        del spec["additionalLabels"]
    elif platform == "AWS":
        machine = dict(spec["template"]["spec"])
        del machine["additionalTags"]
        spec = {"template": {"metadata": {}, "spec": machine}}
    assert template.hashed in (to_json(spec, sort=False), to_json(spec))


@pytest.mark.parametrize("platform", MACHINES)
def test_what_is_made_beside_a_template_lies_in_the_control_plane_namespace(platform: str) -> None:
    made = MACHINES[platform].check(facts(platform)).objects
    assert {one["metadata"]["namespace"] for one in made} <= {"clusters-demo"}


@pytest.mark.parametrize(
    ("platform", "elsewhere"),
    [
        ({"type": "None"}, True),
        ({"type": "IBMCloud", "ibmcloud": {"providerType": "UPI"}}, True),
        ({"type": "IBMCloud"}, False),
        ({"type": "AWS"}, False),
    ],
)
def test_some_machines_are_made_elsewhere(platform: Manifest, elsewhere: bool) -> None:  # noqa: FBT001
    assert (
        platform_of(a_decoded_spec({"platform": platform})).pools.made_elsewhere(
            read(NodePoolPlatform, platform)
        )
        is elsewhere
    )


def test_a_cloud_without_machines_is_told_apart() -> None:
    assert platform_of(a_decoded_spec({"platform": {"type": "IBMCloud"}})).pools.machines is None
