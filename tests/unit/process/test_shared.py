"""How roles are put together: shared ones leave dedicated clusters, dedicated ones stay at home."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators import controlplane, guest_config, machine_approver
from hypershift.process import confined, leave_dedicated
from hypershift.runtime import Controller, Done, Stop


def a_plane(mode: str) -> Manifest:
    return {
        "apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version,
        "kind": "HostedControlPlane",
        "metadata": {
            "name": "demo",
            "namespace": "clusters-demo",
            "annotations": {"hypershift.openshift.io/mode": mode},
        },
    }


@dataclass
class Seen:
    """What the phase looks at of a scope."""

    object: Manifest
    kube: MemoryClient = field(default_factory=MemoryClient)

    @property
    def key(self) -> Any:
        metadata = self.object["metadata"]
        return type("Key", (), {"namespace": metadata["namespace"]})


MACHINE_SET = {"kind": "MachineSet", "metadata": {"name": "m", "namespace": "clusters-demo"}}


@pytest.mark.parametrize(("mode", "outcome"), [("Shared", Done), ("Dedicated", Stop)])
async def test_a_control_plane_says_whose_it_is(mode: str, outcome: type) -> None:
    scope: Any = Seen(a_plane(mode))
    assert isinstance(await leave_dedicated(scope), outcome)


@pytest.mark.parametrize(("mode", "outcome"), [("Shared", Done), ("Dedicated", Stop)])
async def test_what_lies_beside_a_control_plane_follows_it(mode: str, outcome: type) -> None:
    scope: Any = Seen(MACHINE_SET, MemoryClient(a_plane(mode)))
    assert isinstance(await leave_dedicated(scope), outcome)


class Nothing:
    async def lookup(self, image: str, pull_secret: Any) -> Any:
        raise NotImplementedError(image, pull_secret)


def dedicated() -> list[Controller[Any]]:
    environment = controlplane.Environment(controlplane.Settings(), Nothing(), lambda *_: ())
    return [
        controlplane.controller(environment),
        *guest_config.controllers(Nothing(), "clusters-demo"),
        *machine_approver.controllers("clusters-demo"),
    ]


def test_a_dedicated_role_looks_at_its_own_namespace_alone() -> None:
    for one in dedicated():
        kept = confined(one, "clusters-demo")
        assert kept.namespace == "clusters-demo"
        assert {watch.namespace for watch in kept.watches} <= {"clusters-demo"}
