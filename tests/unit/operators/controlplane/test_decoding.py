"""A HostedControlPlane is decoded once per pass, and one that cannot be decoded says why."""

from types import SimpleNamespace
from typing import Any, cast

from tests.unit.component.clusters import a_hosted_control_plane

from hypershift.kit import Manifest, SystemClock
from hypershift.operators.controlplane.deletion import await_cloud_cleanup
from hypershift.operators.controlplane.look import decode_plane
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Stop


def a_scope(plane: Manifest) -> PlaneScope:
    context = cast("Any", SimpleNamespace(clock=SystemClock(), writer=None))
    return PlaneScope(plane, context, cast("Any", None))


async def test_a_pass_decodes_its_object_once() -> None:
    scope = a_scope(a_hosted_control_plane())
    assert isinstance(await decode_plane(scope), Done)
    assert scope.plane is scope.plane
    assert scope.wanted.infra_id == "demo-7x2kf"


async def test_a_control_plane_that_cannot_be_decoded_names_the_field_and_stops() -> None:
    scope = a_scope(a_hosted_control_plane(infraID=7))
    assert isinstance(await decode_plane(scope), Stop)
    found = scope.conditions.get("ValidHostedControlPlaneConfiguration")
    assert found is not None
    assert (found["status"], found["reason"]) == ("False", "InvalidConfiguration")
    assert found["message"] == (
        "HostedControlPlane clusters-demo/demo cannot be read: Expected `str`, got `int`"
        " (field spec.infraID)"
    )


async def test_a_control_plane_that_cannot_be_decoded_can_still_go() -> None:
    plane = a_hosted_control_plane(infraID=7)
    plane["metadata"] |= {
        "annotations": {"hypershift.openshift.io/cleanup-cloud-resources": "true"},
        "deletionTimestamp": "2020-01-01T00:00:00Z",
    }
    assert isinstance(await await_cloud_cleanup(a_scope(plane)), Done)
