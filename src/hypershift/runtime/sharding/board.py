"""The leases of all replicas on the server: read together, written one by one by version."""

from dataclasses import dataclass

from hypershift.kube import Client, Conflict, kinds
from hypershift.kube.reflector import Selection
from hypershift.runtime.sharding.members import Member, member_of
from hypershift.runtime.sharding.settings import Sharding
from hypershift.runtime.sharding.table import LABEL, Table, lease_of, table_of


@dataclass(frozen=True, slots=True)
class View:
    """What one look at the server showed."""

    table: Table | None
    members: tuple[Member, ...]


class MemberBoard:
    """Where replicas see each other."""

    def __init__(self, client: Client, settings: Sharding) -> None:
        """Read and write with `client`, which must not pass our own gate."""
        self._client, self._settings = client, settings

    @property
    def selection(self) -> Selection:
        """What to follow to hear of changes."""
        labels = f"{LABEL}={self._settings.name}"
        return Selection(kinds.LEASE, self._settings.namespace, labels)

    async def view(self) -> View:
        """The table and the members, as they are at this moment."""
        chosen = self.selection
        leases = await self._client.list(chosen.resource, chosen.namespace, chosen.labels)
        by_name = {lease["metadata"]["name"]: lease for lease in leases}
        table = by_name.pop(self._settings.name, None)
        members = (member_of(lease, self._settings.duration) for lease in by_name.values())
        return View(table_of(table) if table else None, tuple(one for one in members if one.name))

    async def create(self, table: Table) -> Table:
        """Write the first table."""
        lease = lease_of(table, self._settings.name, self._settings.namespace)
        return table_of(await self._client.create(lease))

    async def write(self, table: Table) -> Table:
        """Replace the table at the version that it was made from; `Conflict` when it moved on."""
        lease = lease_of(table, self._settings.name, self._settings.namespace)
        return table_of(await self._client.replace(lease))

    async def strike(self, member: Member) -> bool:
        """Remove a member at exactly the version that we saw; False when it moved."""
        try:
            await self._client.delete(
                kinds.LEASE,
                member.lease,
                self._settings.namespace,
                uid=member.uid,
                resource_version=member.version,
            )
        except Conflict:
            return False
        return True
