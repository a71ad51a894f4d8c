"""Words of a HostedCluster that become a part of a cloud's host name: none leads elsewhere.

A control plane asks AWS with a token, and in Shared mode the operator itself sends the request.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.cloud.aws import endpoint
from hypershift.cloud.stores import Bucket, Keys, hosts, lend
from hypershift.kit import InvalidSpec, Secret

KEYS = Keys("a", Secret("s"))
ELSEWHERE = (
    "evil.example.org/",
    "evil.example.org/?",
    "evil.example.org#",
    "x@10.0.0.1:6443/",
    "us-east-1.evil.example.org",
    "us-east-1\r\nHost: evil",
    "us-east-1 ",
    "-x",
    "x" * 64,
    "../x",
    "",
)


@pytest.mark.parametrize("region", ELSEWHERE)
def test_no_region_leads_to_another_host(region: str) -> None:
    with pytest.raises(InvalidSpec, match="not a word of a host name"):
        endpoint("ec2", region, {})
    with pytest.raises(InvalidSpec):
        lend("arn:aws:iam::1:role/x", Secret("token"), region, "session")
    with pytest.raises(InvalidSpec):
        Bucket("b", region, KEYS).url_of("key")


@pytest.mark.parametrize("account", ELSEWHERE)
def test_no_storage_account_leads_to_another_host(account: str) -> None:
    with pytest.raises(InvalidSpec):
        hosts.azure_blob(account)


@given(st.text(max_size=80))
def test_whatever_a_region_is_the_host_is_amazons(region: str) -> None:
    try:
        url = endpoint("sts", region, {})
    except InvalidSpec:
        return
    host = urlsplit(url).hostname or ""
    assert host.endswith((".amazonaws.com", ".amazonaws.com.cn"))
    assert host.split(".")[1] == region


def test_ordinary_regions_are_what_they_were() -> None:
    assert endpoint("ec2", "us-east-1", {}) == "https://ec2.us-east-1.amazonaws.com"
    assert endpoint("ec2", "cn-north-1", {}) == "https://ec2.cn-north-1.amazonaws.com.cn"


def test_no_address_of_a_service_is_made_anywhere_else() -> None:
    root = Path(hosts.__file__).parents[2]
    made = {
        str(path.relative_to(root))
        for folder in ("cloud", "platforms", "operators", "servers")
        for path in (root / folder).rglob("*.py")
        if re.search(r"\}\.(amazonaws\.com|blob\.core\.windows\.net)", path.read_text())
    }
    assert made == {"cloud/stores/hosts.py"}
