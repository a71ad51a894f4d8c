"""Defragment etcd's members in turn, one at a time and never while one of them is away."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypershift.component import View
from hypershift.controlplane.etcd.keeper import etcdctl, is_complete
from hypershift.controlplane.etcd.members import Group
from hypershift.controlplane.etcd.shards import groups
from hypershift.kit.fragmentation import endpoints, next_to_defragment
from hypershift.kube import Client, kinds

#: How often a cluster is looked at, and how long it rests between two members.
LOOK = timedelta(minutes=10)
REST = timedelta(seconds=36)


@dataclass(slots=True)
class Defragmenter:
    """Remembers when each cluster is looked at next; after a restart all are looked at soon."""

    _next: dict[str, datetime] = field(default_factory=dict)

    async def visit(self, view: View, kube: Client, now: datetime) -> str:
        """Look when it is time; the address of the member that was defragmented, or nothing."""
        if now < self._next.setdefault(view.namespace, now + LOOK):
            return ""
        self._next[view.namespace] = now + LOOK
        for group in groups(view):
            if chosen := await self._defragment(view, kube, group):
                self._next[view.namespace] = now + REST
                return chosen
        return ""

    @staticmethod
    async def _defragment(view: View, kube: Client, group: Group) -> str:
        live = await kube.find(kinds.STATEFUL_SET, group.name, view.namespace)
        # A member does not answer meanwhile, so there have to be others.
        if group.replicas == 1 or live is None or not is_complete(live):
            return ""
        helper = group.members[0]
        look = ("endpoint", "status", "--cluster", "--write-out=json")
        status = await etcdctl(view, kube, helper, *look)
        chosen = next_to_defragment(endpoints(status), group.replicas)
        if chosen is None:
            return ""
        words = ("defrag", "--command-timeout=120s")
        await etcdctl(view, kube, helper, *words, endpoint=chosen.url)
        return chosen.url

    def forget(self, namespace: str) -> None:
        """A cluster is gone."""
        self._next.pop(namespace, None)
