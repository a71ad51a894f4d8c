"""A container whose readiness follows the API server's: the pod is ready when both are."""

from dataclasses import dataclass

from hypershift.component import edit
from hypershift.component.traits.image import image_of
from hypershift.component.view import View
from hypershift.kit import Manifest


@dataclass(frozen=True, slots=True)
class ReadyWithApiServer:
    """Takes an aggregated API's pod out of service while the API server does not answer it."""

    def apply(self, view: View, pod: Manifest) -> Manifest:
        container: Manifest = {
            "name": "kas-readiness-check",
            "image": image_of(view, "cli"),
            "imagePullPolicy": "IfNotPresent",
            "command": ["/bin/bash", "-c", "sleep infinity"],
            "resources": {"requests": {"cpu": "10m", "memory": "10Mi"}},
            "readinessProbe": {
                "exec": {
                    "command": ["/bin/bash", "-c", f"curl -kfs {view.api_url}/livez > /dev/null"]
                },
                "periodSeconds": 10,
                "timeoutSeconds": 5,
                "failureThreshold": 3,
            },
        }
        return edit.at(pod, ("spec", "containers"), lambda found: [*found, container])
