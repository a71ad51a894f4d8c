"""Leases of leaders that a snapshot brought along are forgotten; those of living ones stay."""

from typing import Self

import pytest
from tests.lib.stage import Stage, play

from hypershift.cli.recovery import leases
from hypershift.cli.recovery.leases import forget_leaders, orphaned
from hypershift.kit import Key, Manifest
from hypershift.kube import Client, kinds

SCHEDULER, CONTROLLERS = "kube-scheduler", "kube-controller-manager"
KEY, PLANE, PLACE = Key("clusters", "demo"), "clusters-demo", "kube-system"


def a_lease(name: str, holder: str) -> Manifest:
    return {"metadata": {"name": name}, "spec": {"holderIdentity": holder}}


def a_pod(name: str) -> Manifest:
    return {"metadata": {"name": name, "namespace": PLANE}}


def test_leases_of_pods_that_are_gone_are_found() -> None:
    found = [
        a_lease(SCHEDULER, "kube-scheduler-old_uuid"),
        a_lease(CONTROLLERS, "kube-controller-manager-new_uuid"),
        a_lease("an-operator-of-the-user", "anybody_uuid"),
    ]
    pods = [a_pod("kube-controller-manager-new"), a_pod("kube-scheduler-new")]
    assert orphaned(found, pods) == [found[0]]


def test_a_lease_that_nobody_holds_stays() -> None:
    assert orphaned([a_lease(SCHEDULER, ""), {**a_lease(SCHEDULER, ""), "spec": {}}], []) == []


class Hosted(Client):
    """The same server, as a client that is opened for one visit."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("taken", [False, True])
def test_a_lease_that_was_taken_meanwhile_stays(
    monkeypatch: pytest.MonkeyPatch, *, taken: bool
) -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, PLANE)
        spec = {"holderIdentity": "kube-scheduler-old_uuid"}
        await stage.create(kinds.LEASE, SCHEDULER, metadata={"namespace": PLACE}, spec=spec)
        place = {"namespace": KEY.namespace}
        await stage.create(kinds.NAMESPACE, KEY.namespace)
        await stage.create(kinds.SECRET, "demo-admin-kubeconfig", metadata=place)
        visitor = Hosted(stage.client().transport, manager="visitor", rng=stage.rng)

        async def guest(_client: Client, _key: Key) -> Client:
            return visitor

        def found(known: list[Manifest], pods: list[Manifest]) -> list[Manifest]:
            return [
                {**one, "metadata": {**one["metadata"], "resourceVersion": "1"}} if taken else one
                for one in orphaned(known, pods)
            ]

        monkeypatch.setattr(leases, "guest", guest)
        monkeypatch.setattr(leases, "orphaned", found)
        assert await forget_leaders(stage.client(), KEY) == ([] if taken else [SCHEDULER])
        left = await stage.user.find(kinds.LEASE, SCHEDULER, PLACE)
        assert (left is not None) == taken

    play(story)
