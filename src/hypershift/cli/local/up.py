"""`local up`."""

from collections.abc import Sequence

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag, Values
from hypershift.cli.local.common import named
from hypershift.kit import Manifest
from hypershift.local import up as bringing_up
from hypershift.local.images import Published
from hypershift.local.progress import Progress
from hypershift.local.state import Spec
from hypershift.local.tenants import no_tenants


async def up(values: Values) -> None:
    say = Progress()
    where = named(values)
    nodes = values["nodes"] if values.has("nodes") else None
    zones = values["zones"] if values.has("zones") else None
    options = bringing_up.Options(where, nodes, zones, values["kubernetes"])
    tenants = _operator if values["operator"] else no_tenants
    await bringing_up.up(options, say, tenants=tenants)
    say(f"cluster {where.name} is up; kubeconfig: {where.admin}")


def _operator(spec: Spec, made: Published) -> Sequence[Manifest]:
    """The operator's objects; its code is read when the cluster's first processes start already."""
    from hypershift.cli.local.operator import operator_of  # noqa: PLC0415

    return operator_of(spec, made)


UP = Command(
    "up",
    "Create the cluster, or start it again",
    description="A cluster that is up already is left as it is; more nodes can be added.",
    run=up,
    flags=(
        Flag("nodes", "Number of nodes (1, or one for each zone)", INT),
        Flag("zones", "Number of zones that nodes are spread over (1)", INT),
        Flag("kubernetes", "Version of Kubernetes"),
        Flag("operator", "Install the HyperShift operator", BOOL, default=True),
    ),
)
