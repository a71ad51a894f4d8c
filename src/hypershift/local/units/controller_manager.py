"""kube-controller-manager: Kubernetes' own controllers, tuned to notice dead nodes quickly."""

from pathlib import Path

from hypershift.local.cluster.plan import POD_MASK, Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import apiserver
from hypershift.local.units.unit import Probe, Unit, flags

NAME = "kube-controller-manager"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """One instance, hence no election; it signs node certificates with the cluster's authority."""
    kubeconfig = where.kubeconfigs / "controller-manager.kubeconfig"
    ca = where.pki / "ca.crt"
    options = {
        "bind-address": plan.loopback,
        "kubeconfig": kubeconfig,
        "authentication-kubeconfig": kubeconfig,
        "authorization-kubeconfig": kubeconfig,
        "cert-dir": where.config / NAME,
        "leader-elect": False,
        "controllers": "*,bootstrapsigner,tokencleaner",
        "use-service-account-credentials": True,
        "service-account-private-key-file": where.pki / "service-account.key",
        "root-ca-file": ca,
        "client-ca-file": ca,
        "requestheader-client-ca-file": where.pki / "front-proxy-ca.crt",
        "cluster-signing-cert-file": ca,
        "cluster-signing-key-file": where.pki / "ca.key",
        "cluster-name": where.name,
        "allocate-node-cidrs": True,
        "cluster-cidr": plan.pods,
        "service-cluster-ip-range": plan.services,
        "node-cidr-mask-size": POD_MASK,
        # A kubelet renews its lease every 2.5 s: three missed in a row are a dead node.
        "node-monitor-period": "1s",
        "node-monitor-grace-period": "10s",
        # Forty controllers ask for their accounts at the start; the default rate makes that 8 s.
        "kube-api-qps": 300,
        "kube-api-burst": 600,
        "profiling": False,
    }
    probe = Probe(str(plan.loopback), 10257, "/healthz")
    return Unit(NAME, (str(binary), *flags(options)), (apiserver.NAME,), probe, grace=1.0)
