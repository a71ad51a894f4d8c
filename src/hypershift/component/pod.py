"""Everything that every pod of a control plane gets, in the order that matters."""

from hypershift.component import edit
from hypershift.component.component import Component
from hypershift.component.config_hash import Find, with_config_hash
from hypershift.component.rollout import asked_replicas, with_rollout
from hypershift.component.traits import harden, image, label, place, resource
from hypershift.component.view import View
from hypershift.kit import Manifest


def finished(view: View, component: Component, workload: Manifest, find: Find) -> Manifest:
    """The workload with its rollout, and with every default of its pod applied."""
    # A component that is being debugged has no replicas now, and the same pods as before.
    asked = asked_replicas(view, component, workload)
    workload = with_rollout(view, component, workload)

    def whole(pod: Manifest) -> Manifest:
        pod = _configured(view, component, pod, find)
        pod = _hardened(view, component, pod)
        live = view.find(workload["kind"], workload["metadata"]["name"])
        pod = resource.with_live_requests(live, pod)
        pod = _placed(view, component, pod)
        pod = resource.with_request_overrides(view, component.name, pod)
        spread = component.multi_zone_spread and asked > 1
        return place.with_spread(view, pod) if spread else pod

    return edit.change_pod(workload, whole)


def _configured(view: View, component: Component, pod: Manifest, find: Find) -> Manifest:
    """Images, volumes and sidecars; the hash covers what sidecars mount, too."""
    pod = image.with_volume_modes(image.with_images(view, pod))
    for trait in component.traits:
        pod = trait.apply(view, pod)
    pod = with_config_hash(pod, find, component.reloads)
    for trait in component.after_hash:
        pod = trait.apply(view, pod)
    return pod


def _hardened(view: View, component: Component, pod: Manifest) -> Manifest:
    pod = harden.with_read_only_root(harden.with_termination_message(pod))
    pod = harden.with_service_account_token(component, pod)
    if view.management.uid is not None:
        if view.management.restricted:
            return harden.with_restricted_security(view, pod)
        pod = harden.with_user(view, component, pod)
    return harden.with_dropped_privileges(pod) if view.cloud.drops_privileges else pod


def _placed(view: View, component: Component, pod: Manifest) -> Manifest:
    pod = place.with_node_selector(view, place.with_priority(view, component, pod))
    pod = label.with_annotations(view, component, label.with_labels(view, component, pod))
    pod = place.with_tolerations(view, component, pod)
    return place.with_colocation(view, place.with_node_affinity(view, component, pod))
