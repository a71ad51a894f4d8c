"""etcd: the management cluster's storage, on the loopback address alone."""

from pathlib import Path

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units.unit import Probe, Unit, flags

NAME = "etcd"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """One member, reached with client certificates."""
    here = plan.loopback
    client, peer = f"https://{here}:2379", f"https://{here}:2380"
    trust = {
        "cert-file": where.pki / "etcd.crt",
        "key-file": where.pki / "etcd.key",
        "trusted-ca-file": where.pki / "etcd-ca.crt",
    }
    options = {
        "name": where.name,
        "data-dir": where.data(NAME),
        "listen-client-urls": client,
        "advertise-client-urls": client,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": f"{where.name}={peer}",
        "listen-metrics-urls": f"http://{here}:2381",
        "client-cert-auth": True,
        "peer-client-cert-auth": True,
        **trust,
        **{f"peer-{name}": path for name, path in trust.items()},
        # One etcd for the CRs of many hosted clusters: room to grow, and no old revisions kept.
        "quota-backend-bytes": 4 << 30,
        "auto-compaction-mode": "periodic",
        "auto-compaction-retention": "10m",
        "snapshot-count": 10000,
        "logger": "zap",
    }
    probe = Probe(str(here), 2381, "/health", tls=False)
    return Unit(NAME, (str(binary), *flags(options)), probe=probe)
