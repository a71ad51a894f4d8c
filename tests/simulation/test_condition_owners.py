"""Two controllers of one HostedControlPlane: each reports in its own conditions, and both rest."""

import asyncio
from dataclasses import replace

from tests.lib.planes import a_cluster, controllers, furnish
from tests.lib.stage import Stage, play
from tests.unit.operators.guest_config.scopes import VALUES, Releases

from hypershift.api.conditions import Owner
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators import guest_config
from hypershift.operators.guest_config import software
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Context, Controller, condition_of

UP, QUIET = 120.0, 120.0


def guest() -> Controller[GuestScope]:
    """Guest configuration of a release without images for the inside, already connected."""

    def scope(control_plane: Manifest, context: Context) -> GuestScope:
        made = GuestScope(control_plane, context, guest_config.Environment(Releases()))
        made.values = replace(VALUES, images={"coredns": "registry.example/coredns:1"})
        return made

    return Controller(
        name=Owner.GUEST_CONFIG,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=(software.apply_software,),
    )


def test_missing_add_on_images_do_not_make_two_controllers_wake_each_other() -> None:
    async def story(stage: Stage) -> None:
        await furnish(stage)
        stage.manage(*controllers())
        stage.manage(guest())
        await stage.user.create(a_cluster("demo"))
        await asyncio.sleep(UP)
        before = len(stage.writes)
        await asyncio.sleep(QUIET)
        assert stage.writes[before:] == []
        plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
        release = condition_of(plane, "ValidReleaseInfo") or {}
        assert release["status"] == "True"
        inside = condition_of(plane, "ConfigOperatorReconciliationSucceeded") or {}
        assert (inside["status"], inside["reason"]) == ("False", "MissingImages")
        assert "kube-proxy" in inside["message"]

    play(story)
