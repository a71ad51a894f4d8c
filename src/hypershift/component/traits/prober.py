"""Wait for the hosted API server before anything else in the pod starts."""

from dataclasses import dataclass

from hypershift.component import edit
from hypershift.component.traits.image import image_of
from hypershift.component.view import View
from hypershift.kit import Manifest

NAME = "availability-prober"


@dataclass(frozen=True, slots=True)
class AwaitApiServer:
    """An init container that ends when the API server is ready and serves what is needed."""

    #: The volume with a kubeconfig, needed to ask for APIs.
    kubeconfig_volume: str = ""
    #: (group, version, kind) that must be served.
    required_apis: tuple[tuple[str, str, str], ...] = ()
    wait_for_infrastructure: bool = False
    wait_for_cluster_role_binding: str = ""
    #: Label value of guest pods that must be gone.
    wait_for_pods_gone: str = ""

    def apply(self, view: View, pod: Manifest) -> Manifest:
        container: Manifest = {
            "name": NAME,
            "image": image_of(view, NAME),
            "imagePullPolicy": "IfNotPresent",
            "command": [
                "/usr/bin/control-plane-operator",
                "availability-prober",
                "--target",
                f"{view.api_url}/readyz",
                *self._conditions(),
            ],
            "resources": {},
        }
        if self.kubeconfig_volume:
            mount = {"name": self.kubeconfig_volume, "mountPath": "/var/kubeconfig"}
            container["volumeMounts"] = [mount]
        return edit.at(pod, ("spec", "initContainers"), lambda found: [container, *(found or ())])

    def _conditions(self) -> list[str]:
        if not self.kubeconfig_volume:
            return []
        flags = ["--kubeconfig=/var/kubeconfig/kubeconfig"]
        flags += [f"--required-api={','.join(api)}" for api in self.required_apis]
        if self.wait_for_infrastructure:
            flags.append("--wait-for-infrastructure-resource")
        if self.wait_for_cluster_role_binding:
            flags.append(f"--wait-for-cluster-rolebinding={self.wait_for_cluster_role_binding}")
        if self.wait_for_pods_gone:
            flags.append(f"--wait-for-labeled-pods-gone={self.wait_for_pods_gone}")
        return flags
