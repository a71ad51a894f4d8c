"""Applies components as they are rendered, and reports their state."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from hypershift.api.conditions import ComponentCondition, ComponentReason, false
from hypershift.component.component import Component
from hypershift.component.render import identities, images, rendered, workload_identity
from hypershift.component.status import (
    ComponentStatus,
    component_status,
    dependencies,
    status_manifest,
    unmet,
)
from hypershift.component.view import View
from hypershift.kit import HypershiftError, Manifest, TerminalError, rfc3339, side_by_side
from hypershift.kube import Client, NotFound, Resource, kinds

#: The kinds of the control plane namespace that a view holds; watch them, and reads are free.
VIEWED: tuple[Resource, ...] = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.DEPLOYMENT,
    kinds.STATEFUL_SET,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.SERVICE,
    kinds.SERVICE_ACCOUNT,
    kinds.ROLE,
    kinds.ROLE_BINDING,
    kinds.POD_DISRUPTION_BUDGET,
)

#: The versions of objects, by kind and name.
Versions = dict[str, dict[str, str]]

_VIEWED_KINDS = frozenset(resource.kind for resource in VIEWED)


async def with_objects(view: View, kube: Client, resources: Sequence[Resource] = VIEWED) -> View:
    """The view with what the control plane namespace holds just now of some kinds."""
    lists = [await kube.each(kind, view.namespace) for kind in resources]
    viewed = {resource.kind for resource in resources}
    # Objects that other code read remain in the view.
    objects = {key: found for key, found in view.objects.items() if key[0] not in viewed}
    objects |= {
        (resource.kind, found["metadata"]["name"]): found
        for resource, items in zip(resources, lists, strict=True)
        for found in items
    }
    return replace(view, objects=objects)


async def versions(view: View, kube: Client) -> Versions:
    """Which objects a view would hold, by kind, name and version; nothing is copied for it."""
    return {kind.kind: await kube.versions(kind, view.namespace) for kind in VIEWED}


async def apply_components(
    components: Sequence[Component], view: View, kube: Client, now: datetime
) -> list[ComponentStatus]:
    """Reconcile every component in order; the failure of one never stops the others.

    `components` is the whole catalogue of the product: what its predicates leave out is deleted.
    The view has objects, see `with_objects`.
    """
    present = frozenset(component.name for component in components if runs(component, view))
    statuses: dict[str, ComponentStatus] = {}
    for wave in waves(components, present):
        # Components that wait for these continue in the same pass.
        known = _knowing(view, statuses.values())

        async def bring(component: Component, known: View = known) -> ComponentStatus:
            return await reconcile(component, known, kube, present=present)

        statuses |= {status.name: status for status in await side_by_side(bring, wave)}

    async def publish(status: ComponentStatus) -> None:
        await _publish(status, view, kube, now)

    found = [statuses[component.name] for component in components]
    # A workload that was created in this pass has no status yet; its own events start the next
    # pass.
    await side_by_side(publish, (one for one in found if one.enabled and not one.new))
    return found


def waves(components: Iterable[Component], present: frozenset[str]) -> Iterator[list[Component]]:
    """Components that need each other in turn, all others together: their pods start as one."""
    left = {component.name: component for component in components}
    while left:
        free = [
            component
            for component in left.values()
            if left.keys().isdisjoint(dependencies(component, present))
        ]
        # Those that need each other in a circle have no better turn than now.
        wave = free or list(left.values())
        yield wave
        for component in wave:
            del left[component.name]


def _knowing(view: View, statuses: Iterable[ComponentStatus]) -> View:
    told = {
        ("ControlPlaneComponent", status.name): status_manifest(status, view) for status in statuses
    }
    return replace(view, objects={**view.objects, **told})


def runs(component: Component, view: View) -> bool:
    """Whether a component is wanted in this cluster, and its product has it."""
    return component.when(view) and not view.release.missing(set(component.images))


async def reconcile(
    component: Component, view: View, kube: Client, *, present: frozenset[str]
) -> ComponentStatus:
    """Bring one component to its rendering, and see how it is doing."""
    if not runs(component, view):
        await remove(component, view, kube)
        available, rollout = (false(kind, ComponentReason.DISABLED) for kind in ComponentCondition)
        return ComponentStatus(component.name, available, rollout, enabled=False)
    if waiting := unmet(component, view, present):
        await _prepare(component, view, kube)
        written = _Written(view, images=images(component, view))
    else:
        written = await _written(component, view, kube)
    status = component_status(component, written.view, waiting, written.error)
    return replace(status, images=written.images, new=written.new)


async def remove(component: Component, view: View, kube: Client) -> None:
    """Delete everything that a component may have made; its status last."""
    wanted = [workload_identity(component, view), *identities(component, view)]
    await _delete(component, wanted, view, kube)
    if view.find("ControlPlaneComponent", component.name):
        await kube.delete(kinds.CONTROL_PLANE_COMPONENT, component.name, view.namespace)


@dataclass(frozen=True, slots=True)
class _Written:
    """The view with the live workload, the errors, and the images that were looked up."""

    view: View
    error: str = ""
    images: frozenset[str] = frozenset()
    #: Whether the workload was not there before, and is one whose coming is seen.
    new: bool = False


async def _written(component: Component, view: View, kube: Client) -> _Written:
    """Write a component's objects."""
    if missing := [item for item in component.reads if not _has(view, item)]:
        return _Written(view, f"waiting for {', '.join(missing)}", images(component, view))
    try:
        result = rendered(component, view)
        if lacking := view.release.missing(set(result.images)):
            names = ", ".join(lacking)
            return _Written(view, f"the release has no image {names}", result.images)
        await _delete(component, result.absent, view, kube)
        await kube.apply_all(result.manifests)
        live = await kube.apply(result.workload)
    except (TerminalError, HypershiftError) as failure:
        return _Written(view, str(failure), images(component, view))
    key = (result.workload["kind"], result.workload["metadata"]["name"])
    new = key not in view.objects and key[0] in _VIEWED_KINDS
    view = replace(view, objects={**view.objects, key: live})
    return _Written(view, images=result.images, new=new)


