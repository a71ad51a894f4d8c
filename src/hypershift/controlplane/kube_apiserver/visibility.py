"""From where an API server can be reached, by platform and by how it is published."""

from hypershift.component import View

_PUBLIC = frozenset({"Public", "PublicAndPrivate"})
_PRIVATE = frozenset({"Private", "PublicAndPrivate"})


def public(view: View) -> bool:
    """Whether it can be reached from the internet."""
    match view.platform:
        case "AWS":
            return _access(view, "aws") in _PUBLIC
        case "GCP":
            return _access(view, "gcp") == "PublicAndPrivate"
        case "Azure":
            return _topology(view) != "Private"
        case _:
            return True


def private(view: View) -> bool:
    """Whether it can be reached from inside the cloud's own network."""
    match view.platform:
        case "AWS":
            return _access(view, "aws") in _PRIVATE
        case "GCP":
            return _access(view, "gcp") in _PRIVATE
        case "Azure":
            return _topology(view) in _PRIVATE or (not _topology(view) and _swift(view))
        case _:
            return False


def published_by(view: View, service: str) -> str:
    """The strategy that publishes a service: LoadBalancer, NodePort, Route; empty when unset."""
    for item in view.spec.get("services") or ():
        if item.get("service") == service:
            return str((item.get("servicePublishingStrategy") or {}).get("type") or "")
    return ""


def _access(view: View, cloud: str) -> str:
    return str((view.spec["platform"].get(cloud) or {}).get("endpointAccess") or "")


def _topology(view: View) -> str:
    return str((view.spec["platform"].get("azure") or {}).get("topology") or "")


def _swift(view: View) -> bool:
    """Whether pods have a leg in the customer's network; older clusters tell by an annotation."""
    private = (view.spec["platform"].get("azure") or {}).get("private") or {}
    return private.get("type") == "Swift" or bool(view.annotation("swift-pod-network-instance"))
