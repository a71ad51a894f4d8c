"""Nodes of the management cluster, and the operator that runs on them."""

from collections.abc import Iterator

from hypershift.api.conditions import ConditionStatus, DeploymentCondition, NodeCondition
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, condition, holds, message_of
from hypershift.kube import kinds

OPERATOR = "operator"


def down(picture: Picture) -> Iterator[Finding]:
    """A node is away that carries pods of this control plane or of the operator."""
    places = (picture.namespace, picture.operator_namespace)
    pods = [pod for place in places for pod in picture.of(kinds.POD, place)]
    for node in picture.of(kinds.NODE):
        found = condition(node, NodeCondition.READY)
        if found.get("status") == ConditionStatus.TRUE:
            continue
        name = node["metadata"]["name"]
        mine = [pod for pod in pods if pod["spec"].get("nodeName") == name]
        homeless = [pod for pod in pods if not pod["spec"].get("nodeName")]
        if not mine and not homeless:
            continue
        shown = ", ".join(sorted(pod["metadata"]["name"] for pod in mine)[:4])
        yield Finding(
            ref(node),
            f"this management node does not answer; {len(mine)} pods of this control plane "
            f"are on it{f' ({shown})' if shown else ''}",
            "bring the node back, or delete it so that its pods go elsewhere: "
            f"kubectl describe node {name}",
            (f"Ready is {found.get('status', 'not known')}: {message_of(found)}",),
        )


def operator(picture: Picture) -> Iterator[Finding]:
    """Without the operator nothing is made, changed or repaired."""
    place = picture.operator_namespace
    if f"deployments.apps in {place}" in " ".join(picture.unread):
        return
    found = picture.named(kinds.DEPLOYMENT, OPERATOR, place)
    if found is None:
        yield Finding(
            Ref("Deployment", OPERATOR, place),
            "the HyperShift operator is not installed here",
            "install it: hypershift install (or run one outside: hypershift operator run)",
        )
    elif not found["spec"].get("replicas", 1):
        yield Finding(
            ref(found),
            "the HyperShift operator is scaled to zero, so that nothing is changed or repaired",
            f"start it: kubectl scale deployment {OPERATOR} -n {place} --replicas 1",
        )
    elif not holds(found, DeploymentCondition.AVAILABLE) and picture.is_old(found):
        yield Finding(
            ref(found),
            "the HyperShift operator does not run, so that nothing is changed or repaired",
            f"see why: kubectl describe pods -n {place}; kubectl logs -n {place} "
            f"deployment/{OPERATOR}",
            (message_of(condition(found, DeploymentCondition.AVAILABLE)),),
        )
