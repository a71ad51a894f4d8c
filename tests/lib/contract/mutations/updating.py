"""Ways to get updates wrong: versions, status, generations."""

from typing import Any

from tests.lib.contract.mutations.registry import Change, mutation, nothing
from tests.lib.sim import addresses, patches
from tests.lib.sim.objects import Objects, applying, creating, updating
from tests.lib.sim.store import Record

from hypershift.kit import Manifest
from hypershift.kube.shape import duplicate


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
def status_is_an_ordinary_field() -> list[Change]:
    """The main endpoint writes the status too."""
    return [(page, "has_status", lambda _: False) for page in (applying, creating, updating)]


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
    return [(Objects, "_count", staticmethod(nothing))]


@mutation
def generations_count_everything() -> list[Change]:
    """Labels and status count as generations."""

    def count(_: Any, before: Manifest, body: Manifest) -> None:
        body["metadata"]["generation"] = before["metadata"].get("generation", 0) + 1

    return [(Objects, "_count", staticmethod(count))]


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
def addresses_wander() -> list[Change]:
    """A write gives a Service another address."""
    return [
        (updating, "addressed", lambda kind, _, *given: addresses.addressed(kind, None, *given))
    ]
