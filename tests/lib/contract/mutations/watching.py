"""Ways to get lists and watches wrong: what is told, and when."""

import bisect
from typing import Any

from tests.lib.contract.mutations.registry import Change, mutation, nothing
from tests.lib.sim import server, watching
from tests.lib.sim.store import Record, Store
from tests.lib.sim.watching import Asked, Watch

from hypershift.kit import Manifest


@mutation
def deletions_have_no_version() -> list[Change]:
    """A deletion carries the object's last version."""
    put = Watch._put  # noqa: SLF001

    def old(self: Watch, kind: str, manifest: Manifest) -> None:
        if kind == "DELETED":
            version = str(int(manifest["metadata"]["resourceVersion"]) - 1)
            metadata = manifest["metadata"] | {"resourceVersion": version}
            manifest = manifest | {"metadata": metadata}
        put(self, kind, manifest)

    return [(Watch, "_put", old)]


@mutation
def leaving_a_selector_is_silent() -> list[Change]:
    """An object that is no longer chosen is not deleted for the watcher."""
    tell = Watch._tell  # noqa: SLF001

    def silent(self: Watch, change: Any) -> None:
        if change.new is None or self.asked.chooses(change.new):
            tell(self, change)

    return [(Watch, "_tell", silent)]


@mutation
def watches_repeat_their_version() -> list[Change]:
    """A watch from a version tells that version again."""

    def since(self: Store, resource: Any, revision: int) -> Any:
        history = self._kind(resource).history
        start = bisect.bisect_left(history, revision, key=lambda change: change.revision)
        return history[start:]

    return [(Store, "since", since)]


@mutation
def watches_see_every_namespace() -> list[Change]:
    """A watch of one namespace tells of all."""
    chooses = Asked.chooses

    def lax(self: Asked, record: Record | None) -> bool:
        anywhere = Asked(self.resource, "", self.labels, self.fields)
        return chooses(anywhere, record)

    return [(Asked, "chooses", lax)]


@mutation
def history_never_expires() -> list[Change]:
    """Compaction is forgotten."""
    return [(Store, "compact", nothing)]


@mutation
def initial_events_do_not_end() -> list[Change]:
    """No bookmark ends the initial events."""
    return [(Watch, "_bookmark", nothing)]


@mutation
def pages_show_the_present() -> list[Change]:
    """The second page is cut from a new list."""
    page = server.SimServer._page  # noqa: SLF001

    def fresh(self: server.SimServer, token: str, target: Any, limit: int) -> Any:
        known = self._pages.get(token)
        if known:
            records = self.store.records(target.resource, target.namespace)
            place = [one.key for one in records].index(known[0].key)
            self._pages[token] = records[place:]
        return page(self, token, target, limit)

    return [(server.SimServer, "_page", fresh)]


@mutation
def ends_are_never_told() -> list[Change]:
    """A watch has no end."""
    return [(watching, "BOOKMARK_EVERY", 60.0), (Watch, "lines", _endless)]


async def _endless(self: Watch) -> Any:
    while True:
        while self._lines:
            yield self._lines.popleft()
        self._wake.clear()
        await self._wake.wait()
