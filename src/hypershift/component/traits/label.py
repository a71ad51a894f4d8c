"""Labels and annotations that name a pod's cluster and roll it when they change."""

from hypershift.api import annotations as marks
from hypershift.api import labels
from hypershift.api.reserved_labels import permitted
from hypershift.component import authorities, edit
from hypershift.component.component import Component
from hypershift.component.view import View
from hypershift.kit import Manifest, labels_of

SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"


def with_labels(view: View, component: Component, pod: Manifest) -> Manifest:
    """Label the pod by its component, its cluster and what it needs.

    The user's own labels come first, so that they replace none of ours; reserved keys are left
    out, and the HostedCluster reports them in its condition ReservedLabels.
    """
    own = {
        **permitted(view.spec.labels),
        **labels_of(pod),
        labels.CONTROL_PLANE_COMPONENT: component.name,
        **({labels.NEED_MANAGEMENT_KAS_ACCESS: "true"} if component.management_access else {}),
        **({labels.REQUEST_SERVING_COMPONENT: "true"} if component.request_serving else {}),
        labels.HOSTED_CONTROL_PLANE: view.namespace,
    }
    return edit.label(pod, own)


def with_annotations(view: View, component: Component, pod: Manifest) -> Manifest:
    """Annotate the pod with release, last asked restart, stage of authorities, local volumes."""
    restart = view.annotation(marks.RESTART_DATE) if component.follows_restart else ""
    local = [
        volume["name"]
        for volume in pod["spec"].get("volumes") or ()
        if "emptyDir" in volume or "hostPath" in volume
    ]
    image = view.spec.control_plane_release_image or view.spec.release_image
    annotations = {
        **({marks.RELEASE_IMAGE: image} if component.follows_release else {}),
        **({marks.RESTART_DATE: restart} if restart else {}),
        **authorities.marks(view, pod),
        **({SAFE_TO_EVICT: ",".join(local)} if local else {}),
    }
    return edit.annotate(pod, annotations)
