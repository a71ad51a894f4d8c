"""The few things that the server adds or leaves out, and that our controllers can see."""

import base64

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds


def with_defaults(resource: Resource, body: Manifest) -> Manifest:
    """The object as the server would store it."""
    for field in ("annotations", "labels"):
        if not body["metadata"].get(field, True):
            del body["metadata"][field]
    if resource == kinds.SECRET:
        return _secret(body)
    if resource == kinds.SERVICE:
        return _service(body)
    if resource == kinds.NAMESPACE:
        body.setdefault("spec", {"finalizers": ["kubernetes"]})
        body.setdefault("status", {"phase": "Active"})
        name = body["metadata"]["name"]
        labels = body["metadata"].get("labels") or {}
        body["metadata"]["labels"] = labels | {"kubernetes.io/metadata.name": name}
    return body


def _secret(body: Manifest) -> Manifest:
    body.setdefault("type", "Opaque")
    if texts := body.pop("stringData", None):
        coded = {name: base64.b64encode(text.encode()).decode() for name, text in texts.items()}
        body["data"] = (body.get("data") or {}) | coded
    return body


def _service(body: Manifest) -> Manifest:
    spec = body.setdefault("spec", {})
    spec.setdefault("type", "ClusterIP")
    spec.setdefault("sessionAffinity", "None")
    spec.setdefault("internalTrafficPolicy", "Cluster")
    for port in spec.get("ports") or ():
        port.setdefault("protocol", "TCP")
        port.setdefault("targetPort", port.get("port"))
    return body
