"""What is taken of EC2's answer about instances."""

from pathlib import Path
from typing import Any

import pytest

from hypershift.api import read
from hypershift.api.platforms.platform import Platform
from hypershift.cloud.stores import Keys
from hypershift.kit import Secret, TransientError
from hypershift.platforms.aws import instances

SECTION = read(Platform, {"type": "AWS", "aws": {"region": "eu-west-1"}})
ANSWER = {
    "reservationSet": [
        {
            "instancesSet": [
                {
                    "instanceId": "i-1",
                    "privateDnsName": "ip-10-0-0-1.ec2.internal",
                    "dnsName": "",
                    "privateIpAddress": "10.0.0.1",
                    "networkInterfaceSet": [
                        {
                            "privateIpAddressesSet": [{"privateIpAddress": "10.0.0.2"}],
                            "ipv6AddressesSet": [{"ipv6Address": "fd00::1"}],
                        }
                    ],
                }
            ]
        }
    ]
}


async def test_names_and_addresses_of_every_interface_are_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[dict[str, Any]] = []

    class Query:
        def __init__(self, region: str, _keys: object) -> None:
            assert region == "eu-west-1"

        def __call__(self, service: str, action: str, **request: Any) -> dict[str, Any]:
            assert (service, action) == ("ec2", "DescribeInstances")
            asked.append(request)
            return ANSWER

    monkeypatch.setattr(instances, "Query", Query)
    monkeypatch.setattr(instances, "keys_of_profile", lambda *_: Keys("id", Secret("secret")))
    environment = {"AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials")}
    found = await instances.find_instances(SECTION, {"i-1", "i-2"}, environment)
    assert found == {
        "i-1": instances.FoundInstance(
            "ip-10-0-0-1.ec2.internal",
            frozenset({"ip-10-0-0-1.ec2.internal"}),
            frozenset({"10.0.0.1", "10.0.0.2", "fd00::1"}),
        )
    }
    assert asked == [{"Filter": [{"Name": "instance-id", "Value": ["i-1", "i-2"]}]}]


async def test_without_credentials_nobody_is_asked() -> None:
    with pytest.raises(TransientError, match="AWS credentials not set"):
        await instances.find_instances(SECTION, {"i-1"}, {})
