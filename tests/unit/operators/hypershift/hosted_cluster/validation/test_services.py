"""Publishing strategies that can, and cannot, work."""

from typing import Any

from hypershift.kit import Key
from hypershift.operators.hypershift.hosted_cluster.validation import (
    identity_problems,
    service_problems,
)


def a_spec(platform: str, **ways: dict[str, Any]) -> dict[str, Any]:
    services = [{"service": name, "servicePublishingStrategy": way} for name, way in ways.items()]
    return {"platform": {"type": platform}, "services": services}


ROUTE = {"type": "Route", "route": {"hostname": "api.example.com"}}


def test_routes_need_a_cluster_that_knows_them() -> None:
    spec = a_spec("None", APIServer=ROUTE)
    assert list(service_problems(spec, routes=True)) == []
    (problem,) = service_problems(spec, routes=False)
    assert problem == (
        "cluster does not support Routes, but service APIServer is exposed via a Route"
    )


def test_two_services_cannot_have_one_name() -> None:
    spec = a_spec("None", APIServer=ROUTE, OAuthServer=ROUTE)
    (problem,) = service_problems(spec, routes=True)
    assert "api.example.com is used by 2 services" in problem


def test_aws_wants_its_routes() -> None:
    way = {"type": "LoadBalancer"}
    spec = a_spec("AWS", APIServer=way, Konnectivity=way)
    (problem,) = service_problems(spec, routes=True)
    assert problem == "Konnectivity must be published by Route on AWS, not by LoadBalancer"


ME = Key("clusters", "demo")


def test_a_namespace_of_another_cluster_is_not_taken() -> None:
    (problem,) = identity_problems({}, "a-b-c", Key("a-b", "c"), ME)
    assert "belongs to hosted cluster a-b/c" in problem
    assert list(identity_problems({}, "a-b-c", ME, ME)) == []


def test_a_namespace_that_would_be_too_long_is_said_before_it_is_tried() -> None:
    (problem,) = identity_problems({}, "x" * 64, None, ME)
    assert "64 characters" in problem


def test_ids_must_be_ids() -> None:
    (problem,) = identity_problems({"clusterID": "seven"}, "x", None, ME)
    assert "not a UUID" in problem
