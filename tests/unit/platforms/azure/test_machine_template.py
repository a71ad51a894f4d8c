"""The template of an Azure machine."""

from typing import Any

import pytest
from tests.lib.pools import MACHINES, pool_facts

from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms import Template
from hypershift.platforms.azure import subnet

NETWORK = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
MARKET = {
    "no-purchase-plan": {
        f"hyperVGen{number}": {"publisher": "p", "offer": "o", "sku": f"s{number}", "version": "1"}
        for number in (1, 2)
    }
}
STREAM: Manifest = {"x86_64": {"rhel-coreos-extensions": {"marketplace": {"azure": MARKET}}}}


def template(version: str = "4.21.3", cluster: Manifest | None = None, **wanted: Any) -> Template:
    usual = {"vmSize": "D4", "subnetID": f"{NETWORK}/subnets/workers"}
    given = pool_facts("Azure", usual | wanted, stream=STREAM, version=version, cluster=cluster)
    return MACHINES["Azure"].template(given)


def test_a_pool_without_an_image_gets_the_releases_and_remembers_it() -> None:
    made = template()
    image = made.spec["template"]["spec"]["image"]["marketplace"]
    assert (image["sku"], image["thirdPartyImage"]) == ("s2", False)
    remembered = made.defaults["platform"]["azure"]["image"]
    assert remembered["type"] == "AzureMarketplace"
    assert remembered["azureMarketplace"]["imageGeneration"] == "Gen2"


def test_a_pool_may_choose_the_older_generation() -> None:
    made = template(image={"azureMarketplace": {"imageGeneration": "Gen1"}})
    assert made.spec["template"]["spec"]["image"]["marketplace"]["sku"] == "s1"


def test_older_releases_name_no_image() -> None:
    with pytest.raises(InvalidSpec, match="no Azure VM image configured"):
        template(version="4.19.0")


def test_a_complete_image_is_left_alone() -> None:
    given = {"publisher": "a", "offer": "b", "sku": "c", "version": "d"}
    made = template(image={"type": "AzureMarketplace", "azureMarketplace": given})
    assert made.defaults == {}
    assert made.spec["template"]["spec"]["image"]["marketplace"]["sku"] == "c"


def test_disks_and_identity_are_taken_over() -> None:
    registry = {"credentials": {"managedIdentity": {"resourceID": "/r"}}}
    made = template(
        cluster={"containerRegistry": registry},
        osDisk={"sizeGiB": 64, "persistence": "Ephemeral", "encryptionSetID": "/e"},
        encryptionAtHost="Enabled",
    ).spec["template"]["spec"]
    assert made["osDisk"] == {
        "osType": "",
        "diskSizeGB": 64,
        "managedDisk": {"diskEncryptionSet": {"id": "/e"}},
        "diffDiskSettings": {"option": "Local"},
        "cachingType": "ReadOnly",
    }
    assert made["userAssignedIdentities"] == [{"providerID": "azure:///r"}]
    assert made["securityProfile"] == {"encryptionAtHost": True}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "id cannot be empty"),
        ("workers", "must start with '/'"),
        ("/workers", "invalid resource ID: /workers"),
        ("/other/things", "invalid resource ID: /other/things"),
        ("/subscriptions/s/resourceGroups", "invalid resource ID"),
        (f"{NETWORK}", "invalid resource type 'virtualNetworks'"),
        (f"{NETWORK}/subnets", "failed to parse subnet name"),
    ],
)
def test_what_is_no_subnet_is_refused(given: str, why: str) -> None:
    with pytest.raises(InvalidSpec, match=why):
        subnet.name(given)


def test_a_subnet_is_known_by_its_last_word_in_any_case() -> None:
    assert subnet.name(f"{NETWORK}/SUBNETS/workers") == "workers"
