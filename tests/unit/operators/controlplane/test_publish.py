"""The domain of a guest's applications, as its certificate names it."""

from typing import Any

import pytest

from hypershift.operators.controlplane.publish import ingress_domain


@pytest.mark.parametrize(
    ("spec", "domain"),
    [
        ({"dns": {"baseDomain": "example.org"}}, "apps.demo.example.org"),
        ({"dns": {"baseDomain": "example.org", "baseDomainPrefix": "x"}}, "apps.x.example.org"),
        ({"dns": {"baseDomain": "example.org", "baseDomainPrefix": ""}}, "apps.example.org"),
        ({"configuration": {"ingress": {"domain": "mine.org"}}}, "mine.org"),
        (
            {"configuration": {"ingress": {"domain": "mine.org", "appsDomain": "apps.org"}}},
            "apps.org",
        ),
    ],
)
def test_applications_are_reached_under(spec: dict[str, Any], domain: str) -> None:
    assert ingress_domain(spec, "demo") == domain
