"""Labels and annotations that tell whose a pod is and when it has to be rolled."""

from hypershift.api.reserved_labels import permitted
from hypershift.component import edit
from hypershift.component.component import Component
from hypershift.component.view import PREFIX, View
from hypershift.kit import Manifest, labels_of

MANAGED_BY = f"{PREFIX}managed-by"
MANAGER = "control-plane-operator"
CONTROL_PLANE_COMPONENT = f"{PREFIX}control-plane-component"
HOSTED_CONTROL_PLANE = f"{PREFIX}hosted-control-plane"
MANAGEMENT_ACCESS = f"{PREFIX}need-management-kas-access"
REQUEST_SERVING = f"{PREFIX}request-serving-component"
RELEASE_IMAGE = f"{PREFIX}release-image"
RESTART_DATE = f"{PREFIX}restart-date"
SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"


def with_labels(view: View, component: Component, pod: Manifest) -> Manifest:
    """Label the pod by its component, its cluster and what it needs.

    The user's own labels come first, so that they replace none of ours; reserved keys are left
    out, and the HostedCluster says so in its condition ReservedLabels.
    """
    labels = {
        **permitted(view.spec.get("labels")),
        **labels_of(pod),
        CONTROL_PLANE_COMPONENT: component.name,
        **({MANAGEMENT_ACCESS: "true"} if component.management_access else {}),
        **({REQUEST_SERVING: "true"} if component.request_serving else {}),
        HOSTED_CONTROL_PLANE: view.namespace,
    }
    return edit.label(pod, labels)


def with_annotations(view: View, component: Component, pod: Manifest) -> Manifest:
    """Annotate the pod with its release, the date of the last asked restart, its local volumes."""
    restart = view.annotation("restart-date")
    local = [
        volume["name"]
        for volume in pod["spec"].get("volumes") or ()
        if "emptyDir" in volume or "hostPath" in volume
    ]
    image = view.spec.get("controlPlaneReleaseImage") or view.spec.get("releaseImage", "")
    annotations = {
        **({RELEASE_IMAGE: image} if component.follows_release else {}),
        **({RESTART_DATE: restart} if restart else {}),
        **({SAFE_TO_EVICT: ",".join(local)} if local else {}),
    }
    return edit.annotate(pod, annotations)
