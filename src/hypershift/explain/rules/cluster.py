"""Findings about the HostedCluster itself: missing references, refusals, pauses, deletion."""

from collections.abc import Iterator

from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    ControlPlaneReason,
    HostedClusterCondition,
    HostedClusterReason,
)
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, condition, message_of
from hypershift.explain.secrets import named
from hypershift.kit import key_of

#: Words by which registries refuse credentials.
DENIED = ("unauthorized", "authentication required", "denied", "401", "403")


def references(picture: Picture) -> Iterator[Finding]:
    """Secrets and ConfigMaps that the spec names and that are not there, or lack their key."""
    place = key_of(picture.cluster).namespace
    for field, kind, key, name in named(picture.wanted):
        if (kind, name) not in picture.references:
            continue
        keys = picture.references[kind, name]
        if keys is not None and key in keys:
            continue
        lacking = f"has no key {key!r}" if keys is not None else "does not exist"
        yield Finding(
            Ref(kind, name, place),
            f"{kind} {name}, which spec.{field} names, {lacking}",
            f"create it: kubectl create secret generic {name} -n {place} --from-file={key}=FILE"
            if kind == "Secret"
            else f"create it: kubectl create configmap {name} -n {place} --from-file={key}=FILE",
            (message_of(condition(picture.cluster, HostedClusterCondition.VALID_RELEASE_IMAGE)),),
        )


def release(picture: Picture) -> Iterator[Finding]:
    """The release cannot be read, or may not be rolled out."""
    found = condition(picture.cluster, HostedClusterCondition.VALID_RELEASE_IMAGE)
    if (
        found.get("status") != ConditionStatus.FALSE
        or found.get("reason") == HostedClusterReason.SECRET_NOT_FOUND
    ):
        return
    spec = picture.wanted
    image = spec.release.image
    message = message_of(found)
    key = key_of(picture.cluster)
    if any(word in message.lower() for word in DENIED):
        name = spec.pull_secret.name
        yield Finding(
            Ref("Secret", name, key.namespace),
            f"the registry of release image {image} does not accept the pull secret {name}",
            "put credentials for this registry into the Secret's .dockerconfigjson",
            (message,),
        )
        return
    yield Finding(
        ref(picture.cluster),
        f"its release image {image} cannot be used",
        f"name a release that exists: hypershift upgrade cluster {key.name} "
        f"-n {key.namespace} --to IMAGE",
        (message,),
    )


def refusals(picture: Picture) -> Iterator[Finding]:
    """What the operator refuses in the spec."""
    for kind in (
        HostedClusterCondition.SUPPORTED,
        HostedClusterCondition.VALID_CONFIGURATION,
        HostedClusterCondition.VALID_PROXY,
    ):
        found = condition(picture.cluster, kind)
        if found.get("status") == ConditionStatus.FALSE:
            yield Finding(
                ref(picture.cluster),
                f"the operator does not take its spec: {message_of(found)}",
                f"change it: kubectl edit {ref(picture.cluster).words}",
                (f"condition {kind}: {found.get('reason', '')}",),
            )


def keys(picture: Picture) -> Iterator[Finding]:
    """A change of encryption key that is stuck; one that makes progress is no finding."""
    found = condition(picture.cluster, ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE)
    if (
        found.get("status") == ConditionStatus.FALSE
        and found.get("reason") == ControlPlaneReason.RE_ENCRYPTION_FAILED
    ):
        yield Finding(
            ref(picture.cluster),
            f"its change of encryption key makes no progress: {message_of(found)}",
            "let the named object be updated, or give spec.secretEncryption a key that can be used;"
            " both keys stay until then",
            (f"condition {found['type']}: {found['reason']}",),
        )


def pause(picture: Picture) -> Iterator[Finding]:
    """A paused cluster is not reconciled."""
    until = picture.wanted.paused_until
    if (
        until
        and condition(picture.cluster, HostedClusterCondition.RECONCILIATION_ACTIVE).get("status")
        == ConditionStatus.FALSE
    ):
        yield Finding(
            ref(picture.cluster),
            f"it is paused (spec.pausedUntil: {until}), so that nothing is changed or repaired",
            f"resume it: kubectl patch {ref(picture.cluster).words} --type merge "
            """-p '{"spec":{"pausedUntil":null}}'""",
        )


def deletion(picture: Picture) -> Iterator[Finding]:
    """A cluster on its way out, and what holds it."""
    since = picture.cluster["metadata"].get("deletionTimestamp")
    if since:
        found = condition(picture.cluster, HostedClusterCondition.DESTROYED)
        held = ", ".join(picture.cluster["metadata"].get("finalizers") or ())
        yield Finding(
            ref(picture.cluster),
            f"it is being deleted since {since}; {message_of(found) or f'held by {held}'}",
            "wait, or look at what is named there",
        )
