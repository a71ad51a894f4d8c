"""The kubelet on a machine: its configuration, how it proves itself to the API, its unit."""

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from hypershift.ignition import containerd
from hypershift.ignition.config import File, Unit, file, unit
from hypershift.kit import Manifest, Secret, deep_merge

CONFIG: Final = "/etc/kubernetes/kubelet.conf"
AUTHORITY: Final = "/etc/kubernetes/kubelet-ca.crt"
BOOTSTRAP: Final = "/etc/kubernetes/kubeconfig"
KUBECONFIG: Final = "/var/lib/kubelet/kubeconfig"
STATIC_PODS: Final = "/etc/kubernetes/manifests"
SERVICE: Final = "kubelet.service"
#: What the machine knows of itself (instance metadata) as variables of a unit.
METADATA: Final = "/run/metadata/machine"
#: Name servers that pods without IPv4 can reach; a machine that has none beside the others' has
#: them in the usual place.
RESOLVER_V6: Final = "/run/metadata/resolv6.conf"
_FIND_RESOLVER: Final = (
    f"ExecStartPre=/bin/sh -c '[ -e {RESOLVER_V6} ] || cp /etc/resolv.conf {RESOLVER_V6}'\n"
)
V6_ALONE: Final = (6,)

#: Memory below which the kubelet evicts; a machine's allocatable is its limit less this.
EVICTION_MEMORY: Final = "50Mi"

#: What follows neither cluster nor machine.
CONSTANT: Final[Manifest] = {
    "apiVersion": "kubelet.config.k8s.io/v1beta1",
    "kind": "KubeletConfiguration",
    "authentication": {
        "anonymous": {"enabled": False},
        "webhook": {"enabled": True, "cacheTTL": "30s"},
        "x509": {"clientCAFile": AUTHORITY},
    },
    "authorization": {"mode": "Webhook"},
    "containerRuntimeEndpoint": f"unix://{containerd.SOCKET}",
    "staticPodPath": STATIC_PODS,
    "volumePluginDir": "/var/lib/kubelet/volumeplugins",
    "resolvConf": "/etc/resolv.conf",
    "rotateCertificates": True,
    "serverTLSBootstrap": True,
    # A machine has no systemd, and its host may still have cgroup v1.
    "cgroupDriver": "cgroupfs",
    "failCgroupV1": False,
    "enforceNodeAllocatable": [],
    "failSwapOn": False,
    "oomScoreAdj": 0,
    "makeIPTablesUtilChains": False,
    "protectKernelDefaults": False,
    "serializeImagePulls": False,
    "maxParallelImagePulls": 4,
    # The disk is the host's: its fill level is no reason to throw images or pods away early.
    "imageGCHighThresholdPercent": 100,
    "evictionHard": {
        "memory.available": EVICTION_MEMORY,
        "nodefs.available": "1%",
        "nodefs.inodesFree": "1%",
        "imagefs.available": "1%",
    },
}


def configuration(
    cluster_dns: tuple[str, ...],
    cluster_domain: str,
    max_pods: int,
    taints: tuple[Manifest, ...] = (),
    extra: Mapping[str, Any] | None = None,
) -> Manifest:
    """The KubeletConfiguration; what a user asks for (`extra`) is laid over it last."""
    own: Manifest = {
        "clusterDNS": list(cluster_dns),
        "clusterDomain": cluster_domain,
        "maxPods": max_pods,
        "registerWithTaints": list(taints),
    }
    merged: Manifest = deep_merge({**CONSTANT, **own}, dict(extra or {}))
    return merged


def token_kubeconfig(server: str, authority: str, token: Secret[str]) -> Manifest:
    """A kubeconfig for TLS bootstrap: the token lasts until the node has its own certificate."""
    return _kubeconfig(server, authority, {"token": token.reveal()})


def certificate_kubeconfig(server: str, authority: str, cert: str, key: Secret[str]) -> Manifest:
    """A kubeconfig of a node whose certificate was made beforehand."""
    user = {
        "client-certificate-data": _base64(cert),
        "client-key-data": _base64(key.reveal()),
    }
    return _kubeconfig(server, authority, user)


def config_file(configuration: Manifest) -> File:
    """The file that `--config` names."""
    return file(CONFIG, json.dumps(configuration, indent=1, sort_keys=True) + "\n")


def kubeconfig_file(path: str, kubeconfig: Manifest) -> File:
    """A kubeconfig, readable by root alone."""
    return file(path, json.dumps(kubeconfig, indent=1, sort_keys=True) + "\n", 0o600)


#: What the metadata calls a machine's address, by IP version.
ADDRESSES: Final[Mapping[int, str]] = {4: "${MACHINE_NODE_IP}", 6: "${MACHINE_NODE_IP6}"}


def service(
    labels: Mapping[str, str],
    *,
    bootstrap: bool,
    environment: str = "",
    versions: tuple[int, ...] = (4,),
) -> Unit:
    """The unit; name, addresses, provider id and reserved share come from instance metadata.

    A node has addresses of the IP versions of its cluster, the first one first.
    """
    own = "".join(f"{name}={value}," for name, value in sorted(labels.items()))
    flags = [
        f"--config={CONFIG}",
        f"--kubeconfig={KUBECONFIG}",
        *([f"--bootstrap-kubeconfig={BOOTSTRAP}"] if bootstrap else []),
        "--hostname-override=${MACHINE_HOSTNAME}",
        f"--node-ip={','.join(ADDRESSES[version] for version in versions)}",
        "--provider-id=${MACHINE_PROVIDER_ID}",
        "--system-reserved=${MACHINE_SYSTEM_RESERVED}",
        f"--node-labels={own}${{MACHINE_NODE_LABELS}}",
        "--v=2",
    ]
    command = " \\\n  ".join(["/usr/bin/kubelet", *flags])
    prepare = _FIND_RESOLVER if versions == V6_ALONE else ""
    return unit(
        SERVICE,
        f"""\
[Unit]
Description=Kubernetes kubelet
After=network-online.target {containerd.SERVICE}
Wants={containerd.SERVICE}

[Service]
EnvironmentFile={METADATA}
EnvironmentFile=-/etc/kubernetes/kubelet-env
{environment}{prepare}ExecStart={command}
Restart=always
RestartSec=1
TimeoutStopSec=5
KillMode=process

[Install]
WantedBy=multi-user.target
""",
    )


def _kubeconfig(server: str, authority: str, user: dict[str, str]) -> Manifest:
    cluster = {"server": server, "certificate-authority-data": _base64(authority)}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "cluster", "cluster": cluster}],
        "users": [{"name": "kubelet", "user": user}],
        "contexts": [{"name": "kubelet", "context": {"cluster": "cluster", "user": "kubelet"}}],
        "current-context": "kubelet",
    }


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
