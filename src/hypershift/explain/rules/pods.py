"""Pods of the control plane that do not come up: nowhere to run, no image, or a crash."""

from collections.abc import Iterator

from hypershift.api.conditions import ConditionStatus, PodCondition
from hypershift.api.well_known import PULL_SECRET
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, condition, message_of
from hypershift.explain.rules.cluster import DENIED
from hypershift.kit import Manifest
from hypershift.kube import kinds

NO_IMAGE = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull")
BAD_START = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")
CRASH = "CrashLoopBackOff"


def unschedulable(picture: Picture) -> Iterator[Finding]:
    """Pods for which the scheduler finds no node."""
    for pod in picture.of(kinds.POD):
        found = condition(pod, PodCondition.SCHEDULED)
        if found.get("status") == ConditionStatus.FALSE and picture.is_old(pod):
            yield Finding(
                ref(pod),
                f"no management node can take it: {message_of(found)}",
                "add nodes, uncordon one, or give this cluster less: kubectl describe nodes",
            )


def images(picture: Picture) -> Iterator[Finding]:
    """Images that cannot be pulled; one finding for each image."""
    seen: set[str] = set()
    for pod, status in _containers(picture):
        waiting = _waiting(status)
        if waiting.get("reason") not in NO_IMAGE or status["image"] in seen:
            continue
        seen.add(status["image"])
        yield _image(picture, pod, status["image"], waiting)


def _image(picture: Picture, pod: Manifest, image: str, waiting: Manifest) -> Finding:
    message = message_of(waiting)
    events = [
        message_of(event)
        for event in picture.of(kinds.EVENT)
        if (event.get("involvedObject") or {}).get("name") == pod["metadata"]["name"]
        and event.get("reason") in ("Failed", "ErrImagePull")
    ]
    if any(word in " ".join((message, *events)).lower() for word in DENIED):
        secret = Ref("Secret", PULL_SECRET, picture.namespace)
        return Finding(
            secret,
            f"the registry does not accept it for image {image} of {ref(pod)}",
            "put credentials for this registry into the Secret that spec.pullSecret names",
            (message, *events[-1:]),
        )
    return Finding(
        ref(pod),
        f"its image {image} cannot be pulled",
        f"does it exist, and do the nodes reach its registry? kubectl describe {ref(pod).words}",
        (message, *events[-1:]),
    )


def failing(picture: Picture) -> Iterator[Finding]:
    """Containers that cannot be started, or crash repeatedly; with the end of their log."""
    seen: set[tuple[str, str]] = set()
    for pod, status in _containers(picture):
        waiting = _waiting(status)
        reason = waiting.get("reason", "")
        crashes = reason == CRASH or (status.get("restartCount", 0) > 1 and not status.get("ready"))
        if not crashes and reason not in BAD_START:
            continue
        app = (pod["metadata"].get("labels") or {}).get("app", pod["metadata"]["name"])
        if (app, status["name"]) in seen:
            continue
        seen.add((app, status["name"]))
        log = picture.logs.get(f"{pod['metadata']['name']}/{status['name']}", "")
        yield Finding(
            ref(pod),
            f"its container {status['name']} "
            + ("ends again and again" if crashes else f"cannot be started: {message_of(waiting)}"),
            f"read its log: kubectl logs {pod['metadata']['name']} -n {picture.namespace} "
            f"-c {status['name']}{' --previous' if crashes else ''}",
            tuple(line.strip() for line in log.strip().splitlines()[-3:]),
        )


def _containers(picture: Picture) -> Iterator[tuple[Manifest, Manifest]]:
    for pod in picture.of(kinds.POD):
        status = pod.get("status") or {}
        for field in ("initContainerStatuses", "containerStatuses"):
            for each in status.get(field) or ():
                yield pod, each


def _waiting(status: Manifest) -> Manifest:
    found: Manifest = (status.get("state") or {}).get("waiting") or {}
    return found
