"""Words of a HostedCluster in files of settings: none of them begins a line of its own.

AWS' libraries run what `credential_process` names, so a second line would be a program of the
consumer's in the pods that call AWS.
"""

import configparser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.aws import ROLES
from tests.unit.component.clusters import a_view
from tests.unit.platforms.aws.test_cluster import facts

from hypershift.component import aws
from hypershift.controlplane import aws_cloud_controller_manager
from hypershift.kit import InvalidSpec, Manifest, data_of
from hypershift.platforms.aws.cluster import AwsCluster

PROGRAM = "credential_process = /bin/sh -c id"
BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")
SETTINGS = {"role_arn", "web_identity_token_file", "sts_regional_endpoints", "region"}


@pytest.mark.parametrize("line_break", BREAKS)
@pytest.mark.parametrize("field", ["region", "role"])
def test_no_word_of_a_cluster_names_a_program_in_a_credentials_file(
    field: str, line_break: str
) -> None:
    word = f"us-east-1{line_break}{PROGRAM}"
    section: Manifest = {"region": word}
    if field == "role":
        section = {"rolesRef": ROLES | {"storageARN": word}}
    with pytest.raises(InvalidSpec):
        AwsCluster().credentials(facts(section))


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_credentials_file_has_the_settings_that_we_wrote_and_no_other(
    region: str, role: str
) -> None:
    section = {"region": region, "rolesRef": dict.fromkeys(ROLES, role)}
    try:
        made = AwsCluster().credentials(facts(section))
    except InvalidSpec:
        return
    for each in made:
        # The library's rules are wider than these: a line break is what both have in common.
        lines = data_of(each, "credentials").decode().splitlines()
        assert [line.partition(" = ")[0] for line in lines[1:]] == [
            "role_arn",
            "web_identity_token_file",
            "sts_regional_endpoints",
            "region",
        ]


@pytest.mark.parametrize("line_break", BREAKS)
def test_no_role_begins_a_second_line(line_break: str) -> None:
    with pytest.raises(InvalidSpec):
        aws.role_file(f"arn:aws:iam::1:role/x{line_break}{PROGRAM}")
    parser = configparser.ConfigParser()
    parser.read_string(aws.role_file("arn:aws:iam::1:role/x"))
    assert set(parser["default"]) == SETTINGS - {"region"}


NETWORK = {"vpc": "vpc-1", "zone": "us-east-1a", "subnet": {"id": "subnet-1"}}
EVIL = 'x\n[ServiceOverride "1"]\nURL = https://evil.example.org'


@pytest.mark.parametrize("change", [{"vpc": EVIL}, {"zone": EVIL}, {"subnet": {"id": EVIL}}])
def test_no_word_of_a_network_begins_a_section_for_the_cloud_controller(change: Manifest) -> None:
    section: dict[str, Any] = {
        "region": "us-east-1",
        "rolesRef": ROLES,
        "cloudProviderConfig": NETWORK | change,
    }
    view = a_view(platform={"type": "AWS", "aws": section})
    with pytest.raises(InvalidSpec):
        aws_cloud_controller_manager.config(view, {"kind": "ConfigMap", "metadata": {}})


@pytest.mark.parametrize("port", ["²", "9" * 5000, "0", "-1", "65536", "1\n2"])
def test_a_port_in_an_annotation_is_a_port(port: str) -> None:
    name = "shared-load-balancer-health-probe-port"
    section = {"region": "us-east-1", "rolesRef": ROLES, "cloudProviderConfig": NETWORK}
    view = a_view(annotations={name: port}, platform={"type": "AWS", "aws": section})
    with pytest.raises(InvalidSpec):
        dict(aws_cloud_controller_manager.shared_probe(view))
