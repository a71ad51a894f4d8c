"""The domain inside a hosted cluster: what may be asked for, and when."""

import pytest

from hypershift.api.annotations import CLUSTER_DOMAIN
from hypershift.api.cluster_domain import cluster_domain, domain_problem


def asked(domain: str) -> dict[str, str]:
    return {CLUSTER_DOMAIN: domain}


def test_without_a_wish_it_is_the_usual_one() -> None:
    assert cluster_domain({}) == cluster_domain(None) == "cluster.local"
    assert domain_problem({}, None) == ""


@pytest.mark.parametrize("domain", ["k8s.example.com", "demo", "a-b.c", "cluster.local"])
def test_a_domain_is_what_was_asked_for(domain: str) -> None:
    assert cluster_domain(asked(domain)) == domain
    assert domain_problem(asked(domain), None) == ""
    assert domain_problem(asked(domain), asked(domain)) == ""


@pytest.mark.parametrize(
    "domain",
    ["Upper.example", "a..b", ".a", "a.", "-a.b", "a b", "a{\n}", "x" * 64, "a." * 64 + "b"],
)
def test_what_is_no_domain_is_refused(domain: str) -> None:
    assert "is no DNS domain" in domain_problem(asked(domain), None)


@pytest.mark.parametrize(
    ("wanted", "live"), [({}, asked("a.b")), (asked("a.b"), {}), (asked("a.b"), asked("b.c"))]
)
def test_a_cluster_keeps_its_domain(wanted: dict[str, str], live: dict[str, str]) -> None:
    problem = domain_problem(wanted, live)
    assert "cannot change" in problem
    assert cluster_domain(live) in problem
