"""Takes part in the sharing of clusters: joins, takes what is free, gives what others should have.

join ──► look at leases and table ──► take, give ──► … ──► passes end, all given back, leave
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from hypershift.kit import Clock, annotations_of
from hypershift.kube import AlreadyExists, ApiError, Client, Conflict, Transport
from hypershift.kube.cache import Change
from hypershift.kube.informers import Informers
from hypershift.runtime.leader import Elector
from hypershift.runtime.logs import logger
from hypershift.runtime.sharding.assignment import BUCKETS, assigned
from hypershift.runtime.sharding.board import MemberBoard
from hypershift.runtime.sharding.members import READY, Member, Membership
from hypershift.runtime.sharding.owned_buckets import BucketTransport, OwnedBuckets
from hypershift.runtime.sharding.settings import Sharding
from hypershift.runtime.sharding.table import Table, UnreadableTable

Hook = Callable[[], Awaitable[None]]


class Shards:
    """This replica's part; takes the place of an `Elector`, by which one replica does everything.

    Invariant: at any moment at most one replica writes for a cluster.
    Interleaving: a replica freezes, its lease ends, another takes its buckets, the first wakes up.
    The gate of its transport asks the monotonic clock before each write and refuses. If the table
    is lost, a bucket stays closed until no lease of a former owner can be valid (`_closed`).
    Held by tests/property/test_sharding.py::
      test_no_shop_ever_has_two_writers_and_each_is_looked_after
    Held by tests/unit/runtime/sharding/test_one_writer.py::
      test_a_lost_table_is_restored_by_those_who_knew_it
    """

    def __init__(
        self,
        client: Client,
        settings: Sharding,
        *,
        informers: Informers,
        clock: Clock,
        rng: random.Random,
    ) -> None:
        """`client` must not pass our own gate; `informers` report when to look again."""
        self._board, self.settings = MemberBoard(client, settings), settings
        self._informers, self._clock, self._rng = informers, clock, rng
        #: A replica that starts again must not take what the table gave to its former life.
        self.life = f"{settings.identity}_{rng.getrandbits(32):08x}"
        self.member = Elector(client, settings.membership(self.life), clock=clock, rng=rng)
        leases = [settings.common()] if settings.crew else []
        self._crew = [Elector(client, lease, clock=clock, rng=rng) for lease in leases]
        self.owned = OwnedBuckets()
        self._membership = Membership()
        self._wake = asyncio.Event()
        self._gaining: Hook = _nothing
        self._changed: Hook = _nothing
        self._log = logger(shards=settings.name, me=settings.identity)

    # The face of an elector

    @property
    def leading(self) -> bool:
        """Whether our own lease is certain at this moment."""
        return all(elector.leading for elector in self._electors)

    @property
    def _electors(self) -> list[Elector]:
        return [*self._crew, self.member]

    def check(self) -> None:
        """Raise unless our leases are certain."""
        for elector in self._electors:
            elector.check()

    def gate(self, transport: Transport) -> Transport:
        """A transport that holds back what is not ours to write."""
        return BucketTransport(transport, self.owned, self.check)

    async def attempt(self) -> bool:
        """Join, and take what is free before any cache is filled."""
        for elector in self._electors:
            if not await elector.attempt():
                return False
        await self._look_again()
        return True

    async def acquire(self) -> None:
        """Return when we have joined."""
        while not self.leading:
            for elector in self._electors:
                await elector.acquire()

    async def keep(self) -> None:
        """Take and give for ever; `LeadershipLost` when our lease was not renewed in time."""
        work = [*(elector.keep() for elector in self._electors), self._share()]
        tasks = [asyncio.create_task(one) for one in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def release(self) -> None:
        """Give everything back, so that the others need not wait for the end of our lease."""
        if not self.leading:
            return
        await self.owned.release(self.owned.held, 0.0)
        try:
            view = await self._board.view()
            if view.table is not None:
                await self._board.write(self._farewell(view.table, view.members))
            self._resign()
            mine = next((one for one in view.members if one.name == self.life), None)
            if mine is not None:
                await self._board.strike(mine)
        except (ApiError, UnreadableTable) as error:
            self._resign()
            self._log.warning("shards not given back", error=str(error))

    def _resign(self) -> None:
        """Write nothing more; the common lease stays with the others, or runs out."""
        for elector in self._electors:
            elector.resign()

    def connect(self, gaining: Hook, changed: Hook) -> None:
        """`gaining` runs before new buckets are worked on, `changed` after any came or went."""
        self._gaining, self._changed = gaining, changed

    def announce(self) -> None:
        """Our caches are full: from the next renewal on, others may give us clusters."""
        self.member.notes[READY] = "true"

    # Sharing

    async def _share(self) -> None:
        informer = self._informers.acquire(self._board.selection)
        unsubscribe = informer.subscribe(self._stirred)
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.settings.retry * self._rng.uniform(0.8, 1.0)):
                        await self._wake.wait()
                # Replicas that were woken by the same change do not all write at once.
                await self._clock.sleep(self._rng.uniform(0.05, 0.3))
                self._wake.clear()
                await self._look_again()
        finally:
            unsubscribe()
            await self._informers.release(informer)

    def _stirred(self, change: Change) -> None:
        """Look again when a replica joins, leaves, is ready or owns others; not for a renewal."""
        old, new = change.old, change.new
        if old is None or new is None or annotations_of(old) != annotations_of(new):
            self._wake.set()

    async def _look_again(self) -> None:
        try:
            await self._once()
        except (Conflict, AlreadyExists):
            self._wake.set()  # another replica was faster: read what it wrote
        except UnreadableTable as error:
            self._log.error("shards stay as they are", error=str(error))
        except ApiError as error:
            self._log.warning("shards not reached", error=str(error))

    async def _once(self) -> None:
        view = await self._board.view()
        now = self._clock.monotonic()
        held = dict.fromkeys(self.owned.held, self.life)
        table = view.table or await self._board.create(Table(held))
        gone = [one for one in self._silent(view.members, now) if await self._board.strike(one)]
        alive = [member for member in view.members if member not in gone]
        dead = {member.name for member in gone} | {self.member.predecessor}
        await self._settle(table, alive, frozenset(dead), now)

    def _silent(self, members: tuple[Member, ...], now: float) -> list[Member]:
        me = self.life
        return [one for one in self._membership.silent(members, now) if one.name != me]

    async def _settle(
        self, table: Table, alive: list[Member], dead: frozenset[str], now: float
    ) -> None:
        present = frozenset(member.name for member in alive)
        absent = self._membership.absent(table.owners, present | dead, now, self.settings.duration)
        me, lost = self.life, dead | absent
        vacant = frozenset(range(BUCKETS)) - table.owners.keys()
        owners = {b: name for b, name in table.owners.items() if name not in lost}
        owners |= dict.fromkeys(vacant & self.owned.held, me)
        plan = assigned(self._candidates(alive, owners), owners)
        closed = self._closed(vacant, alive, now)
        free = {b: plan[b] for b in range(BUCKETS) if b not in owners and b not in closed}
        free |= dict.fromkeys(vacant & self.owned.held, me)
        given = {b: plan[b] for b in table.of(me) if plan[b] != me}
        await self._let_go(self.owned.held - table.of(me) - vacant)
        await self._claim(table.of(me) - given.keys())
        await self._let_go(frozenset(given))
        if free or given:
            moved = await self._board.write(table.moved({**free, **given}))
            self._log.info("shards moved", taken=len(free), given=len(given))
            await self._claim(moved.of(me))

    def _closed(self, vacant: frozenset[int], alive: list[Member], now: float) -> frozenset[int]:
        """Buckets without an owner that a replica may still hold: the table was lost or changed.

        Replicas never leave one vacant while another is there to take it.
        """
        since = self._membership.vacant(vacant, now, self.settings.duration)
        others = any(one.ready for one in alive if one.name != self.life)
        return since if others else frozenset()

    async def _let_go(self, buckets: frozenset[int]) -> None:
        """End what is under way in buckets that are, or will be, another's."""
        if buckets:
            await self.owned.release(buckets, self.settings.patience)
            await self._changed()

    def _candidates(self, alive: list[Member], owners: Mapping[int, str]) -> list[str]:
        """Those whose caches are full, or who work already; when there is none, we begin."""
        working = frozenset(owners.values())
        return [one.name for one in alive if one.ready or one.name in working] or [self.life]

    async def _claim(self, buckets: frozenset[int]) -> None:
        """Begin to work on buckets that the table gives us."""
        if buckets <= self.owned.held or not self.leading:
            return
        # The last owner wrote until a moment ago: what we cached may be older.
        await self._gaining()
        self.owned.take(buckets)
        await self._changed()

    def _farewell(self, table: Table, members: tuple[Member, ...]) -> Table:
        me = self.life
        others = [one.name for one in members if one.ready and one.name != me]
        plan = assigned(others, {b: name for b, name in table.owners.items() if name != me})
        return table.moved({bucket: plan.get(bucket, "") for bucket in table.of(me)})


async def _nothing() -> None:
    return None