async def _prepare(component: Component, view: View, kube: Client) -> None:
    """Create what a new component's pods will need while it waits, so that it starts faster later.

    Existing objects are left alone: until the component's turn they stay as they are.
    """
    known = view.find("ControlPlaneComponent", component.name)
    if known or not all(_has(view, item) for item in component.reads):
        return
    # An error here happens again when the component has its turn, and is reported then.
    with suppress(TerminalError, HypershiftError):
        found = rendered(component, view).manifests
        await kube.apply_all(each for each in found if _is_new(each, view))


def _is_new(manifest: Manifest, view: View) -> bool:
    kind = manifest["kind"]
    return kind in _VIEWED_KINDS and view.find(kind, manifest["metadata"]["name"]) is None


async def _delete(
    component: Component, identified: Iterable[Manifest], view: View, kube: Client
) -> None:
    """Delete what is there and ours."""
    for identity in identified:
        kind, name = identity["kind"], identity["metadata"]["name"]
        found = view.find(kind, name)
        if kind not in _VIEWED_KINDS:
            found = await kube.find(await kube.resource_of(identity), name, view.namespace)
        if found is not None and _ours(component, view, found):
            await kube.delete(await kube.resource_of(identity), name, view.namespace)


def _ours(component: Component, view: View, found: Manifest) -> bool:
    """Whether an object was made for this control plane.

    One without an owner is known by its name alone, which nothing else in the namespace has.
    """
    if not component.owned:
        return True
    references = found["metadata"].get("ownerReferences") or ()
    return any(reference.get("uid") == view.uid for reference in references)


def _has(view: View, item: str) -> bool:
    kind, _, name = item.partition("/")
    return view.find(kind, name) is not None


async def _publish(status: ComponentStatus, view: View, kube: Client, now: datetime) -> None:
    """Write the ControlPlaneComponent, with the times at which its conditions changed."""
    wanted = status_manifest(status, view)
    found = view.find("ControlPlaneComponent", status.name)
    if found is None:
        bare = {key: value for key, value in wanted.items() if key != "status"}
        bare["metadata"]["ownerReferences"] = [view.owner_reference]
        found = await kube.apply(bare)
    body = dated(wanted["status"], found.get("status") or {}, now)
    if body == found.get("status"):
        return
    try:
        await kube.patch(
            kinds.CONTROL_PLANE_COMPONENT,
            status.name,
            {"status": body},
            view.namespace,
            subresource="status",
        )
    except NotFound:
        # Deleted under our hands: the next pass makes it again.
        return


def dated(wanted: Manifest, found: Manifest, now: datetime) -> Manifest:
    """Give each condition the time at which its status last changed."""
    before = {condition["type"]: condition for condition in found.get("conditions") or ()}

    def timed(condition: Manifest) -> Manifest:
        old = before.get(condition["type"])
        same = old is not None and old["status"] == condition["status"]
        time = old["lastTransitionTime"] if old is not None and same else rfc3339(now)
        return {**condition, "lastTransitionTime": time}

    return {**wanted, "conditions": [timed(condition) for condition in wanted["conditions"]]}
