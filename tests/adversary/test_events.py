"""A guest that provokes events cannot fill the management cluster's storage with them (M2)."""

from tests.lib.memory import MemoryClient
from tests.lib.virtual import VirtualClock

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.runtime.events import BURST, Events, Memory


def a_plane(name: str) -> Manifest:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": name, "namespace": f"clusters-{name}", "uid": name},
    }


async def test_events_about_one_object_follow_the_spam_filter_of_client_go() -> None:
    clock, kube, memory = _clock(), MemoryClient(), Memory()
    hostile = Events(kube, a_plane("bad"), source="approver", clock=clock, memory=memory)
    honest = Events(kube, a_plane("good"), source="approver", clock=clock, memory=memory)
    for number in range(500):
        await hostile.warning("CSRNotApproved", f"csr-{number} is not approved")
    assert len(await kube.list(kinds.EVENT)) == BURST == 25
    await honest.warning("CSRNotApproved", "another one")
    assert len(await kube.list(kinds.EVENT)) == 26
    clock.ahead += 299.0
    await hostile.warning("CSRNotApproved", "too soon")
    clock.ahead += 2.0
    await hostile.warning("CSRNotApproved", "late enough")
    await hostile.warning("CSRNotApproved", "one too many")
    assert len(await kube.list(kinds.EVENT)) == 27


async def test_a_text_of_a_guest_is_cut() -> None:
    kube = MemoryClient()
    events = Events(kube, a_plane("bad"), source="a", clock=_clock(), memory=Memory())
    await events.warning("X", "x" * 100_000)
    assert [len(one["message"]) for one in await kube.list(kinds.EVENT)] == [1024]


class _Ahead(VirtualClock):
    ahead = 0.0

    def monotonic(self) -> float:
        return self.ahead


def _clock() -> _Ahead:
    return _Ahead()
