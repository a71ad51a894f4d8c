"""A kubeconfig by which a container acts as a service account of the guest."""

from dataclasses import dataclass

from hypershift.api import annotations
from hypershift.component import edit
from hypershift.component.component import Asset
from hypershift.component.kubeconfig import in_cluster, root_ca
from hypershift.component.traits.image import SECRET_MODE
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.pki import kubeconfig, kubeconfig_text

VOLUME = "service-account-kubeconfig"


@dataclass(frozen=True, slots=True)
class ServiceAccountKubeconfig:
    """Mounts the Secret `<component>-service-account-kubeconfig` in the first container."""

    component: str
    path: str
    #: Which containers get it; the first alone when none is named.
    containers: tuple[str, ...] = ()

    @property
    def secret(self) -> str:
        return f"{self.component}-service-account-kubeconfig"

    def apply(self, view: View, pod: Manifest) -> Manifest:
        del view
        chosen = self.containers or (pod["spec"]["containers"][0]["name"],)
        mount = {"name": VOLUME, "mountPath": self.path}

        def mounted(container: Manifest) -> Manifest:
            if container["name"] not in chosen:
                return container
            return {**container, "volumeMounts": [*container.get("volumeMounts", ()), mount]}

        volume = {
            "name": VOLUME,
            "secret": {"secretName": self.secret, "defaultMode": SECRET_MODE},
        }
        pod = edit.change_containers(pod, mounted, init=False)
        return edit.at(pod, ("spec", "volumes"), lambda found: [*(found or ()), volume])

    def asset(self) -> Asset:
        """The Secret itself; the PKI keeps its certificate in it, this adds the kubeconfig."""
        keys = ("ca.crt", "kubeconfig", "tls.crt", "tls.key")
        stub = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": self.secret},
            "type": "Opaque",
            "data": dict.fromkeys(keys, ""),
        }
        return Asset(
            stub=stub,
            adapt=self._filled,
            keeps_existing=True,
            owned=False,
            when=lambda view: not view.annotated(annotations.DISABLE_PKI_RECONCILIATION),
        )

    def _filled(self, view: View, manifest: Manifest) -> Manifest:
        certificate, key = (view.secret(self.secret, name) for name in ("tls.crt", "tls.key"))
        if not certificate:
            return manifest
        config = kubeconfig(in_cluster(view), root_ca(view), certificate=certificate, key=key)
        return edit.set_data(manifest, {"kubeconfig": kubeconfig_text(config)})
