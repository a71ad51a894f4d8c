"""Rewrite everything that is stored: an update that changes nothing stores it with today's key.

An API server leaves an update out that changes nothing, unless what is stored was encrypted with
another key than the first. Doing it twice costs requests and changes nothing, so a process that
died begins anew; the names to come are kept in memory alone.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from hypershift.kube import ApiError, Client, NotFound, Resource, kinds

AT_ONCE = 8
#: So many objects are rewritten in one pass: other clusters want to be looked at too.
IN_A_PASS = 400
#: Characters of the first refusal; of the others the number is enough, and a guest may refuse all.
LONGEST_REASON = 500

_OAUTH = "oauth.openshift.io"
RESOURCES: dict[str, Resource] = {
    str(resource): resource
    for resource in (
        kinds.SECRET,
        kinds.CONFIG_MAP,
        kinds.ROUTE,
        Resource(_OAUTH, "v1", "oauthaccesstokens", "OAuthAccessToken", namespaced=False),
        Resource(_OAUTH, "v1", "oauthauthorizetokens", "OAuthAuthorizeToken", namespaced=False),
    )
}


@dataclass(frozen=True, slots=True)
class Item:
    """One stored object."""

    resource: Resource
    name: str
    namespace: str = ""

    def __str__(self) -> str:
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.resource} {place}"


@dataclass(slots=True)
class Work:
    """What is left to rewrite of one cluster with one key."""

    mark: str
    todo: deque[Item]
    total: int
    #: What was refused, and why the first of it was.
    refused: dict[Item, str] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether everything is rewritten."""
        return not self.todo and not self.refused

    @property
    def problem(self) -> str:
        """What could not be rewritten; empty while nothing was refused."""
        for item, why in self.refused.items():
            return f"{len(self.refused)} of {self.total} objects are refused, first {item}: {why}"
        return ""


class Rewriter:
    """The rewriting of every cluster that this process looks after."""

    def __init__(self) -> None:
        """Know of none."""
        self._works: dict[str, Work] = {}

    def forget(self, cluster: str) -> None:
        """Let go of a cluster's work."""
        self._works.pop(cluster, None)

    async def step(self, cluster: str, mark: str, guest: Client, encrypted: Iterable[str]) -> Work:
        """Do a part of a cluster's work; another `mark` is another work, from its beginning."""
        work = self._works.get(cluster)
        if work is None or work.mark != mark:
            items = await stored(guest, encrypted)
            work = self._works[cluster] = Work(mark, deque(items), len(items))
        elif not work.todo and work.refused:
            work.todo.extend(work.refused)
            work.refused.clear()
        for _ in range(0, IN_A_PASS, AT_ONCE):
            batch = [work.todo[index] for index in range(min(AT_ONCE, len(work.todo)))]
            answers = await asyncio.gather(*(_rewrite(guest, item) for item in batch))
            for item, why in zip(batch, answers, strict=True):
                work.todo.popleft()
                if why:
                    work.refused[item] = "" if work.refused else why[:LONGEST_REASON]
        return work


async def stored(guest: Client, encrypted: Iterable[str]) -> list[Item]:
    """Everything of these kinds that is stored now, by name; a kind that is not served has none."""
    items: list[Item] = []
    for resource in (RESOURCES[name] for name in encrypted if name in RESOURCES):
        try:
            found = (await guest.listing(resource, metadata_only=True)).items
        except NotFound:
            continue
        items += [
            Item(resource, one["metadata"]["name"], one["metadata"].get("namespace", ""))
            for one in found
        ]
    return items


async def _rewrite(guest: Client, item: Item) -> str:
    """Rewrite an object; why that was refused, empty when it was done or the object is gone."""
    try:
        await guest.patch(item.resource, item.name, {}, item.namespace)
    except NotFound:
        return ""
    except ApiError as error:
        return str(error)
    return ""
