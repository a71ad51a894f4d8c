"""What EC2 knows of instances: the names and addresses that their kubelets may claim."""

import asyncio
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hypershift.api.platforms.platform import Platform
from hypershift.cloud.aws import Query, endpoint, pages
from hypershift.cloud.stores.keys import keys_of_profile
from hypershift.kit import TransientError

#: Ids in one question.
_AT_ONCE: Final = 100
_SESSION: Final = "karpenter-operator"


@dataclass(frozen=True, slots=True)
class FoundInstance:
    """An instance as EC2 describes it."""

    private_name: str
    names: frozenset[str]
    addresses: frozenset[str]


async def find_instances(
    section: Platform, ids: Collection[str], environment: Mapping[str, str] = os.environ
) -> dict[str, FoundInstance]:
    """Describe instances by the credentials of the environment; absent ones are left out."""
    if section.aws is None:
        return {}
    return await asyncio.to_thread(_find, section.aws.region, sorted(ids), environment)


def _find(region: str, ids: list[str], environment: Mapping[str, str]) -> dict[str, FoundInstance]:
    file = environment.get("AWS_SHARED_CREDENTIALS_FILE")
    if not file:
        raise TransientError("AWS credentials not set: AWS_SHARED_CREDENTIALS_FILE is empty")
    try:
        keys = keys_of_profile(Path(file), region, _SESSION, endpoint("sts", region, environment))
    except OSError as error:
        raise TransientError(f"the AWS credentials cannot be read: {error.strerror}") from None
    query, found = Query(region, keys), {}
    for start in range(0, len(ids), _AT_ONCE):
        chosen = {"Name": "instance-id", "Value": ids[start : start + _AT_ONCE]}
        # By a filter, because an id that is gone fails a question for all of them.
        asked = pages(query, "ec2", "DescribeInstances", "reservationSet", Filter=[chosen])
        for reservation in asked:
            for each in reservation.get("instancesSet") or ():
                found[str(each["instanceId"])] = _instance(each)
    return found


def _instance(given: Mapping[str, Any]) -> FoundInstance:
    private = str(given.get("privateDnsName") or "")
    names = {private, str(given.get("dnsName") or "")} - {""}
    addresses = {str(given.get(name) or "") for name in ("privateIpAddress", "ipAddress")}
    return FoundInstance(private, frozenset(names), frozenset({*addresses, *_more(given)} - {""}))


def _more(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of every network interface."""
    for interface in given.get("networkInterfaceSet") or ():
        for each in interface.get("privateIpAddressesSet") or ():
            yield str(each.get("privateIpAddress") or "")
        for each in interface.get("ipv6AddressesSet") or ():
            yield str(each.get("ipv6Address") or "")
