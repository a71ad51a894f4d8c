"""`local up`."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag
from hypershift.cli.local.common import Place
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest
from hypershift.local import up as bringing_up
from hypershift.local.cluster.state import Spec
from hypershift.local.cluster.tenants import no_tenants
from hypershift.local.images.prepare import Published
from hypershift.local.progress import Progress


@dataclass(frozen=True, slots=True)
class Up(Place):
    """What `local up` is given."""

    nodes: int | None
    zones: int | None
    kubernetes: str
    operator: bool


async def up(options: Up) -> None:
    say = Progress()
    where = options.layout
    wanted = bringing_up.Options(where, options.nodes, options.zones, options.kubernetes)
    tenants = _operator if options.operator else no_tenants
    await bringing_up.up(wanted, say, tenants=tenants)
    say(f"cluster {where.name} is up; kubeconfig: {where.admin}")


def _operator(spec: Spec, made: Published) -> Sequence[Manifest]:
    """The operator's objects; its code is read when the cluster's first processes start already."""
    from hypershift.cli.local.operator import operator_of  # noqa: PLC0415

    return operator_of(spec, made)


UP = Command(
    "up",
    "Create the cluster, or start it again",
    description="A cluster that is up already is not changed; more nodes can be added.",
    run=Typed(Up, up),
    flags=(
        Flag("nodes", "Number of nodes (1, or one for each zone)", INT),
        Flag("zones", "Number of zones that nodes are spread over (1)", INT),
        Flag("kubernetes", "Version of Kubernetes"),
        Flag("operator", "Install the HyperShift operator", BOOL, default=True),
    ),
)
