"""Ways to get creation wrong: names, namespaces, what is stored."""

from tests.lib.contract.mutations.registry import Change, mutation, nothing
from tests.lib.sim import addresses, defaults, server, status
from tests.lib.sim.objects import Objects, creating, updating


@mutation
def generated_names_are_equal() -> list[Change]:
    """`generateName` always gives the same name."""
    return [(creating, "SUFFIX", "b")]


@mutation
def terminating_namespaces_take_more() -> list[Change]:
    """A namespace that is being deleted takes new objects."""
    return [(Objects, "_check_namespace", nothing)]


@mutation
def namesakes_are_conflicts() -> list[Change]:
    """A second of the same name is reported as a conflict."""
    return [
        (status, "already_exists", lambda resource, name: status.conflict(resource, name, "exists"))
    ]


@mutation
def dry_runs_are_real() -> list[Change]:
    """A dry run writes."""
    return [(server, "is_dry", lambda _: False)]


@mutation
def secrets_keep_their_text() -> list[Change]:
    """StringData is stored as it came."""
    return [(defaults, "_secret", lambda body: body)]


@mutation
def services_have_no_address() -> list[Change]:
    """A Service is stored without an address."""
    return [(page, "addressed", lambda *given: given[2]) for page in (creating, updating)]


@mutation
def addresses_are_equal() -> list[Change]:
    """Every Service has the same address."""
    return [(addresses, "COUNT", 1)]
