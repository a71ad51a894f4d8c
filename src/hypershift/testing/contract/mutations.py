"""Ways to break the simulator, each of which the contract suite has to notice."""

import bisect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from hypershift.kit import Manifest
from hypershift.kube.shape import duplicate
from hypershift.testing.sim import (
    defaults,
    fields,
    objects,
    ownership,
    patches,
    server,
    status,
    watching,
)
from hypershift.testing.sim.objects import Objects, Removal
from hypershift.testing.sim.store import Record, Store
from hypershift.testing.sim.watching import Asked, Watch

Change = tuple[Any, str, Any]
MUTATIONS: dict[str, Callable[[], list[Change]]] = {}


def mutation(make: Callable[[], list[Change]]) -> Callable[[], list[Change]]:
    """Register a mutation under the name of its function."""
    MUTATIONS[make.__name__] = make
    return make


@contextmanager
def broken(name: str) -> Iterator[None]:
    """A simulator that is wrong in one way."""
    patched = [mock.patch.object(*change) for change in MUTATIONS[name]()]
    for one in patched:
        one.start()
    try:
        yield
    finally:
        for one in patched:
            one.stop()


def _nothing(*_: Any, **__: Any) -> None:
    return None


@mutation
def versions_are_not_compared() -> list[Change]:
    """Any version may be replaced."""
    check = Objects._check_update  # noqa: SLF001 (mutations reach inside)

    def lax(self: Objects, old: Record, body: Manifest, *, patch: bool) -> None:
        body["metadata"]["resourceVersion"] = old.manifest["metadata"]["resourceVersion"]
        check(self, old, body, patch=patch)

    return [(Objects, "_check_update", lax)]


@mutation
def every_write_is_a_change() -> list[Change]:
    """A write that changes nothing gets a new version."""

    def update(
        self: Objects, old: Record, manifest: Manifest, owner: Any, **options: Any
    ) -> Record:
        body = duplicate(manifest)
        self._keep(old.resource, old.manifest, body, owner.subresource)
        record = self._record(old.resource, body, options.get("owners") or old.owners)
        self._store.commit(old, record)
        return record

    return [(Objects, "update", update)]


@mutation
def uids_are_not_compared() -> list[Change]:
    """A delete meant for an earlier namesake takes the younger one."""
    delete = Objects.delete

    def lax(self: Objects, old: Record, removal: Removal, *, dry: bool = False) -> Record | None:
        return delete(self, old, Removal(removal.propagation), dry=dry)

    return [(Objects, "delete", lax)]


@mutation
def finalizers_keep_nothing() -> list[Change]:
    """A delete ends the object at once."""
    return [(objects, "_finalizers", lambda *_: [])]


@mutation
def released_objects_stay() -> list[Change]:
    """Dropping the last finalizer does not end the object."""

    def commit(self: Objects, old: Record, body: Manifest, owners: Any, *, dry: bool) -> Record:
        record = self._record(old.resource, body, owners)
        if not dry:
            self._store.commit(old, record)
        return record

    return [(Objects, "_commit", commit)]


@mutation
def status_is_an_ordinary_field() -> list[Change]:
    """The main endpoint writes the status too."""
    return [(objects, "has_status", lambda _: False)]


@mutation
def status_endpoint_writes_everything() -> list[Change]:
    """The status endpoint writes the spec too."""
    keep = Objects._keep  # noqa: SLF001

    def lax(resource: Any, before: Manifest, body: Manifest, _: str) -> None:
        wanted = body.get("status")
        keep(resource, before, body, "")
        body["status"] = wanted

    return [(Objects, "_keep", staticmethod(lax))]


@mutation
def generations_stand_still() -> list[Change]:
    """Nobody counts changes of the spec."""
    return [(Objects, "_count", staticmethod(_nothing))]


@mutation
def generations_count_everything() -> list[Change]:
    """Labels and status count as generations."""

    def count(_: Any, before: Manifest, body: Manifest) -> None:
        body["metadata"]["generation"] = before["metadata"].get("generation", 0) + 1

    return [(Objects, "_count", staticmethod(count))]


