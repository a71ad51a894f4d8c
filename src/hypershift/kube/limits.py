"""How much a server may answer: bytes, values, pages, memory and time.

The management cluster is trusted and gets `TRUSTED`, which only stops accidents. A hosted cluster
is another party: its admin may be the API server's storage, an aggregated API or a kubelet, and
answers what they like. `GUEST` bounds what such an answer costs our process.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from hypershift.kube.errors import LimitExceeded

KIB: Final = 1 << 10
MIB: Final = 1 << 20
#: Roughly what one JSON value takes in memory beside its bytes.
VALUE: Final = 64
#: The least that a line of a stream costs: many small events cost more than their bytes.
LINE: Final = 8 * KIB
#: After so many lines of an untrusted server, other work of the process has its turn.
TURN: Final = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server may cost; sizes in bytes, None for no limit.

    `values` counts the JSON values of one answer or line: three bytes of JSON can take a hundred
    bytes of memory. `page` is how many objects a list asks for at a time; a page that exceeds a
    limit is asked for again in smaller pages, so an honest server with large objects is served.
    `buffer` bounds what all unfinished answers of the server hold, `cache` what its caches hold.
    """

    answer: int
    values: int
    line: int
    buffer: int
    listing: int
    pages: int
    page: int
    cache: int | None
    seconds: float
    rate: int | None

    def check(self, body: bytes, attempt: str) -> None:
        """Raise `LimitExceeded` before a body is decoded that would take too much memory."""
        if len(body) > self.answer:
            raise exceeded(f"the answer is longer than {shown(self.answer)}", attempt)
        if len(body) > self.values and values_in(body) > self.values:
            raise exceeded(f"the answer has more than {self.values} values", attempt)


TRUSTED: Final = Limits(
    answer=512 * MIB,
    values=100_000_000,
    line=64 * MIB,
    buffer=2048 * MIB,
    listing=4096 * MIB,
    pages=100_000,
    page=500,
    cache=None,
    seconds=60.0,
    rate=None,
)

#: An API server takes no request above 3 MiB, and etcd none above 1.5 MiB: every object fits.
#: 4000 nodes fit into the cache.
GUEST: Final = Limits(
    answer=3 * MIB,
    values=200_000,
    line=3 * MIB,
    buffer=4 * MIB,
    listing=32 * MIB,
    pages=1_000,
    page=100,
    cache=16 * MIB,
    seconds=15.0,
    rate=MIB,
)

#: What a command takes of a hosted cluster for the person who typed it: a dump has all of it.
VISITED: Final = Limits(
    answer=64 * MIB,
    values=4_000_000,
    line=3 * MIB,
    buffer=256 * MIB,
    listing=256 * MIB,
    pages=1_000,
    page=500,
    cache=16 * MIB,
    seconds=30.0,
    rate=256 * MIB,
)


def exceeded(what: str, attempt: str = "") -> LimitExceeded:
    """The error that names a limit."""
    return LimitExceeded(0, "LimitExceeded", what, attempt=attempt)


def values_in(body: bytes) -> int:
    """At least how many values a JSON document has, counted without decoding it."""
    return body.count(b",") + body.count(b"{") + body.count(b"[")


def cost(body: bytes) -> int:
    """Roughly the memory that a JSON document takes once it is decoded."""
    return len(body) + VALUE * values_in(body)


def shown(size: int) -> str:
    """A size in words."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size // KIB} KiB"


class Budget:
    """The memory that all caches of one server share."""

    def __init__(self, most: int | None) -> None:
        """Allow `most` bytes; None allows everything, and nothing is measured."""
        self.most = most
        self.used = 0

    @property
    def limited(self) -> bool:
        """True if sizes have to be measured."""
        return self.most is not None

    def take(self, size: int, what: str) -> None:
        """Use `size` bytes more (or fewer); `LimitExceeded` if there is no room."""
        if self.most is not None and size > 0 and self.used + size > self.most:
            raise exceeded(f"{what}: the caches of this cluster would exceed {shown(self.most)}")
        self.used += size


class Inflow:
    """What arrives from one server: no faster than a rate, no more than a buffer at a time.

    A reader that goes too fast sleeps; TCP then slows the server down. Up to sixteen seconds' worth
    may arrive at once, so that an honest server never notices.
    """

    BURST: Final = 16.0

    def __init__(self, limits: Limits) -> None:
        """Begin with an empty buffer and a full allowance."""
        self._limits = limits
        self._ahead = 0.0  # seconds' worth of bytes that came earlier than the rate allows
        self._at = 0.0
        self._held = 0
        self._lines = 0

    async def admit(self, size: int, lines: int = 0) -> None:
        """Take note of bytes that arrived, and sleep if they come too fast."""
        if self._limits.rate is None:
            return
        now = asyncio.get_running_loop().time()
        self._ahead = max(0.0, self._ahead - (now - self._at))
        self._at = now
        self._ahead += (size + LINE * lines) / self._limits.rate
        self._lines += lines
        if self._ahead > self.BURST:
            await asyncio.sleep(self._ahead - self.BURST)
        elif self._lines % TURN == 0:
            await asyncio.sleep(0)  # others have their turn, however much is here already

    def hold(self, size: int) -> None:
        """Keep bytes of an unfinished answer; give them back with a negative size."""
        self._held += size
        if size > 0 and self._held > self._limits.buffer:
            text = f"unfinished answers exceed {shown(self._limits.buffer)}"
            raise exceeded(text)
