"""The proxy on each node through which `kubernetes.default.svc` reaches the hosted API server.

The address that the hosted cluster advertises is put on the node's loopback device, and a static
pod listens there: HAProxy, or a CONNECT client where the API is reached through an HTTPS proxy.
"""

import base64
import html
from dataclasses import dataclass

from hypershift.ignition import goyaml, machine_config
from hypershift.kit import Manifest

NAME = "20-apiserver-haproxy"
POD = "kube-apiserver-proxy"
VERSION = "3.2.0"
#: What runs scripts on OpenShift's nodes.
BASH = "/usr/bin/env bash"

_SETUP = """#!{interpreter}
set -x
ip addr add {address}/32 brd {address} scope host dev lo
ip route add {address}/32 dev lo scope link src {address}
"""
#: The original's commands know IPv4 alone.
_SETUP_V6 = """#!{interpreter}
set -x
ip -6 addr add {address}/128 dev lo
"""
_TEARDOWN_V6 = """#!{interpreter}
set -x
ip -6 addr delete {address}/128 dev lo
"""
_TEARDOWN = """#!{interpreter}
set -x
ip addr delete {address}/32 dev lo
ip route del {address}/32 dev lo scope link src {address}
"""
_UNIT = """[Unit]
Description=Sets up local IP to proxy API server requests
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=/usr/local/bin/setup-apiserver-ip.sh
ExecStop=/usr/local/bin/teardown-apiserver-ip.sh
RemainAfterExit=yes

[Install]
WantedBy=multi-user.target
"""
_HAPROXY = """global
  maxconn 7000
  log stdout local0
  log stdout local1 notice

defaults
  mode tcp
  timeout client 10m
  timeout server 10m
  timeout connect 10s
  timeout client-fin 5s
  timeout server-fin 5s
  timeout queue 5s
  retries 3

frontend local_apiserver
  bind {bind}
  log global
  mode tcp
  option tcplog
  default_backend remote_apiserver

backend remote_apiserver
  mode tcp
  log global
  option httpchk GET {check}
  option log-health-checks
  default-server inter 10s fall 3 rise 3
  server controlplane {server}
"""


@dataclass(frozen=True, slots=True)
class ApiProxy:
    """Where nodes find the API server, and what forwards to it."""

    internal: str
    internal_port: int
    external: str
    external_port: int
    image: str
    health_path: str = "/version"
    #: Said where a shared ingress finds the cluster by the PROXY protocol.
    cluster_id: str | None = None
    forward_proxy: str = ""  # host:port of an HTTPS proxy on the way
    interpreter: str = BASH


def document(proxy: ApiProxy) -> str:
    """The MachineConfig text that carries scripts, unit and static pod."""
    return machine_config.machine_config(NAME, ignition=ignition(proxy))


def ignition(proxy: ApiProxy) -> Manifest:
    """The ignition config with scripts, unit and static pod."""
    values = {"interpreter": proxy.interpreter, "address": proxy.internal}
    setup, teardown = _scripts(proxy)
    files = [
        _file("/usr/local/bin/setup-apiserver-ip.sh", 0o755, setup.format(**values)),
        _file("/usr/local/bin/teardown-apiserver-ip.sh", 0o755, teardown.format(**values)),
    ]
    if not proxy.forward_proxy:
        path = "/etc/kubernetes/apiserver-proxy-config/haproxy.cfg"
        files.append(_file(path, 0o644, haproxy_config(proxy)))
    pod = goyaml.json_to_yaml(_connect_pod(proxy) if proxy.forward_proxy else _haproxy_pod(proxy))
    files.append(_file(f"/etc/kubernetes/manifests/{POD}.yaml", 0o644, pod))
    unit = {"contents": _UNIT, "enabled": True, "name": "apiserver-ip.service"}
    return {
        "ignition": {"version": VERSION},
        "storage": {"files": files},
        "systemd": {"units": [unit]},
    }


def _scripts(proxy: ApiProxy) -> tuple[str, str]:
    """OpenShift's nodes get the original's scripts whatever the family: others would roll pools."""
    if ":" in proxy.internal and proxy.interpreter != BASH:
        return _SETUP_V6, _TEARDOWN_V6
    return _SETUP, _TEARDOWN


def _file(path: str, mode: int, text: str) -> Manifest:
    encoded = base64.b64encode(text.encode()).decode()
    return {
        "contents": {"source": f"data:text/plain;charset=utf-8;base64,{encoded}"},
        "mode": mode,
        "overwrite": True,
        "path": path,
    }


def haproxy_config(proxy: ApiProxy) -> str:
    """What HAProxy on a node listens to and forwards to."""
    # IPv6 has no brackets in the original, and brackets would roll its pools.
    server = f"{proxy.external}:{proxy.external_port}"
    if proxy.cluster_id is not None:
        server += f' send-proxy-v2 set-proxy-v2-tlv-fmt(0x20) %[str("{proxy.cluster_id}")]'
    return _HAPROXY.format(
        bind=f"{proxy.internal}:{proxy.internal_port}",
        check=html.escape(proxy.health_path),
        server=server,
    )


def _haproxy_pod(proxy: ApiProxy) -> Manifest:
    container = {
        "name": "haproxy",
        "image": proxy.image,
        "command": ["haproxy", "-f", "/usr/local/etc/haproxy"],
        "livenessProbe": {
            "failureThreshold": 3,
            "httpGet": {
                "host": proxy.internal,
                "path": proxy.health_path,
                "port": proxy.internal_port,
                "scheme": "HTTPS",
            },
            "initialDelaySeconds": 120,
            "periodSeconds": 120,
            "successThreshold": 1,
        },
        "ports": [
            {
                "containerPort": proxy.internal_port,
                "hostPort": proxy.internal_port,
                "name": "apiserver",
                "protocol": "TCP",
            }
        ],
        "volumeMounts": [{"mountPath": "/usr/local/etc/haproxy", "name": "config"}],
    }
    volume = {"hostPath": {"path": "/etc/kubernetes/apiserver-proxy-config"}, "name": "config"}
    pod = _pod(container)
    pod["metadata"]["creationTimestamp"] = None
    pod["spec"]["volumes"] = [volume]
    return pod


def _connect_pod(proxy: ApiProxy) -> Manifest:
    return _pod(
        {
            "name": "kubernetes-default-proxy",
            "image": proxy.image,
            "command": [
                "control-plane-operator",
                "kubernetes-default-proxy",
                f"--listen-addr={proxy.internal}:{proxy.internal_port}",
                f"--proxy-addr={proxy.forward_proxy}",
                f"--apiserver-addr={proxy.external}:{proxy.external_port}",
            ],
        }
    )


def _pod(container: Manifest) -> Manifest:
    common = {
        "resources": {"requests": {"cpu": "13m", "memory": "16Mi"}},
        "securityContext": {"runAsUser": 1001},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"labels": {"k8s-app": POD}, "name": POD, "namespace": "kube-system"},
        "spec": {
            "containers": [container | common],
            "hostNetwork": True,
            "priorityClassName": "system-node-critical",
        },
        "status": {},
    }
