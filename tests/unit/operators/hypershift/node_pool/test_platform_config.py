"""What a pool may ask of its cloud follows from the version of its cluster."""

from typing import Any

import pytest
from tests.unit.operators.hypershift.node_pool.passes import a_cluster, a_pool, a_world, one_pass

from hypershift.operators.hypershift.node_pool.controller import NORMAL
from hypershift.operators.hypershift.node_pool.platform import check_platform_config

RESERVED = {"placement": {"capacityReservation": {"id": "cr-1"}}}


async def told(**changes: Any) -> tuple[str, str]:
    pool = a_pool(platform={"type": "AWS", "aws": RESERVED})
    kube = a_world(pool, a_cluster(**changes))
    phases = (*NORMAL[: NORMAL.index(check_platform_config)][:2], check_platform_config)
    scope, _ = await one_pass(kube, phases)
    found = scope.conditions.get("ValidPlatformConfig") or {}
    return found["status"], found["message"]


def completed(version: str) -> dict[str, Any]:
    done = {"version": version, "completionTime": "2026-01-01T00:00:00Z"}
    return {"status": {"version": {"history": [done]}}}


@pytest.mark.parametrize(
    ("version", "status"),
    [("4.18.9", "False"), ("4.19.0-rc.1", "True"), ("4.19.0", "True"), ("5.0.0", "True")],
)
async def test_reserved_capacity_needs_a_new_enough_cluster(version: str, status: str) -> None:
    assert (await told(**completed(version)))[0] == status


async def test_a_version_that_cannot_be_found_is_told() -> None:
    release = {"release": {"image": "registry.example/broken:1.35.8"}}
    assert await told(spec=release, status={"version": {"history": []}}) == (
        "False",
        (
            "failed to get controlPlane version: failed to lookup release image: "
            "unable to lookup release image"
        ),
    )
