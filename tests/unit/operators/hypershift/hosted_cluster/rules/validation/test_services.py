"""Publishing strategies that can, and cannot, work."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_cluster, a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.validation import (
    hostname_problem,
    platform_problems,
    route_problems,
)


def a_spec(platform: str, /, access: Any = "Public", **ways: Any) -> dict[str, Any]:
    services = [{"service": name, "servicePublishingStrategy": way} for name, way in ways.items()]
    section = {"type": platform, "aws": {"endpointAccess": access}}
    return {"platform": section, "services": services}


ROUTE, BALANCED = {"type": "Route"}, {"type": "LoadBalancer"}
NAMED = {"type": "Route", "route": {"hostname": "api.example.com"}}
OTHERS = {"Konnectivity": ROUTE, "OAuthServer": ROUTE, "Ignition": ROUTE}

REFUSED = 'cluster does not support Routes, but service "{}" is exposed via a Route'


def test_routes_need_a_cluster_that_knows_them() -> None:
    spec = a_spec("None", APIServer=NAMED, OVNSbDb=ROUTE)
    assert problems(spec, routes=True) == []
    assert problems(spec) == [f"{REFUSED.format('OVNSbDb')} without a hostname"]


def test_our_own_router_runs_for_clusters_whose_api_server_has_a_name() -> None:
    spec = a_spec("None", APIServer={"type": "LoadBalancer"}, Konnectivity=NAMED)
    assert problems(spec) == [f"{REFUSED.format('Konnectivity')} while APIServer is not"]


def test_a_route_reaches_a_shared_ignition_server_by_the_clusters_own_router_alone() -> None:
    spec = a_spec("None", APIServer=BALANCED, Ignition=NAMED)
    (said,) = problems(spec, routes=True)
    assert said.startswith("service Ignition is exposed via a Route while APIServer is not")
    assert problems(spec, routes=True, shared=False) == []
    behind = a_spec("None", APIServer=NAMED, Ignition=NAMED)
    assert problems(behind, routes=True) == []


def problems(spec: dict[str, Any], *, routes: bool = False, shared: bool = True) -> list[str]:
    return list(route_problems(a_decoded_spec(spec), {}, routes=routes, shared=shared))


def test_two_services_cannot_have_one_name() -> None:
    balanced = {"type": "LoadBalancer", "loadBalancer": {"hostname": "api.example.com"}}
    spec = a_spec("None", APIServer=NAMED, OAuthServer=balanced, Ignition=NAMED)
    assert list(hostname_problem(a_decoded_spec(spec))) == [
        (
            "service type OAuthServer can't be published with the same hostname api.example.com"
            " as service type APIServer"
        )
    ]


UNSUPPORTED = "with publishing strategy {} is not supported, use"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (a_spec("AWS", **OTHERS, APIServer=BALANCED), []),
        (a_spec("AWS", **OTHERS, APIServer=NAMED), []),
        (a_spec("AWS", "Private", **OTHERS, APIServer=BALANCED), []),
        ({"platform": {"type": "AWS"}}, ["aws cluster needs .spec.platform.aws to be filled"]),
        (
            a_spec("AWS"),
            [
                f"service type {name} not found"
                for name in ("Konnectivity", "OAuthServer", "Ignition", "APIServer")
            ],
        ),
        (
            a_spec("AWS", **OTHERS | {"Konnectivity": BALANCED}, APIServer=BALANCED),
            [f"service type Konnectivity {UNSUPPORTED.format('LoadBalancer')} Route"],
        ),
        (
            a_spec("AWS", **OTHERS, APIServer=ROUTE),
            [
                (
                    "if serviceType is 'APIServer' and publishing strategy is 'Route', "
                    "then hostname must be set"
                )
            ],
        ),
        (
            a_spec("AWS", **OTHERS, APIServer={"type": "NodePort"}),
            [f"service type APIServer {UNSUPPORTED.format('NodePort')} Route or LoadBalancer"],
        ),
        (
            a_spec("AWS", "Private", **OTHERS, APIServer={"type": "NodePort"}),
            [f"service type APIServer {UNSUPPORTED.format('NodePort')} Route"],
        ),
    ],
)
def test_aws_wants_its_routes(spec: dict[str, Any], said: list[str]) -> None:
    assert list(platform_problems(a_decoded_cluster(spec), None)) == said


def an_azure_spec(**section: Any) -> dict[str, Any]:
    return {"platform": {"type": "Azure", "azure": section}}


PRIVATE = 'spec.platform.azure.private.type: Invalid value: "": private.type is required when'
SWIFT = {"hypershift.openshift.io/swift-pod-network-instance": "mine"}


@pytest.mark.parametrize(
    ("spec", "annotations", "said"),
    [
        ({"platform": {"type": "None"}}, {}, ""),
        (
            {"platform": {"type": "Azure"}},
            {},
            "azurecluster needs .spec.platform.azure to be filled",
        ),
        (an_azure_spec(), {}, ""),
        (an_azure_spec(topology="Public"), {}, ""),
        (an_azure_spec(topology="Private"), {}, f'{PRIVATE} topology is "Private"'),
        (an_azure_spec(topology="Private", private={"type": "PrivateLink"}), {}, ""),
        (an_azure_spec(topology="Private"), SWIFT, ""),
        (
            {"platform": {"type": "Agent"}},
            {},
            "agentcluster needs .spec.platform.agent to be filled",
        ),
        (
            {"platform": {"type": "Agent", "agent": {"agentNamespace": "agents"}}},
            {},
            'failed to get agent namespace: namespaces "agents" not found',
        ),
    ],
)
def test_a_platform_must_say_enough(
    spec: dict[str, Any], annotations: dict[str, str], said: str
) -> None:
    assert list(platform_problems(a_decoded_cluster(spec, annotations), None)) == (
        [said] if said else []
    )
