"""Releases that a cluster may run, and what the original says of the others."""

import pytest

from hypershift.release import Product, why_invalid

OVN, SDN = "OVNKubernetes", "OpenShiftSDN"
LOWEST = 'the minimum version supported for platform AWS is: "4.14". Attempting to use:'


@pytest.mark.parametrize(
    ("wanted", "current", "network", "platform", "said"),
    [
        ("4.20.3", "", OVN, "AWS", ""),
        ("4.20.0-ec.1", "4.19.9", OVN, "AWS", ""),
        ("5.1.0", "4.23.0", OVN, "AWS", ""),
        ("4.23.0", "5.0.1", OVN, "AWS", ""),
        ("4.17.0", "", "Other", "AWS", ""),
        ("4.16.0", "", SDN, "PowerVS", ""),
        ("4.16.1", "4.16.0", SDN, "AWS", ""),
        (
            "4.7.0",
            "",
            OVN,
            "AWS",
            'releases before 4.8 are not supported. Attempting to use: "4.7.0"',
        ),
        (
            "4.18.9",
            "4.19.1",
            OVN,
            "AWS",
            'y-stream downgrade from "4.19.1" to "4.18.9" is not supported',
        ),
        (
            "4.16.0",
            "4.15.0",
            SDN,
            "AWS",
            'y-stream upgrade from "4.15.0" to "4.16.0" is not for OpenShiftSDN',
        ),
        ("4.16.0", "", SDN, "AWS", 'cannot use OpenShiftSDN with OCP version "4.16.0" > 4.10'),
        ("4.10.5", "", OVN, "AWS", 'cannot use OVNKubernetes with OCP version "4.10.5" < 4.11'),
        (
            "5.2.0-ec.1",
            "",
            OVN,
            "AWS",
            'the latest version supported is: "5.1". Attempting to use: "5.2.0-ec.1"',
        ),
        ("4.13.9", "", OVN, "AWS", f'{LOWEST} "4.13.9"'),
        ("6.0.0", "", OVN, "AWS", "unsupported major version 6; only 4.x and 5.x are supported"),
    ],
)
def test_openshift(wanted: str, current: str, network: str, platform: str, said: str) -> None:
    found = why_invalid(Product.OPENSHIFT, wanted, current, network=network, platform=platform)
    assert found == said


@pytest.mark.parametrize(
    ("wanted", "current", "valid"),
    [
        ("1.35.8", "", True),
        ("1.35.8", "1.34.0", True),
        ("1.35.8", "1.33.0", False),
        ("x", "", False),
    ],
)
def test_kubernetes_goes_minor_by_minor(wanted: str, current: str, *, valid: bool) -> None:
    assert (not why_invalid(Product.KUBERNETES, wanted, current)) is valid
