"""Finds what the management cluster's API refuses: quota, webhooks, policies, pod security.

Controllers repeat the API server's message: in events of ReplicaSets and StatefulSets, in
conditions of Deployments, components and our own kinds.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, message_of
from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds

#: Older refusals are history: a controller that is still refused reports it again and again.
RECENT = timedelta(minutes=15)
SPEAKERS = (
    kinds.DEPLOYMENT,
    kinds.REPLICA_SET,
    kinds.STATEFUL_SET,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.HOSTED_CONTROL_PLANE,
    kinds.MACHINE_SET,
    kinds.MACHINE_DEPLOYMENT,
)
SPEAKING = frozenset(each.kind for each in SPEAKERS)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message of refusal, and the object that repeats it."""

    by: Ref
    text: str


class Reading(NamedTuple):
    """What a message of refusal means: the object that refuses, why, and the next step."""

    object: Ref
    cause: str
    step: str


def refusals(picture: Picture) -> Iterator[Refusal]:
    """What objects and events in and around the control plane complain about just now."""
    own = picture.cluster["metadata"]["namespace"]
    for namespace in (picture.namespace, own, picture.operator_namespace):
        for event in picture.of(kinds.EVENT, namespace):
            if event.get("type") == "Warning" and _lives(picture, event):
                yield Refusal(_about(event), message_of(event))
    speakers = [each for kind in SPEAKERS for each in picture.of(kind)]
    for speaker in (picture.cluster, *speakers, *picture.of(kinds.NODE_POOL, own)):
        for found in (speaker.get("status") or {}).get("conditions") or ():
            if found.get("message"):
                yield Refusal(ref(speaker), message_of(found))


def _lives(picture: Picture, event: Manifest) -> bool:
    return picture.age(_moment(event)) < RECENT and not _recovered(picture, event)


def _moment(event: Manifest) -> str:
    """When an event was seen last."""
    series = (event.get("series") or {}).get("lastObservedTime")
    return str(series or event.get("lastTimestamp") or event.get("eventTime") or "")


def _recovered(picture: Picture, event: Manifest) -> bool:
    """Whether the object that an event is about has what it needs by now, or is gone."""
    about = event.get("involvedObject") or {}
    kind = {"ReplicaSet": kinds.REPLICA_SET, "StatefulSet": kinds.STATEFUL_SET}.get(
        about.get("kind", "")
    )
    if kind is None:
        return False
    found = picture.named(kind, about.get("name", ""))
    if found is None or _moment(event) < found["metadata"].get("creationTimestamp", ""):
        return True  # deleted, or created again under the same name
    wanted = found["spec"].get("replicas", 1)
    return bool((found.get("status") or {}).get("replicas", 0) >= wanted)


def _about(event: Manifest) -> Ref:
    about = event.get("involvedObject") or {}
    return Ref(about.get("kind", ""), about.get("name", ""), about.get("namespace", ""))


QUOTA = re.compile(r"exceeded quota: ([^,\s]+), (requested: .*?, used: .*?, limited: [^\s;]+)")
WEBHOOK_FAILS = re.compile(r'failed calling webhook "([^"]+)": (.*)')
WEBHOOK_DENIES = re.compile(r'admission webhook "([^"]+)" denied the request:? ?(.*)')
POLICY = re.compile(
    r"ValidatingAdmissionPolicy '([^']+)' with binding '([^']+)' denied request: (.*)"
)
POD_SECURITY = re.compile(r'violates PodSecurity "([^"]+)": (.*)')
LIMITS = re.compile(r"(?:minimum|maximum) (?:cpu|memory|\S+) usage per (?:Pod|Container) is .*")


def refused(picture: Picture) -> Iterator[Finding]:
    """One finding for each thing that refuses, however many were refused; history comes last."""
    found = list(_refusals(picture))
    yield from sorted(found, key=lambda each: each.object.kind in SPEAKING)


def _refusals(picture: Picture) -> Iterator[Finding]:
    seen: set[Ref] = set()
    for said in refusals(picture):
        for pattern, read in READERS:
            match = pattern.search(said.text)
            if match is None:
                continue
            found = _current(picture, said, read(picture, said.by, match))
            if found.object not in seen:
                seen.add(found.object)
                yield found
            break


