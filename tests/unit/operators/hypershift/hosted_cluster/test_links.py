"""What private links say together."""

from typing import Any

import pytest

from hypershift.api.conditions import HostedClusterCondition
from hypershift.operators.hypershift.hosted_cluster.links import link_condition
from hypershift.platforms import PLATFORMS


def a_link(status: str, message: str = "") -> dict[str, Any]:
    conditions = [{"type": "AWSEndpointAvailable", "status": status, "message": message}]
    return {"status": {"conditions": conditions}}


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ([], ("Unknown", "StatusUnknown", "AWSEndpointService conditions not found")),
        ([{}], ("Unknown", "StatusUnknown", "AWSEndpointService conditions not found")),
        ([a_link("True"), {}], ("True", "AWSSuccess", "All is well")),
        ([a_link("Unknown", "?")], ("True", "AWSSuccess", "All is well")),
        (
            [a_link("False", "no quota"), a_link("True"), a_link("False", "no zone")],
            ("False", "AWSError", "no quota; no zone"),
        ),
    ],
)
def test_one_link_that_fails_is_enough(
    found: list[dict[str, Any]], wanted: tuple[str, str, str]
) -> None:
    links = PLATFORMS["AWS"].links
    assert links
    verdict = link_condition(links, HostedClusterCondition.AWS_ENDPOINT_AVAILABLE, found)
    assert (verdict.status, verdict.reason, verdict.message) == wanted
