"""What the flags of a platform make of its cluster."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute

FOUR = ["10.132.0.0/14"]


@pytest.fixture
def render(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    secret = tmp_path / "pull-secret.json"
    secret.write_text("{}")

    def run(platform: str, *words: str) -> dict[str, Any]:
        line = ["create", "cluster", platform, "--name=demo", "--render", *words]
        assert execute(HYPERSHIFT, [*line, f"--pull-secret={secret}"]) == 0
        found = yaml.safe_load_all(capsys.readouterr().out)
        spec: dict[str, Any] = next(x["spec"] for x in found if x["kind"] == "HostedCluster")
        return spec

    return run


def published(spec: dict[str, Any]) -> dict[str, str]:
    return {each["service"]: each["servicePublishingStrategy"]["type"] for each in spec["services"]}


def test_an_address_wins_over_a_load_balancer(render: Any) -> None:
    words = ("--expose-through-load-balancer", "--external-api-server-address=10.0.0.1")
    assert set(published(render("none", *words)).values()) == {"NodePort"}


def test_without_a_platform_the_api_has_a_load_balancer_whatever_the_dns(render: Any) -> None:
    words = ("--expose-through-load-balancer", "--external-dns-domain=dns.example.com")
    assert published(render("none", *words))["APIServer"] == "LoadBalancer"


def test_agents_and_local_machines_know_two_kinds_of_addresses(render: Any) -> None:
    def ranges(platform: str, *words: str) -> list[str]:
        networks = render(platform, "--default-dual", *words)["networking"]["clusterNetwork"]
        return [each["cidr"] for each in networks]

    assert ranges("none", "--expose-through-load-balancer") == FOUR
    agent = ("--agent-namespace=a", "--api-server-address=a")
    assert ranges("agent", *agent) == [*FOUR, "fd01::/48"]
    assert ranges("local", "--release-image=r") == [*FOUR, "fd01::/48"]


def test_words_of_a_toleration_may_have_blanks_and_be_empty(render: Any) -> None:
    spec = render("none", "--external-api-server-address=a", "--toleration=key= k ,operator=")
    assert [{k: v for k, v in each.items() if v} for each in spec["tolerations"]] == [{"key": "k"}]


def test_sources_of_images_keep_the_fields_that_they_have(render: Any, tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text("- {source: quay.io/a, mirrors: [m.example.com/a], insecure: true}\n")
    words = ("--external-api-server-address=a", f"--image-content-sources={path}")
    assert render("none", *words)["imageContentSources"] == [
        {"source": "quay.io/a", "mirrors": ["m.example.com/a"]}
    ]


def test_an_empty_file_is_no_ssh_key(render: Any, tmp_path: Path) -> None:
    path = tmp_path / "key.pub"
    path.write_text("")
    address = "--external-api-server-address=a"
    assert render("none", address, f"--ssh-key={path}")["sshKey"] == {}
    path.write_text("ssh-rsa A")
    assert render("none", address, f"--ssh-key={path}")["sshKey"] == {"name": "demo-ssh-key"}


def test_a_bundle_of_other_bytes_is_no_crash(render: Any, tmp_path: Path) -> None:
    path = tmp_path / "bundle.pem"
    path.write_bytes(b"\xff")
    words = ("--external-api-server-address=a", f"--additional-trust-bundle={path}")
    assert render("none", *words)["additionalTrustBundle"] == {"name": "user-ca-bundle"}


def test_an_architecture_is_taken_in_any_case(render: Any) -> None:
    assert render("none", "--external-api-server-address=a", "--arch=ARM64")
