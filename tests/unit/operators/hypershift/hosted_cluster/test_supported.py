"""What a cluster is told about settings that have no effect."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.api.annotations import SHARED_INGRESS
from hypershift.operators.hypershift.hosted_cluster.supported import open_to_all

RANGES = {"apiServer": {"allowedCIDRBlocks": ["192.0.2.0/24"]}}


def published(kind: str, **more: Any) -> dict[str, Any]:
    way = {"type": kind, **more}
    return {"services": [{"service": "APIServer", "servicePublishingStrategy": way}]}


NODE_PORT = published("NodePort", nodePort={"address": "192.0.2.1"})
NAMED = published("Route", route={"hostname": "api.example.org"})


@pytest.mark.parametrize(
    ("spec", "marks", "kind"),
    [
        (NODE_PORT, {}, "NodePort"),
        (published("Route"), {}, "Route"),
        ({}, {}, "nothing"),
        (published("LoadBalancer"), {}, ""),
        (NAMED, {}, ""),
        (NAMED, {SHARED_INGRESS: "true"}, ""),
    ],
)
def test_ranges_that_nothing_compares_are_told(
    spec: dict[str, Any], marks: dict[str, str], kind: str
) -> None:
    found = list(open_to_all(a_decoded_spec({"networking": RANGES, **spec}), marks))
    assert [f"published by {kind}:" in text for text in found] == [True] * bool(kind)


def test_without_ranges_there_is_nothing_to_tell() -> None:
    assert list(open_to_all(a_decoded_spec(NODE_PORT), {})) == []
    empty = {"networking": {"apiServer": {"allowedCIDRBlocks": [""]}}}
    assert list(open_to_all(a_decoded_spec(NODE_PORT | empty), {})) == []
