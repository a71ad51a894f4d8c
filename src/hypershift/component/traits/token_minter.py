"""Tokens of the guest's service accounts, minted beside a container and renewed for it."""

from dataclasses import dataclass

from hypershift.api.platforms.traits import CloudIdentity
from hypershift.component import edit
from hypershift.component.traits.image import image_of
from hypershift.component.view import View
from hypershift.kit import Manifest

CLOUD_PATH = "/var/run/secrets/openshift/serviceaccount"
API_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
CLOUD_AUDIENCE = "openshift"


@dataclass(frozen=True, slots=True)
class TokenMinter:
    """Mints tokens of one service account: for the cloud, for the guest's API server, or both."""

    account: str
    namespace: str
    cloud: bool = True
    api: bool = False
    kubeconfig_volume: str = "kubeconfig"
    #: A Secret with the kubeconfig, read through the management API by a pod that starts first.
    kubeconfig_secret: str = ""
    #: Run once before the others instead of beside them.
    one_shot: bool = False

    def apply(self, view: View, pod: Manifest) -> Manifest:
        if self.cloud and takes_cloud_tokens(view):
            pod = self._minted(view, pod, "cloud", CLOUD_AUDIENCE, CLOUD_PATH)
        if self.api:
            pod = self._minted(view, pod, "apiserver", view.issuer_url, API_PATH)
        return pod

    def _minted(self, view: View, pod: Manifest, kind: str, audience: str, path: str) -> Manifest:
        volume = f"{kind}-token"
        container = self._container(view, kind, audience, volume)
        resident = not self.one_shot and not view.management.native_sidecars
        group = "containers" if resident else "initContainers"
        pod = edit.at(pod, ("spec", group), lambda found: [*(found or ()), container])
        memory = {"name": volume, "emptyDir": {"medium": "Memory"}}
        pod = edit.at(pod, ("spec", "volumes"), lambda found: [*(found or ()), memory])
        return _mounted_in_first(pod, volume, path)

    def _container(self, view: View, kind: str, audience: str, volume: str) -> Manifest:
        # The API server's token is read elsewhere than it is written: there it hides the pod's own.
        folder = CLOUD_PATH
        container: Manifest = {
            "name": f"{kind}-token-minter",
            "image": image_of(view, "token-minter"),
            "imagePullPolicy": "IfNotPresent",
            "command": ["/usr/bin/control-plane-operator", "token-minter"],
            "args": [
                f"--token-audience={audience}",
                f"--service-account-namespace={self.namespace}",
                f"--service-account-name={self.account}",
                f"--token-file={folder}/token",
                *self._kubeconfig(view),
                *(("--oneshot",) if self.one_shot else ()),
            ],
            "resources": {"requests": {"cpu": "10m", "memory": "30Mi"}},
            "volumeMounts": [{"name": volume, "mountPath": folder}],
        }
        if not self.kubeconfig_secret:
            mount = {"name": self.kubeconfig_volume, "mountPath": "/etc/kubernetes"}
            container["volumeMounts"].append(mount)
        if view.management.native_sidecars and not self.one_shot:
            # A sidecar that starts first and keeps running; the others start when its token is
            # there.
            check = {"exec": {"command": ["test", "-f", f"{folder}/token"]}}
            container["restartPolicy"] = "Always"
            container["startupProbe"] = {**check, "periodSeconds": 1, "failureThreshold": 30}
        return container

    def _kubeconfig(self, view: View) -> tuple[str, ...]:
        if self.kubeconfig_secret:
            return (
                f"--kubeconfig-secret-namespace={view.namespace}",
                f"--kubeconfig-secret-name={self.kubeconfig_secret}",
            )
        return ("--kubeconfig=/etc/kubernetes/kubeconfig",)


def takes_cloud_tokens(view: View) -> bool:
    """Whether the platform's cloud accepts tokens of service accounts."""
    by_vault = view.cloud.identity is CloudIdentity.VAULT
    return view.self_managed_azure if by_vault else view.cloud.identity is not None


def _mounted_in_first(pod: Manifest, volume: str, path: str) -> Manifest:
    first, *rest = pod["spec"]["containers"]
    mount = {"name": volume, "mountPath": path}
    first = {**first, "volumeMounts": [*first.get("volumeMounts", ()), mount]}
    return edit.put(pod, ("spec", "containers"), [first, *rest])
