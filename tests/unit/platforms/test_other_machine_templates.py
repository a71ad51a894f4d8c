"""Templates of GCP, OpenStack, PowerVS and Agent machines."""

from typing import Any

import pytest
from tests.lib.pools import MACHINES, pool_facts

from hypershift.kit import Manifest

GCP_STREAM: Manifest = {"x86_64": {"images": {"gcp": {"project": "p", "name": "n"}}}}
POWER_STREAM: Manifest = {
    "ppc64le": {
        "images": {
            "powervs": {
                "regions": {
                    region: {"release": "9.6.1", "object": "o", "bucket": f"b-{region}"}
                    for region in ("us-south", "eu-gb")
                }
            }
        }
    }
}


def gcp(**wanted: Any) -> Manifest:
    given = pool_facts("GCP", {"machineType": "n2"} | wanted, cluster={"x": 1}, stream=GCP_STREAM)
    spec: Manifest = MACHINES["GCP"].template(given).spec["template"]["spec"]
    return spec


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"onHostMaintenance": "Migrate"}),
        (
            {"provisioningModel": "Spot"},
            {"provisioningModel": "Spot", "onHostMaintenance": "Terminate"},
        ),
        (
            {"provisioningModel": "Preemptible"},
            {"preemptible": True, "onHostMaintenance": "Terminate"},
        ),
        ({"onHostMaintenance": "TERMINATE"}, {"onHostMaintenance": "Terminate"}),
        (
            {"provisioningModel": "Spot", "onHostMaintenance": "MIGRATE"},
            {"onHostMaintenance": "Migrate"},
        ),
        (
            {"serviceAccount": {"email": "e", "scopes": ["s"]}},
            {"serviceAccounts": {"email": "e", "scopes": ["s"]}},
        ),
        ({"subnet": "own"}, {"subnet": "own"}),
        ({"networkTags": ["t"]}, {"additionalNetworkTags": ["t", "demo-abcde-worker"]}),
        (
            {"bootDisk": {"diskSizeGB": 9, "encryptionKey": {"kmsKeyName": "k"}}},
            {
                "rootDeviceSize": 9,
                "rootDiskEncryptionKey": {"keyType": "Managed", "managedKey": {"kmsKeyName": "k"}},
            },
        ),
    ],
)
def test_gcp_takes_over_what_the_pool_says(wanted: Manifest, expected: Manifest) -> None:
    assert expected.items() <= gcp(**wanted).items()


def test_gcp_gives_a_service_account_its_usual_scopes() -> None:
    assert len(gcp(serviceAccount={})["serviceAccounts"]["scopes"]) == 6
    assert "serviceAccounts" not in gcp()


def test_openstack_keeps_port_security_unless_told() -> None:
    ports = [
        {"network": {"id": "i"}, "portSecurityPolicy": "Disabled"},
        {"network": {"filter": {"name": "n", "tags": ["t"]}}, "portSecurityPolicy": "Enabled"},
        {},
    ]
    given = pool_facts("OpenStack", {"flavor": "f", "imageName": "x", "additionalPorts": ports})
    made = MACHINES["OpenStack"].template(given).spec["template"]["spec"]
    assert [one.get("disablePortSecurity") for one in made["ports"]] == [None, True, False, None]
    assert made["ports"][2]["network"] == {"filter": {"name": "n", "tags": ["t"]}}
    assert made["image"] == {"filter": {"name": "x"}}


def test_openstack_has_no_ports_of_its_own_where_the_cluster_chose_subnets() -> None:
    wanted = {"flavor": "f", "imageName": "x", "additionalPorts": [{}]}
    given = pool_facts("OpenStack", wanted, cluster={"subnets": [{"id": "s"}]})
    assert "ports" not in MACHINES["OpenStack"].template(given).spec["template"]["spec"]


def test_openstack_waits_for_the_cluster_that_owns_its_image() -> None:
    stream = {"x86_64": {"artifacts": {"openstack": {"release": "9"}}}}
    report = MACHINES["OpenStack"].check(pool_facts("OpenStack", {"flavor": "f"}, stream=stream))
    assert report.error.startswith("failed to get Cluster: ")


@pytest.mark.parametrize(
    ("region", "bucket"), [("dal", "b-us-south"), ("lon", "b-eu-gb"), ("mars", "b-us-south")]
)
def test_powervs_reads_images_of_the_regions_bucket(region: str, bucket: str) -> None:
    given = pool_facts("PowerVS", {"memoryGiB": 1}, cluster={"region": region}, stream=POWER_STREAM)
    (image,) = MACHINES["PowerVS"].check(given).objects
    assert image["spec"]["bucket"] == bucket
    assert image["metadata"]["name"] == "9-6-1"


def test_powervs_has_no_image_everywhere() -> None:
    given = pool_facts("PowerVS", {}, cluster={"region": "tok"}, stream=POWER_STREAM)
    assert (
        'couldn\'t find PowerVS image for region "jp-tok"' in MACHINES["PowerVS"].check(given).error
    )


def test_an_agent_is_chosen_by_its_labels() -> None:
    selector = {"matchExpressions": [{"key": "k", "operator": "Exists"}], "matchLabels": {"a": "b"}}
    made = MACHINES["Agent"].template(pool_facts("Agent", {"agentLabelSelector": selector}))
    assert made.hashed.startswith('{"template":{"spec":{"agentLabelSelector":{"matchLabels"')


def test_the_name_of_an_agent_template_follows_its_labels_whatever_their_order() -> None:
    def hashed(labels: dict[str, str]) -> str:
        needed = [{"operator": "In", "values": ["x"], "key": "k"}]
        selector = {"matchExpressions": needed, "matchLabels": labels}
        facts = pool_facts("Agent", {"agentLabelSelector": selector})
        return MACHINES["Agent"].template(facts).hashed

    assert hashed({"b": "2", "a": "1"}) == hashed({"a": "1", "b": "2"})
    assert hashed({"a": "1"}) == (
        '{"template":{"spec":{"agentLabelSelector":{"matchLabels":{"a":"1"},'
        '"matchExpressions":[{"key":"k","operator":"In","values":["x"]}]}}}}'
    )