@mutation
def unapplied_fields_stay() -> list[Change]:
    """A field that is no longer applied stays."""
    return [(ownership, "prune", _nothing)]


@mutation
def force_is_always_on() -> list[Change]:
    """An apply never conflicts."""
    applied = ownership.applied

    def forced(*arguments: Any, force: bool) -> Any:
        return applied(*arguments, force=force or True)

    return [(objects, "applied", forced)]


@mutation
def force_takes_nothing() -> list[Change]:
    """A forced apply leaves the loser as an owner."""
    applied = ownership.applied

    def shared(owners: Any, live: Any, wish: Any, owner: Any, lists: Any, *, force: bool) -> Any:
        body, result = applied(owners, live, wish, owner, lists, force=force)
        return body, {**owners, **result, **{one: owners[one] for one in owners if one != owner}}

    return [(objects, "applied", shared)]


@mutation
def others_do_not_keep_fields() -> list[Change]:
    """A field goes when one of its two owners lets go."""
    applied = ownership.applied

    def lax(owners: Any, live: Any, wish: Any, owner: Any, lists: Any, *, force: bool) -> Any:
        if not force:
            return applied(owners, live, wish, owner, lists, force=force)
        mine = {one: owned for one, owned in owners.items() if one == owner}
        body, result = applied(mine, live, wish, owner, lists, force=force)
        return body, {**owners, **result}

    return [(objects, "applied", lax)]


@mutation
def updates_own_nothing() -> list[Change]:
    """A change by update leaves its field with the earlier owner."""

    def unchanged(owners: Any, _before: Any, after: Any, owner: Any, lists: Any) -> Any:
        return owners or {owner: fields.paths(after, lists)}

    return [(objects, "after_update", unchanged)]


@mutation
def keyed_lists_are_atomic() -> list[Change]:
    """Containers of two appliers replace each other."""
    return [(fields, "_entries", lambda *_: None)]


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
    return [(Store, "compact", _nothing)]


@mutation
def initial_events_do_not_end() -> list[Change]:
    """No bookmark ends the initial events."""
    return [(Watch, "_bookmark", _nothing)]


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
def generated_names_are_equal() -> list[Change]:
    """`generateName` always gives the same name."""
    return [(objects, "_SUFFIX", "b")]


@mutation
def terminating_namespaces_take_more() -> list[Change]:
    """A namespace that is being deleted takes new objects."""
    return [(Objects, "_check_namespace", _nothing)]


@mutation
def namesakes_are_conflicts() -> list[Change]:
    """A second of the same name is reported as a conflict."""
    return [
        (status, "already_exists", lambda resource, name: status.conflict(resource, name, "exists"))
    ]


@mutation
def nulls_stay() -> list[Change]:
    """A merge patch writes null where it should remove."""

    def merged(target: Any, patch: Any) -> Any:
        if not isinstance(patch, dict):
            return patch
        result = dict(target) if isinstance(target, dict) else {}
        return result | {name: merged(result.get(name), value) for name, value in patch.items()}

    return [(patches, "merge_patched", merged)]


@mutation
def tests_always_pass() -> list[Change]:
    """The `test` of a JSON patch is skipped."""
    operate = patches._operate  # noqa: SLF001

    def lax(root: Any, operation: Any) -> None:
        if operation["op"] != "test":
            operate(root, operation)

    return [(patches, "_operate", lax)]


@mutation
def dry_runs_are_real() -> list[Change]:
    """A dry run writes."""
    return [(server, "_is_dry", lambda _: False)]


@mutation
def collections_go_whole() -> list[Change]:
    """Deletecollection ignores its selector."""
    return [(server, "label_selector", lambda _: lambda __: True)]


@mutation
def secrets_keep_their_text() -> list[Change]:
    """StringData is stored as it came."""
    return [(defaults, "_secret", lambda body: body)]


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
