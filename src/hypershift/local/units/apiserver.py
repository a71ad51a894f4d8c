"""kube-apiserver: on the bridge's address, where the host, machines and pods reach it."""

from pathlib import Path

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import etcd
from hypershift.local.units.unit import Probe, Unit, flags

NAME = "kube-apiserver"
#: A hosted cluster comes with a burst of writes, and a third of their time was Go's collector.
ENVIRONMENT = {"GOGC": "200"}
ISSUER = "https://kubernetes.default.svc.cluster.local"

#: Metadata alone: enough to count who writes what, without the content of Secrets.
AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  verbs: [get, list, watch]
- level: None
  resources:
  - {group: coordination.k8s.io, resources: [leases]}
  - {group: "", resources: [events]}
  - {group: events.k8s.io, resources: [events]}
- level: Metadata
"""


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """The API server and its flags."""
    options = {
        **_serving(where, plan),
        **_storage(where, plan),
        **_trust(where),
        **_aggregation(where),
        "service-cluster-ip-range": plan.services,
        "allow-privileged": True,
        "enable-admission-plugins": "NodeRestriction",
        # Machines are known by address: their names are in no DNS that the host asks.
        "kubelet-preferred-address-types": "InternalIP",
        "event-ttl": "1h",
        "profiling": False,
        "audit-policy-file": where.config / "audit-policy.yaml",
        "audit-log-path": where.logs / "audit.log",
        "audit-log-maxsize": 64,
        "audit-log-maxbackup": 2,
    }
    probe = Probe(
        str(plan.gateway),
        6443,
        "/readyz",
        where.pki / "ca.crt",
        where.pki / "supervisor.crt",
        where.pki / "supervisor.key",
    )
    # With watches open a terminating API server lingers for a minute; clients reconnect anyway.
    argv = (str(binary), *flags(options))
    return Unit(NAME, argv, (etcd.NAME,), probe, ENVIRONMENT, grace=1.0)


def _serving(where: Layout, plan: Plan) -> dict[str, object]:
    return {
        "bind-address": plan.gateway,
        "secure-port": 6443,
        "advertise-address": plan.gateway,
        "tls-cert-file": where.pki / "apiserver.crt",
        "tls-private-key-file": where.pki / "apiserver.key",
        "cert-dir": where.pki,
    }


def _storage(where: Layout, plan: Plan) -> dict[str, object]:
    return {
        "etcd-servers": f"https://{plan.loopback}:2379",
        "etcd-cafile": where.pki / "etcd-ca.crt",
        "etcd-certfile": where.pki / "etcd-client.crt",
        "etcd-keyfile": where.pki / "etcd-client.key",
    }


def _trust(where: Layout) -> dict[str, object]:
    return {
        "authorization-mode": "Node,RBAC",
        "enable-bootstrap-token-auth": True,
        "client-ca-file": where.pki / "ca.crt",
        "kubelet-certificate-authority": where.pki / "ca.crt",
        "kubelet-client-certificate": where.pki / "kubelet-client.crt",
        "kubelet-client-key": where.pki / "kubelet-client.key",
        "service-account-issuer": ISSUER,
        "service-account-key-file": where.pki / "service-account.pub",
        "service-account-signing-key-file": where.pki / "service-account.key",
    }


def _aggregation(where: Layout) -> dict[str, object]:
    return {
        # No kube-proxy runs on the host: Services behind webhooks and APIs are dialled by endpoint.
        "enable-aggregator-routing": True,
        "requestheader-client-ca-file": where.pki / "front-proxy-ca.crt",
        "requestheader-allowed-names": "aggregator",
        "requestheader-extra-headers-prefix": "X-Remote-Extra-",
        "requestheader-group-headers": "X-Remote-Group",
        "requestheader-username-headers": "X-Remote-User",
        "proxy-client-cert-file": where.pki / "front-proxy-client.crt",
        "proxy-client-key-file": where.pki / "front-proxy-client.key",
    }
