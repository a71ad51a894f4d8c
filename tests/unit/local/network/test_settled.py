import pytest

from hypershift.local.network.settled import BELIEVED, Settled


class Host:
    """Counts how often it was brought to a state; sometimes it refuses."""

    def __init__(self) -> None:
        self.seconds, self.acts, self.refuses = 0.0, 0, False
        self.settled = Settled(lambda: self.seconds)

    async def act(self) -> None:
        if self.refuses:
            raise OSError("busy")
        self.acts += 1

    async def become(self, state: str) -> int:
        await self.settled.become(state, self.act)
        return self.acts


async def test_the_same_state_again_does_nothing() -> None:
    host = Host()
    assert [await host.become("a"), await host.become("a"), await host.become("b")] == [1, 1, 2]


async def test_a_state_is_believed_for_a_while() -> None:
    host = Host()
    await host.become("a")
    host.seconds = BELIEVED
    assert await host.become("a") == 2


async def test_a_failure_on_the_way_ends_what_was_believed() -> None:
    host = Host()
    await host.become("a")
    host.refuses = True
    with pytest.raises(OSError, match="busy"):
        await host.become("b")
    host.refuses = False
    assert await host.become("a") == 2
