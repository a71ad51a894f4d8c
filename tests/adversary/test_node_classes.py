"""An administrator of a hosted cluster who makes classes of nodes without end."""

import asyncio

import pytest
from tests.lib.karpenter import Inside, controllers, prepare
from tests.lib.sim.transport import SimTransport
from tests.lib.stage import Stage, play

from hypershift.api import labels
from hypershift.kit import Manifest, labels_of
from hypershift.kube import Client, kinds
from hypershift.operators.karpenter import names
from hypershift.runtime import condition_of

#: Small budgets: a flood of a few classes is over them.
MOST_CLASSES, MOST_TOLD = 4, 3
FLOOD = MOST_CLASSES + MOST_TOLD + 5
#: Token and user data of each class within the budget, and of the default one.
SECRETS = 2 * (MOST_CLASSES + 1)


def secrets(stage: Stage) -> list[Manifest]:
    every = stage.server.all(kinds.SECRET)
    return [one for one in every if labels_of(one).get(labels.MANAGED_BY_KARPENTER) == "true"]


def ready(inside: Inside, name: str) -> Manifest | None:
    return condition_of(inside.all(names.CLASS)[name], "Ready")


def test_a_flood_of_classes_costs_a_bounded_number_of_secrets_and_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hypershift.operators.karpenter.scope.MOST_CLASSES", MOST_CLASSES)
    monkeypatch.setattr("hypershift.operators.karpenter.scope.MOST_TOLD", MOST_TOLD)

    async def story(stage: Stage) -> None:
        inside = Inside(stage)
        await prepare(stage.user)
        for number in range(FLOOD):
            await inside.create(names.CLASS, f"flood-{number:03}", spec={})
        stage.manage(
            *controllers(),
            remote_client=lambda _: Client(SimTransport(inside.server), rng=stage.rng),
        )
        await asyncio.sleep(120)
        assert len(secrets(stage)) == SECRETS
        assert len(inside.all(names.EC2_CLASS)) == MOST_CLASSES + 1
        first, late = ready(inside, "flood-000"), ready(inside, f"flood-{MOST_CLASSES:03}")
        assert first is not None
        assert first["status"] == "True"
        assert late is not None
        assert (late["status"], late["reason"]) == ("False", "InvalidConfiguration")
        assert "classes of nodes" in late["message"]
        assert ready(inside, f"flood-{FLOOD - 1:03}") is None
        await inside.user.delete(names.CLASS, "flood-000")
        await asyncio.sleep(60)
        moved_up = ready(inside, f"flood-{MOST_CLASSES:03}")
        assert moved_up is not None
        assert moved_up["status"] == "True"
        assert len(secrets(stage)) == SECRETS
        await inside.close()

    play(story)
