import asyncio
from typing import Any

import pytest
from tests.lib.command_line import install_options
from tests.lib.memory import MemoryClient

from hypershift.cli.install.external_dns import through_proxy
from hypershift.cli.install.resources import resources
from hypershift.kit import Manifest

FLAGS = (
    "--external-dns-provider=aws",
    "--external-dns-secret=s",
    "--external-dns-domain-filter=d",
    "--external-dns-txt-owner-id=o",
)


def proxy(**status: str) -> Manifest:
    return {"kind": "Proxy", "metadata": {"name": "cluster"}, "status": status}


def environments(objects: list[Manifest]) -> dict[str, dict[str, Any]]:
    return {
        each["metadata"]["name"]: {
            one["name"]: one.get("value")
            for one in each["spec"]["template"]["spec"]["containers"][0]["env"]
        }
        for each in objects
        if each["kind"] == "Deployment"
    }


def test_external_dns_reaches_its_cloud_through_the_clusters_proxy() -> None:
    made = resources(install_options(*FLAGS))
    client = MemoryClient(proxy(httpsProxy="http://proxy:3128", noProxy=".svc", httpProxy=""))
    before, after = environments(made), environments(asyncio.run(through_proxy(client, made)))
    assert after["operator"] == before["operator"]
    added = {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": ".svc"}
    assert after["external-dns"] == before["external-dns"] | added


@pytest.mark.parametrize("found", [(), (proxy(),)])
def test_without_a_proxy_nothing_changes(found: tuple[Manifest, ...]) -> None:
    made = resources(install_options(*FLAGS))
    assert asyncio.run(through_proxy(MemoryClient(*found), made)) == made
