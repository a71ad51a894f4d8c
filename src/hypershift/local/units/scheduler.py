"""kube-scheduler: assigns the management cluster's pods to its machines."""

from pathlib import Path

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import apiserver
from hypershift.local.units.unit import Probe, Unit, flags

NAME = "kube-scheduler"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """One instance, hence no election."""
    kubeconfig = where.kubeconfigs / "scheduler.kubeconfig"
    options = {
        "bind-address": plan.loopback,
        "kubeconfig": kubeconfig,
        "authentication-kubeconfig": kubeconfig,
        "authorization-kubeconfig": kubeconfig,
        "cert-dir": where.config / NAME,
        "leader-elect": False,
        "kube-api-qps": 300,
        "kube-api-burst": 600,
        "profiling": False,
    }
    probe = Probe(str(plan.loopback), 10259, "/healthz")
    return Unit(NAME, (str(binary), *flags(options)), (apiserver.NAME,), probe, grace=1.0)
