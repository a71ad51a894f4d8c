"""Which OpenShift releases nodes may run, and how many minors behind their control plane."""

from typing import Any

import pytest

from hypershift.api import HostedCluster, read
from hypershift.operators.hypershift.node_pool.rules import conditions, openshift_release
from hypershift.release import Product, Release


def a_cluster(platform: str = "AWS", **version: Any) -> HostedCluster:
    cluster = {"spec": {"platform": {"type": platform}}, "status": {"version": version}}
    return read(HostedCluster, cluster)


def why(wanted: str, *, current: str = "", newest: str = "4.18.0") -> str:
    return openshift_release.why_not(wanted, current=current, newest=newest, cluster=a_cluster())


@pytest.mark.parametrize(
    ("wanted", "newest", "shown"),
    [
        ("4.19.0", "4.18.0", "4.18"),
        ("4.19.0", "4.18.7", "4.18.7"),
        ("5.2.0", "5.1.3", "5.1"),
        ("5.2.0", "5.1.0-rc.1", "5.1.0-rc.1"),
        ("5.2.0", "5.3.0", "5.1"),
    ],
)
def test_the_newest_version_that_nodes_may_run_is_told(
    wanted: str, newest: str, shown: str
) -> None:
    message = f'the latest version supported is: "{shown}". Attempting to use: "{wanted}"'
    assert why(wanted, newest=newest) == message


def test_majors_that_nobody_counts_are_refused() -> None:
    known = "only 4.x and 5.x are supported"
    assert why("3.11.0") == f"unsupported major version 3; {known}"
    assert why("4.18.0", newest="6.0.0") == f"unsupported major version 6; {known}"
    assert why("4.18.0", current="3.11.0") == f"unsupported major version 3; {known}"
    assert not why("5.0.0", current="4.22.0", newest="5.0.1")


def the_skew(plane: str, nodes: str) -> tuple[str, str, str]:
    history = [{"state": "Completed", "version": plane}]
    verdict = conditions.skew(Release(nodes, Product.OPENSHIFT), a_cluster(history=history))
    return verdict.status, verdict.reason, verdict.message


def test_skew_counts_over_both_majors() -> None:
    fine = ("True", "AsExpected", "Release image version is valid")
    assert the_skew("4.23.5", "5.0.0") == fine
    assert the_skew("5.0.0", "4.20.9") == fine
    assert the_skew("5.0.1", "4.23.9") == (
        "False",
        "UnsupportedSkew",
        "NodePool version 4.23.9 cannot be higher than the HostedCluster version 5.0.1",
    )


def test_skew_that_cannot_be_told_says_why() -> None:
    assert the_skew("", "4.18.0") == (
        "Unknown",
        "ValidationFailed",
        "Failed to parse control plane version (): Version string empty",
    )
    assert the_skew("4.18.0", "latest") == (
        "Unknown",
        "ValidationFailed",
        "Failed to parse NodePool version (latest): No Major.Minor.Patch elements found",
    )
    assert the_skew("6.0.0", "4.18.0") == (
        "False",
        "UnsupportedSkew",
        "unsupported major version 6; only 4.x and 5.x are supported",
    )
