"""Ways to get server-side apply wrong: who owns which field."""

from typing import Any

from tests.lib.contract.mutations.registry import Change, mutation, nothing
from tests.lib.sim import fields, ownership
from tests.lib.sim.objects import applying, creating, updating


@mutation
def unapplied_fields_stay() -> list[Change]:
    """A field that is no longer applied stays."""
    return [(ownership, "prune", nothing)]


@mutation
def force_is_always_on() -> list[Change]:
    """An apply never conflicts."""
    applied = ownership.applied

    def forced(*arguments: Any, force: bool) -> Any:
        return applied(*arguments, force=force or True)

    return [(applying, "applied", forced)]


@mutation
def force_takes_nothing() -> list[Change]:
    """A forced apply leaves the loser as an owner."""
    applied = ownership.applied

    def shared(owners: Any, live: Any, wish: Any, owner: Any, lists: Any, *, force: bool) -> Any:
        body, result = applied(owners, live, wish, owner, lists, force=force)
        return body, {**owners, **result, **{one: owners[one] for one in owners if one != owner}}

    return [(applying, "applied", shared)]


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

    return [(applying, "applied", lax)]


@mutation
def updates_own_nothing() -> list[Change]:
    """A change by update leaves its field with the earlier owner."""

    def unchanged(owners: Any, _before: Any, after: Any, owner: Any, lists: Any) -> Any:
        return owners or {owner: fields.paths(after, lists)}

    return [(page, "after_update", unchanged) for page in (creating, updating)]


@mutation
def keyed_lists_are_atomic() -> list[Change]:
    """Containers of two appliers replace each other."""
    return [(fields, "_entries", lambda *_: None)]
