"""etcd without a majority of its members."""

from collections.abc import Iterator

from hypershift.api.conditions import PodCondition
from hypershift.explain.finding import Finding, ref
from hypershift.explain.picture import Picture, holds, message_of
from hypershift.kit import labels_of
from hypershift.kube import kinds

NAME = "etcd"


def quorum(picture: Picture) -> Iterator[Finding]:
    """Too few members answer: nothing can be written, soon nothing read."""
    stateful_set = picture.named(kinds.STATEFUL_SET, NAME)
    if stateful_set is None or not picture.is_old(stateful_set):
        return
    wanted = stateful_set["spec"].get("replicas", 1)
    status = stateful_set.get("status") or {}
    ready = status.get("readyReplicas", 0)
    if wanted and ready >= wanted // 2 + 1:
        return
    pods = [pod for pod in picture.of(kinds.POD) if labels_of(pod).get("app") == NAME]
    away = [pod["metadata"]["name"] for pod in pods if not holds(pod, PodCondition.READY)]
    yield Finding(
        ref(stateful_set),
        f"etcd has no quorum: {ready} of {wanted} members are ready",
        "bring its members back: kubectl describe pods -l app=etcd -n "
        f"{picture.namespace}; kubectl logs etcd-0 -c etcd -n {picture.namespace}",
        (
            f"not ready: {', '.join(away)}" if away else "it has no pods",
            *_newest_event(picture, away),
        ),
    )


def _newest_event(picture: Picture, names: list[str]) -> list[str]:
    """The newest event about one of these pods."""
    texts = [
        message_of(event)
        for event in picture.of(kinds.EVENT)
        if event.get("type") == "Warning"
        and (event.get("involvedObject") or {}).get("name") in (*names, NAME)
    ]
    return texts[-1:]