#: Kinds of which the picture has every object, so that one that is missing is gone.
LISTED = {
    "ResourceQuota": kinds.RESOURCE_QUOTA,
    "Webhook": kinds.VALIDATING_WEBHOOK_CONFIGURATION,
}


def _current(picture: Picture, said: Refusal, found: Reading) -> Finding:
    """A refusal by something that is gone by now is not repeated, but its effect may last."""
    seen = (f"{said.by}: {said.text}",)
    kind = LISTED.get(found.object.kind)
    place = found.object.namespace or None
    if kind is None or picture.named(kind, found.object.name, place) or _unlisted(picture, kind):
        return Finding(found.object, found.cause, found.step, seen)
    hurried = f", or hurry it: kubectl delete {said.by.words}"
    return Finding(
        said.by,
        f"it was refused by {found.object}, which is gone by now; the controller tries again",
        f"wait some minutes{hurried if said.by.kind == 'ReplicaSet' else ''}",
        seen,
    )


def _unlisted(picture: Picture, kind: Resource) -> bool:
    return any(line.startswith(str(kind)) for line in picture.unread)


def _quota(picture: Picture, by: Ref, match: re.Match[str]) -> Reading:
    quota = Ref("ResourceQuota", match[1], by.namespace or picture.namespace)
    return Reading(
        quota, f"it allows no more: {match[2]}", f"raise or remove it: kubectl edit {quota.words}"
    )


def _webhook(picture: Picture, _: Ref, match: re.Match[str]) -> Reading:
    config = _configuration(picture, match[1])
    return Reading(
        config,
        f"its webhook {match[1]} cannot be called, and what it guards is refused: {match[2]}",
        f"bring its server back, or set failurePolicy: kubectl edit {config.words}",
    )


def _denial(picture: Picture, _: Ref, match: re.Match[str]) -> Reading:
    config = _configuration(picture, match[1])
    return Reading(
        config,
        f"its webhook {match[1]} denies: {match[2]}",
        f"ask who runs it, or leave the control plane out of it: kubectl edit {config.words}",
    )


def _configuration(picture: Picture, webhook: str) -> Ref:
    for kind in (kinds.VALIDATING_WEBHOOK_CONFIGURATION, kinds.MUTATING_WEBHOOK_CONFIGURATION):
        for config in picture.of(kind):
            if any(each.get("name") == webhook for each in config.get("webhooks") or ()):
                return ref(config)
    return Ref("Webhook", webhook)


def _policy(_: Picture, by: Ref, match: re.Match[str]) -> Reading:
    return Reading(
        Ref("ValidatingAdmissionPolicy", match[1]),
        f"it denies what the control plane needs: {match[3]}",
        f"leave {by.namespace or 'it'} out of it: "
        f"kubectl edit validatingadmissionpolicybinding {match[2]}",
    )


def _pod_security(picture: Picture, by: Ref, match: re.Match[str]) -> Reading:
    namespace = Ref("Namespace", by.namespace or picture.namespace)
    return Reading(
        namespace,
        f"it enforces PodSecurity {match[1]}, which the pods do not meet: {match[2]}",
        f"label it pod-security.kubernetes.io/enforce=privileged: kubectl edit {namespace.words}",
    )


def _limits(picture: Picture, by: Ref, match: re.Match[str]) -> Reading:
    place = by.namespace or picture.namespace
    return Reading(
        Ref("LimitRange", "(any)", place),
        f"a limit range refuses its pods: {match[0]}",
        f"look at it: kubectl get limitrange -n {place} -o yaml",
    )


READERS: tuple[tuple[re.Pattern[str], Callable[[Picture, Ref, re.Match[str]], Reading]], ...] = (
    (QUOTA, _quota),
    (WEBHOOK_FAILS, _webhook),
    (WEBHOOK_DENIES, _denial),
    (POLICY, _policy),
    (POD_SECURITY, _pod_security),
    (LIMITS, _limits),
)
