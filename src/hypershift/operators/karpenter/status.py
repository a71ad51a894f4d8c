"""The phases that report what Karpenter has made, and what became of each class."""

from collections.abc import Sequence
from typing import Any, Final

from hypershift.api.conditions import Condition, Owner
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import ApiError, NotFound
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import claims, tags
from hypershift.operators.karpenter.rules import status as rules
from hypershift.operators.karpenter.scope import ClassState, KarpenterScope, raise_together
from hypershift.runtime import Conditions, Done, Outcome, Writer

AUTO_NODE: Final = "autoNode"
#: What a class shows and we write.
FIELDS: Final = (
    "capacityReservations",
    "conditions",
    "releaseImage",
    "securityGroups",
    "subnets",
    "version",
)


async def count_nodes(scope: KarpenterScope) -> Outcome:
    """Report how many nodes Karpenter has made."""
    scope.status[AUTO_NODE] = claims.auto_node(scope.nodes, scope.claims)
    return Done()


async def report_classes(scope: KarpenterScope) -> Outcome:
    """Report on each class what Karpenter says of its own, and which release its nodes run."""
    if scope.is_left_to_tests:
        return Done()
    failures: list[HypershiftError] = []
    wanted = [(each, _judgement(scope, each)) for each in scope.kept]
    wanted += [(each, [rules.beyond_budget()]) for each in scope.surplus]
    for each, ours in wanted:
        try:
            await _report(scope, each, ours)
        except NotFound:
            continue  # it went meanwhile
        except ApiError as error:
            failures.append(error)
    raise_together(failures)
    return Done()


def _judgement(scope: KarpenterScope, state: ClassState) -> list[Condition]:
    """What we say of a class, beside what Karpenter says of its own."""
    platform = scope.plane.spec.platform.aws
    tagged = tags.conflict(platform.resource_tags if platform else (), state.node_class.spec.tags)
    return [
        rules.version_resolved(state.node_class, state.resolved),
        rules.supported_skew(state.node_class, state.resolved),
        *filter(None, (tagged, rules.not_ready(state.resolved, _problem(state)))),
    ]


async def _report(scope: KarpenterScope, state: ClassState, ours: Sequence[Condition]) -> None:
    before: Manifest = state.manifest.get("status") or {}
    wanted = _status(scope, state, ours, before)
    patch = {name: wanted.get(name) for name in FIELDS if wanted.get(name) != before.get(name)}
    if patch:
        state.manifest = await scope.inside.patch(
            names.CLASS, state.name, {"status": patch}, subresource="status"
        )


def _status(
    scope: KarpenterScope, state: ClassState, ours: Sequence[Condition], before: Manifest
) -> Manifest:
    """The status of a class; conditions that stay the same keep their time."""
    written = {each.type for each in ours}
    foreign = {
        each["type"]: each for each in rules.foreign(state.ec2_class) if each["type"] not in written
    }
    kept = [dict(each) for each in before.get("conditions") or () if each["type"] in written]
    status: dict[str, Any] = {
        **rules.found(state.ec2_class),
        "conditions": [*kept, *foreign.values()],
    }
    generation = state.manifest["metadata"].get("generation")
    writer = Writer(Owner.KARPENTER, names.CLASS.kind)
    conditions = Conditions(status, scope.clock, generation, writer)
    for each in ours:
        conditions.set(each)
    resolved = {"releaseImage": state.resolved.image, "version": state.resolved.version}
    return status | {name: value for name, value in resolved.items() if value}


def _problem(state: ClassState) -> str:
    """Why no node can be made of a class; one that was made already stays as good as it is."""
    return state.problem if state.ec2_class is None else ""
