"""What the status of a Route says about who serves it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from hypershift.kit import Manifest
from hypershift.operators.controlplane.rules.admission import (
    admitted,
    left_to_others,
    not_admitted,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def ingress(router: str = "default", **condition: str) -> Manifest:
    return {"routerName": router, "host": "a.example.com", "conditions": [condition]}


def a_route(*found: Manifest, **spec: Any) -> Manifest:
    metadata = {"name": "oauth"}
    status = {"ingress": list(found)}
    return {"metadata": metadata, "spec": {"host": "a.example.com", **spec}, "status": status}


def verdict(status: str, **more: str) -> Manifest:
    return {"type": "Admitted", "status": status, **more}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "no router of the management cluster has admitted Route oauth yet"),
        ([ingress(**verdict("Unknown"))], "no router of the management cluster has admitted"),
        ([ingress(**verdict("True"))], ""),
        (
            [ingress(**verdict("False", reason="Taken", message="by x"))],
            "Route oauth is refused by router default (Taken: by x)",
        ),
        ([ingress(**verdict("False"))], "refused by router default (no reason given)"),
        # One of two routers is enough.
        ([ingress(**verdict("False")), ingress("shard", **verdict("True"))], ""),
    ],
)
def test_a_route_is_reached_once_a_router_admits_it(found: list[Manifest], said: str) -> None:
    told = not_admitted(a_route(*found))
    assert told.startswith(said) or said in told
    assert bool(told) == bool(said)


def test_what_routers_say_is_shortened_and_has_an_order() -> None:
    refusals = [ingress(name, **verdict("False", message="x" * 500)) for name in ("b", "a")]
    told = not_admitted(a_route(*refusals))
    assert len(told) == 300
    assert "router a" in told
    assert told == not_admitted(a_route(*reversed(refusals)))


def test_a_route_of_our_router_is_admitted_at_its_address() -> None:
    made = admitted(a_route(), "lb.example.com", NOW)
    assert made == {
        "ingress": [
            {
                "host": "a.example.com",
                "routerName": "router",
                "routerCanonicalHostname": "lb.example.com",
                "wildcardPolicy": "None",
                "conditions": [verdict("True", lastTransitionTime="2026-01-01T00:00:00Z")],
            }
        ]
    }
    known = a_route() | {"status": made}
    assert admitted(known, "lb.example.com", NOW) is None
    assert admitted(known, "other.example.com", NOW) is not None


def test_a_status_never_loses_its_address() -> None:
    assert admitted(a_route(), "", NOW) is None


def test_our_word_goes_with_our_label() -> None:
    ours, theirs = ingress("router", **verdict("True")), ingress(**verdict("True"))
    assert left_to_others(a_route(ours, theirs)) == {"ingress": [theirs]}
    assert left_to_others(a_route(theirs)) is None
    assert left_to_others(a_route()) is None
