"""The HostedControlPlane controller: its phases in order, and what wakes it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api import annotations, finalizers
from hypershift.api.conditions import Owner
from hypershift.api.well_known import SHARED_INGRESS
from hypershift.component import VIEWED, rolled_out
from hypershift.kit import Key, Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.kube.cache import Change
from hypershift.kube.services import load_balancer_address
from hypershift.operators.controlplane import (
    account,
    deletion,
    look,
    members,
    private_link,
    publish,
    status,
    succession,
)
from hypershift.operators.controlplane.scope import Environment, PlaneScope
from hypershift.runtime import Controller, Phase, Watch, changes_metadata

NAME = Owner.CONTROL_PLANE.value
#: A new workload changes its status several times before it reports more than a number of replicas.
PACE = timedelta(seconds=10)
WORKLOADS = frozenset({kinds.DEPLOYMENT.kind, kinds.STATEFUL_SET.kind})
FINALIZER = finalizers.FINALIZER

NORMAL: Sequence[Phase[PlaneScope]] = (
    look.decode_plane,
    look.leave_other_releases,
    look.observe,
    look.look_up_release,
    status.check_configuration,
    status.roll_up,
    status.stop_if_invalid,
    look.stop_without_release,
    publish.publish_services,
    private_link.publish_links,
    publish.await_addresses,
    publish.give_pull_secret,
    succession.begin_succession,
    publish.issue_certificates,
    publish.keep_password,
    publish.run_components,
    succession.follow_succession,
    status.roll_up_changes,
    members.keep_etcd,
    members.defragment_etcd,
    members.watch_disks,
    account.keep_account,
    status.look_again,
)

#: A paused control plane is looked at, not touched.
PAUSED: Sequence[Phase[PlaneScope]] = (
    look.decode_plane,
    look.leave_other_releases,
    look.observe,
    look.look_up_release,
    status.check_configuration,
    status.roll_up,
    status.look_again,
)

DELETE: Sequence[Phase[PlaneScope]] = (
    deletion.await_cloud_cleanup,
    account.clean_account,
    deletion.forget,
)


def controller(environment: Environment) -> Controller[PlaneScope]:
    """The controller, for a Manager to run."""
    settings = environment.settings
    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=lambda found, context: PlaneScope(found, context, environment),
        normal=NORMAL,
        delete=DELETE,
        paused=PAUSED,
        finalizer=FINALIZER,
        watches=(
            *(
                Watch(
                    kind, to_plane, namespace=settings.namespace, wakes=matters, urgent=ends_waiting
                )
                for kind in VIEWED
            ),
            *(
                Watch(kind, to_plane, namespace=settings.namespace)
                for kind in ([kinds.ROUTE] if environment.has_routes else ())
            ),
            *(
                Watch(
                    links.resource, to_plane, namespace=settings.namespace, wakes=changes_metadata
                )
                for links in environment.links
            ),
        ),
        workers=settings.workers,
        namespace=settings.namespace,
        pace=PACE,
    )


def matters(change: Change) -> bool:
    """Whether a change may alter the control plane; how many pods may be evicted does not."""
    kind = next(change.objects)["kind"]
    return kind != kinds.POD_DISRUPTION_BUDGET.kind or changes_metadata(change)


def ends_waiting(change: Change) -> bool:
    """Whether a workload rolled out or a load balancer got its address: phases wait for that."""
    old, new = change.old, change.new
    if new is not None and new["metadata"].get("name") == SHARED_INGRESS:
        return True
    if old is None or new is None:
        return False
    if new["kind"] == kinds.SERVICE.kind:
        return load_balancer_address(old) != load_balancer_address(new)
    return new["kind"] in WORKLOADS and rolled_out(old) != rolled_out(new)


def to_plane(manifest: Manifest) -> Iterator[Key]:
    """The control plane that owns an object, or that a copied object was copied for."""
    namespace = manifest["metadata"].get("namespace", "")
    for owner in manifest["metadata"].get("ownerReferences") or ():
        if owner.get("kind") == kinds.HOSTED_CONTROL_PLANE.kind:
            yield Key(namespace, owner["name"])
            return
    _, _, name = annotations_of(manifest).get(annotations.CLUSTER, "").partition("/")
    if name:
        yield Key(namespace, name)
