"""Clients find out which versions an operator hosts, whatever others do to its ConfigMap."""

import asyncio
import json

from tests.lib.stage import Stage, play

from hypershift.kube import kinds
from hypershift.operators.hypershift import announcement


def test_the_versions_are_announced_once_and_again_when_somebody_removes_them() -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, "hypershift")
        await stage.create(kinds.NAMESPACE, "other")
        stage.manage(announcement.controller("hypershift"))
        await asyncio.sleep(5)
        found = await stage.user.get(kinds.CONFIG_MAP, "supported-versions", "hypershift")
        assert "5.1" in json.loads(found["data"]["supported-versions"])["versions"]
        assert found["metadata"]["labels"] == {"hypershift.openshift.io/supported-versions": "true"}
        assert len(stage.writes) == 1
        await stage.user.delete(kinds.CONFIG_MAP, "supported-versions", "hypershift")
        await asyncio.sleep(5)
        assert await stage.user.find(kinds.CONFIG_MAP, "supported-versions", "hypershift")
        assert len(stage.writes) == 2

    play(story)
