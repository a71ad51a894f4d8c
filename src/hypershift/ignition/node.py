"""The basics of every node, as a configuration: containerd, kubelet, mirrors, sysctls, units."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hypershift.ignition import containerd, kubelet
from hypershift.ignition.assignment import assignments
from hypershift.ignition.config import Config, File, Storage, Systemd, directory, file
from hypershift.ignition.containerd import Mirror
from hypershift.kit import Manifest, ip_versions

SYSCTLS: Final = {
    "net.ipv4.ip_forward": "1",
    "net.ipv6.conf.all.forwarding": "1",
    # Without it, policies between pods of one node are not seen by the firewall.
    "net.bridge.bridge-nf-call-iptables": "1",
    "net.bridge.bridge-nf-call-ip6tables": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSettings:
    """What a node's configuration follows."""

    #: PEM of the authorities that sign the kubelet's callers.
    authority: str
    #: How the kubelet reaches the API: `token_kubeconfig` or `certificate_kubeconfig`.
    kubeconfig: Manifest = field(repr=False)
    #: Whether that kubeconfig only serves to ask for a certificate.
    bootstrap: bool
    sandbox_image: str
    #: One address in each range of Services; a node has addresses of the same IP versions.
    cluster_dns: tuple[str, ...]
    cluster_domain: str = "cluster.local"
    mirrors: tuple[Mirror, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Manifest, ...] = ()
    max_pods: int = 250
    #: Fields of KubeletConfiguration that win over ours.
    kubelet: Mapping[str, Any] = field(default_factory=dict)
    #: Variables of containerd and kubelet (proxies, GOGC).
    environment: Mapping[str, str] = field(default_factory=dict)
    #: Authorities that the machine's programs trust beside the image's; empty keeps the image's.
    trust_bundle: str = ""


def config(settings: NodeSettings) -> Config:
    """The configuration of a node; a function of its settings alone, byte for byte."""
    environment = assignments(settings.environment)
    return Config(
        storage=Storage(directories=(directory(kubelet.STATIC_PODS),), files=_files(settings)),
        systemd=Systemd(
            units=(
                containerd.service(environment),
                kubelet.service(
                    settings.labels,
                    bootstrap=settings.bootstrap,
                    environment=environment,
                    versions=ip_versions(settings.cluster_dns) or (4,),
                ),
            )
        ),
    )


def _files(settings: NodeSettings) -> tuple[File, ...]:
    v6_alone = ip_versions(settings.cluster_dns) == kubelet.V6_ALONE
    resolver = {"resolvConf": kubelet.RESOLVER_V6} if v6_alone else {}
    configuration = kubelet.configuration(
        settings.cluster_dns,
        settings.cluster_domain,
        settings.max_pods,
        settings.taints,
        resolver | dict(settings.kubelet),
    )
    identity = kubelet.BOOTSTRAP if settings.bootstrap else kubelet.KUBECONFIG
    sysctls = "".join(f"{name} = {value}\n" for name, value in SYSCTLS.items())
    return (
        containerd.config(settings.sandbox_image),
        *containerd.mirror_files(settings.mirrors),
        kubelet.config_file(configuration),
        file(kubelet.AUTHORITY, settings.authority),
        kubelet.kubeconfig_file(identity, settings.kubeconfig),
        file("/etc/sysctl.d/90-kubernetes.conf", sysctls),
        *_trust(settings.trust_bundle),
    )


def _trust(bundle: str) -> tuple[File, ...]:
    return (file("/etc/ssl/certs/hypershift-trust.crt", bundle),) if bundle else ()
