"""etcd without a majority of its members."""

from collections.abc import Iterator

from hypershift.api.conditions import PodCondition
from hypershift.explain.finding import Finding, ref
from hypershift.explain.picture import Picture, holds, message_of
from hypershift.kit import key_of, labels_of
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
        _step(picture, wanted),
        (
            f"not ready: {', '.join(away)}" if away else "it has no pods",
            *_newest_event(picture, away),
        ),
    )


def _step(picture: Picture, wanted: int) -> str:
    """Several members can be made from one that is left; for that, ask the command."""
    place = picture.namespace
    looks = f"kubectl describe pods -l app=etcd -n {place}; kubectl logs etcd-0 -c etcd -n {place}"
    if wanted == 1:
        return f"bring its members back: {looks}"
    found = key_of(picture.cluster)
    return f"hypershift fix etcd {found.name} -n {found.namespace} says what helps; {looks}"


def _newest_event(picture: Picture, names: list[str]) -> list[str]:
    """The newest event about one of these pods."""
    texts = [
        message_of(event)
        for event in picture.of(kinds.EVENT)
        if event.get("type") == "Warning"
        and (event.get("involvedObject") or {}).get("name") in (*names, NAME)
    ]
    return texts[-1:]
