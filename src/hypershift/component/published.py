"""How components with an endpoint of their own are published, and what certifies them."""

from hypershift.api import annotations, labels
from hypershift.api.publishing import internal_host, is_private, labels_routes, strategy
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest


def signs(view: View) -> bool:
    """Whether certificates of this cluster are ours to sign."""
    return not view.annotated(annotations.DISABLE_PKI_RECONCILIATION)


def route(view: View, manifest: Manifest, host: str) -> Manifest:
    """A Route with the user's host; guests reach a private cluster by a name of its own."""
    ours = {labels.HOSTED_CONTROL_PLANE: view.namespace}
    if is_private(view.spec, view.publishing_annotations):
        inside = internal_host(manifest["metadata"]["name"], view.name)
        manifest = edit.put(manifest, ("spec", "host"), inside)
        return edit.label(manifest, ours | {labels.INTERNAL_ROUTE: "true"})
    if host:
        manifest = edit.put(manifest, ("spec", "host"), host)
    served = labels_routes(view.spec, view.publishing_annotations)
    return edit.label(manifest, ours) if served else manifest


def ignition_service(view: View, manifest: Manifest) -> Manifest:
    """The Service that machines reach, of the type that the cluster asks for."""
    found = strategy(view.spec, ServiceType.IGNITION)
    if found is None:
        raise InvalidSpec("ignition service strategy not specified", field="spec.services")
    match found.type:
        case PublishingStrategyType.ROUTE:
            return manifest
        case PublishingStrategyType.NODE_PORT:
            manifest = edit.put(manifest, ("spec", "type"), "NodePort")
            port = found.node_port.port if found.node_port else 0
            first, *rest = manifest["spec"]["ports"]
            ports = [{**first, "nodePort": port} if port else first, *rest]
            return edit.put(manifest, ("spec", "ports"), ports)
        case _:
            raise InvalidSpec(
                f"invalid publishing strategy for Ignition service: {found.type}",
                field="spec.services",
            )
