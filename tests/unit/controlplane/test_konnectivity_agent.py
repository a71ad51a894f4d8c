"""konnectivity-agent beside the API server."""

from tests.unit.component.clusters import a_view, container

from hypershift.component import Infra, render, runs
from hypershift.controlplane import konnectivity_agent


def test_a_cluster_without_aggregated_apis_beside_it_needs_no_agent() -> None:
    assert not runs(konnectivity_agent.KUBERNETES, a_view())


def test_the_agent_names_what_it_leads_to() -> None:
    infra = Infra(openshift_apiserver_address="172.30.0.5", packageserver_address="172.30.0.6")
    view = a_view(infra=infra, configuration={"authentication": {"type": "OIDC"}})
    assert runs(konnectivity_agent.KUBERNETES, view)
    args = container(render(konnectivity_agent.KUBERNETES, view)[-1], "konnectivity-agent")["args"]
    assert args[-1] == "ipv4=172.30.0.5&ipv4=172.30.0.6"


def test_an_annotation_names_another_image() -> None:
    view = a_view(annotations={"konnectivity-agent-image": "registry.example/mine:1"})
    found = container(render(konnectivity_agent.KUBERNETES, view)[-1], "konnectivity-agent")
    assert found["image"] == "registry.example/mine:1"
