"""The phases that reconcile what we install in a hosted cluster, and report its state."""

import json
from datetime import timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.api.conditions import (
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
)
from hypershift.kit import Manifest, TransientError, annotations_of, labels_of
from hypershift.kube import ApiError, Client, NotFound, Unavailable, kinds
from hypershift.operators.guest_config import copies, succession
from hypershift.operators.guest_config.openshift import configure as openshift
from hypershift.operators.guest_config.openshift import status as openshift_status
from hypershift.operators.guest_config.rules import catalog, pull_secret
from hypershift.operators.guest_config.rules import succession as rules
from hypershift.operators.guest_config.rules.complete import is_complete
from hypershift.operators.guest_config.rules.version import plane_runs, version_status
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

MANAGED_LABEL = "managed.hypershift.openshift.io."
NODE_POOL = annotations.NODE_POOL
TAINTS = annotations.NODE_POOL_TAINTS
SYNCED = annotations.LABELS_SYNCED
RETRY = timedelta(seconds=5)


async def apply_software(scope: GuestScope) -> Outcome:
    """Apply every object of ours; what a user changed or deleted is restored."""
    if scope.values is None:
        return Done()
    if scope.release is not None and scope.release.openshift:
        return await openshift.configure(scope, scope.release)
    missing = catalog.missing_images(scope.values.images, scope.values)
    if missing:
        # ValidReleaseInfo is the control plane's: two writers would wake each other for ever.
        text = f"the release lacks the images {', '.join(missing)}"
        scope.conditions.set(
            false(
                ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
                ControlPlaneReason.MISSING_IMAGES,
                text,
            )
        )
        return Done()
    if why := await succession.why_unpublished(scope.inside, scope.values):
        scope.conditions.set(rules.waiting(why))
        return Wait("AuthoritiesUnpublished", after=RETRY)
    failures = [problem] if (problem := scope.values.credentials.problem) else []
    for manifest in catalog.manifests(scope.values):
        try:
            scope.applied.append(await scope.inside.apply(manifest))
        except ApiError as error:
            failures.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
            if isinstance(error, Unavailable):
                break  # the server does not answer: each further request would wait as long
    else:
        await _drop_unwanted(scope.inside, scope.values)
    kind = ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED
    if failures:
        scope.conditions.set(
            false(kind, ControlPlaneReason.RECONCILE_ERROR, "; ".join(failures)[:1000])
        )
        scope.applied.clear()  # what is complete is told of everything or of nothing
        failed = TransientError("; ".join(failures)[:1000])
        return Wait("ApplyFailed", after=RETRY, error=failed)
    scope.conditions.set(true(kind))
    return Done()


async def follow_succession(scope: GuestScope) -> Outcome:
    """Report how far nodes and software are with a stage of the replacement of authorities."""
    found = scope.values.authorities if scope.values else None
    if found is None or not found.succession.under_way or not scope.applied:
        return Done()
    told = rules.progress(found, scope.applied, len(scope.nodes))
    scope.conditions.set(told)
    return Done() if told.is_true else Wait(ControlPlaneReason.GUEST_FOLLOWS, after=RETRY)


async def _drop_unwanted(guest: Client, values: catalog.Values) -> None:
    """Delete the copies whose original is gone, and what served a replacement that is over."""
    for resource, name in (
        *copies.unwanted(values.copied),
        *rules.unwanted(values),
        *pull_secret.unwanted(values.credentials),
    ):
        ours = await guest.list(resource, copies.NAMESPACE, labels=catalog.OURS)
        for found in ours:
            if found["metadata"]["name"] == name:
                await copies.drop(guest, resource, found)


async def sync_nodes(scope: GuestScope) -> Outcome:
    """Give each new node the labels and taints of its pool, once."""
    fresh = [node for node in scope.nodes if annotations_of(node).get(SYNCED) != "true"]
    if not fresh:
        return Done()
    machines = await scope.kube.list(kinds.MACHINE, scope.namespace)
    by_node = {
        ((one.get("status") or {}).get("nodeRef") or {}).get("name"): one for one in machines
    }
    unknown = False
    for node in fresh:
        machine = by_node.get(node["metadata"]["name"])
        if machine is None:
            unknown = True
            continue
        try:
            await _sync(scope.inside, node, machine)
        except NotFound:
            continue
    return Wait("NodeWithoutMachine", after=RETRY) if unknown and machines else Done()


async def _sync(guest: Client, node: Manifest, machine: Manifest) -> None:
    patch: dict[str, Any] = {
        "metadata": {
            "labels": node_labels(machine),
            "annotations": {SYNCED: "true"},
            "resourceVersion": node["metadata"]["resourceVersion"],
        }
    }
    if taints := json.loads(annotations_of(machine).get(TAINTS, "[]")):
        patch["spec"] = {"taints": merged_taints(node, taints)}
    await guest.patch(kinds.NODE, node["metadata"]["name"], patch)


def node_labels(machine: Manifest) -> dict[str, str]:
    """The labels that a Machine carries for its node, and the name of its pool."""
    labels = {
        name.removeprefix(MANAGED_LABEL): value
        for name, value in labels_of(machine).items()
        if name.startswith(MANAGED_LABEL)
    }
    pool = annotations_of(machine).get(NODE_POOL, "").partition("/")[2]
    return labels | ({NODE_POOL: pool} if pool else {})


def merged_taints(node: Manifest, taints: list[Manifest]) -> list[Manifest]:
    """The node's own taints, and those of its pool that it lacks."""
    known = (node.get("spec") or {}).get("taints") or []
    have = {(one["key"], one["effect"]) for one in known}
    return [*known, *(one for one in taints if (one["key"], one["effect"]) not in have)]


async def count_nodes(scope: GuestScope) -> Outcome:
    """Tell how many nodes there are."""
    scope.status["nodeCount"] = len(scope.nodes)
    return Done()


async def report_version(scope: GuestScope) -> Outcome:
    """Tell which release the cluster runs: complete when control plane and software run it."""
    if scope.release is None or scope.plane is None:
        return Done()
    if scope.release.openshift:
        return await openshift_status.report(scope)
    scope.status["versionStatus"] = version_status(
        scope.status.get("versionStatus"),
        scope.wanted.release_image,
        scope.release.version,
        scope.hosted.metadata.generation or 1,
        scope.clock.now(),
        complete=plane_runs(scope.plane, scope.hosted)
        and software_complete(scope.applied, len(scope.nodes)),
    )
    return Done()


def software_complete(applied: list[Manifest], nodes: int) -> bool:
    """Whether the pods of every add-on are those of the applied version."""
    return bool(applied) and all(
        is_complete(one, nodes) for one in applied if one["kind"] in catalog.WORKLOADS
    )
