"""What counts as pending, and how much of it there may be."""

from datetime import timedelta

import pytest
from tests.unit.operators.machine_approver.requests import BASE, client, serving

from hypershift.pki import kubelet_limit as limit
from hypershift.pki.kubelet_request import OPENSHIFT, Csr, concerns_us

RECENT = BASE + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("csr", "count"),
    [
        (client(created=RECENT), 1),
        (serving(created=RECENT), 1),
        (client(created=RECENT, user="other"), 0),
        (serving(created=RECENT, groups=()), 0),
        (client(created=RECENT, signer="kubernetes.io/kube-apiserver-client"), 0),
        (client(created=RECENT, approved=True), 0),
        (client(created=BASE - timedelta(hours=1)), 0),
        (client(created=BASE + timedelta(seconds=10)), 0),
    ],
)
def test_what_counts_as_pending(csr: Csr, count: int) -> None:
    assert limit.pending([csr], OPENSHIFT, BASE) == count


def test_how_many_may_be_pending() -> None:
    assert limit.most_pending(3, 2) == 103
    assert limit.most_pending(3, 4) == 104


def test_renewals_by_nodes_are_not_ours() -> None:
    csr = client(user="system:node:panda", groups=("system:nodes",))
    assert not concerns_us(csr, OPENSHIFT)
