"""Proxies beside a container that lead into the guest through the API server's tunnels."""

from dataclasses import dataclass

from hypershift.component import edit, proxy
from hypershift.component.traits.image import SECRET_MODE, image_of
from hypershift.component.view import View
from hypershift.kit import Manifest

CERT_VOLUME, CA_VOLUME = "konnectivity-proxy-cert", "konnectivity-proxy-ca"


@dataclass(frozen=True, slots=True)
class HttpsProxy:
    """A proxy for HTTPS; cloud APIs may be called directly instead of through the guest."""

    serving_port: int = 0
    direct_to_cloud: bool = False
    kubeconfig_volume: str = "kubeconfig"

    def apply(self, view: View, pod: Manifest) -> Manifest:
        flags = ["run"]
        if self.serving_port:
            flags.append(f"--serving-port={self.serving_port}")
        if self.direct_to_cloud:
            flags.append("--connect-directly-to-cloud-apis=true")
        if _only_ipv4(view):
            flags.append("--prefer-ipv4=true")
        container = _container(view, "https", flags, self.kubeconfig_volume)
        if self.direct_to_cloud:  # by the management cluster's own way to the world
            told = proxy.variables(view)
            container["env"] += [{"name": name, "value": value} for name, value in told.items()]
        return _with_container(pod, container)


@dataclass(frozen=True, slots=True)
class Socks5Proxy:
    """A SOCKS5 proxy; names are resolved in the guest, in the management cluster or not at all."""

    guest_dns: bool = False
    management_dns: bool = False
    no_resolver: bool = False
    direct_to_cloud: bool = False
    kubeconfig_volume: str = "kubeconfig"

    def apply(self, view: View, pod: Manifest) -> Manifest:
        wanted = {
            "--connect-directly-to-cloud-apis": self.direct_to_cloud,
            "--resolve-from-guest-cluster-dns": self.guest_dns,
            "--resolve-from-management-cluster-dns": self.management_dns,
            "--disable-resolver": self.no_resolver,
            "--prefer-ipv4": _only_ipv4(view),
        }
        flags = ["run", *(f"{flag}=true" for flag, on in wanted.items() if on)]
        container = _container(view, "socks5", flags, self.kubeconfig_volume)
        return _with_container(pod, container)


def _only_ipv4(view: View) -> bool:
    return bool(view.service_cidrs) and all(":" not in cidr for cidr in view.service_cidrs)


def _container(view: View, mode: str, flags: list[str], kubeconfig_volume: str) -> Manifest:
    return {
        "name": f"konnectivity-proxy-{mode}",
        "image": image_of(view, "controlplane-operator"),
        "command": ["/usr/bin/control-plane-operator", f"konnectivity-{mode}-proxy"],
        "args": flags,
        "env": [{"name": "KUBECONFIG", "value": "/etc/kubernetes/secrets/kubeconfig/kubeconfig"}],
        "resources": {"requests": {"cpu": "10m", "memory": "30Mi"}},
        "volumeMounts": [
            {"name": kubeconfig_volume, "mountPath": "/etc/kubernetes/secrets/kubeconfig"},
            {"name": CERT_VOLUME, "mountPath": "/etc/konnectivity/proxy-client"},
            {"name": CA_VOLUME, "mountPath": "/etc/konnectivity/proxy-ca"},
        ],
    }


def _with_container(pod: Manifest, container: Manifest) -> Manifest:
    pod = edit.at(pod, ("spec", "containers"), lambda found: [*found, container])
    present = {volume["name"] for volume in pod["spec"].get("volumes") or ()}
    secret = {"secretName": "konnectivity-client", "defaultMode": SECRET_MODE}
    volumes = [
        {"name": CERT_VOLUME, "secret": secret},
        {"name": CA_VOLUME, "configMap": {"name": "konnectivity-ca-bundle"}},
    ]
    fresh = [volume for volume in volumes if volume["name"] not in present]
    return edit.at(pod, ("spec", "volumes"), lambda found: [*(found or ()), *fresh])
