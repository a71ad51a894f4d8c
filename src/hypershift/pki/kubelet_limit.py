"""The most requests that may be pending before approval stops: a flood is not answered."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hypershift.pki.kubelet_request import Bootstrapper, Csr, concerns_us

MARGIN = 100
RECENT = timedelta(hours=1)
AHEAD = timedelta(seconds=10)


def most_pending(machines: int, nodes: int) -> int:
    """How many requests may be pending."""
    return max(machines, nodes) + MARGIN


def pending(requests: Iterable[Csr], bootstrapper: Bootstrapper, now: datetime) -> int:
    """How many recent requests of kubelets wait for approval."""
    return sum(
        not csr.approved
        and concerns_us(csr, bootstrapper)
        and now - RECENT < csr.created < now + AHEAD
        for csr in requests
    )
