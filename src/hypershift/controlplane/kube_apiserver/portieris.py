"""Portieris beside the API server: refuses unsigned images where a cluster asks for it."""

from hypershift.api import annotations
from hypershift.component import View, edit
from hypershift.kit import Manifest

NAME = "portieris"
PORT = 8000


def with_portieris(view: View, manifest: Manifest) -> Manifest:
    """Add it where an annotation names its image."""
    image = view.annotation(annotations.PORTIERIS_IMAGE)
    if not image:
        return manifest
    container = {
        "name": NAME,
        "image": image,
        "command": ["/portieris"],
        "args": [
            "--kubeconfig=/etc/openshift/kubeconfig/kubeconfig",
            "--alsologtostderr",
            "-v=4",
        ],
        "ports": [{"name": "http", "containerPort": PORT, "protocol": "TCP"}],
        "livenessProbe": {
            "httpGet": {"path": "/health/liveness", "port": PORT, "scheme": "HTTPS"},
            "initialDelaySeconds": 120,
            "periodSeconds": 300,
            "timeoutSeconds": 160,
            "failureThreshold": 3,
            "successThreshold": 1,
        },
        "resources": {"requests": {"cpu": "5m", "memory": "20Mi"}},
        "volumeMounts": [
            {"name": "localhost-kubeconfig", "mountPath": "/etc/openshift/kubeconfig"},
            {"name": "portieris-certs", "mountPath": "/etc/certs"},
            {"name": "portieris-trust-data", "mountPath": "/run/.trust"},
        ],
    }
    return edit.add_volumes(
        edit.add_container(manifest, container),
        edit.secret_volume("portieris-certs", "portieris-certs"),
        {"name": "portieris-trust-data", "emptyDir": {"medium": "Memory"}},
    )
