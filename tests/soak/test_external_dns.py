"""external-dns as `install` renders it writes names of clusters into an emulated Route53."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from moto.server import ThreadedMotoServer
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.own_image import an_image

from hypershift.helpers.konnectivity.dns import BadName, lookup
from hypershift.helpers.streams import dial
from hypershift.local.units.resolver import HOSTED_DOMAIN

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1500)]

NAME, PLACE, EXTERNAL_DNS = "named", "hypershift", "external-dns"
OWNER = "the-test"
KEY = "test"


@dataclass(frozen=True)
class Zone:
    """A zone of Route53, and where Route53 is."""

    client: Any
    id: str
    endpoint: str

    def records(self, kind: str) -> dict[str, str]:
        """The first value of each name."""
        found = self.client.list_resource_record_sets(HostedZoneId=self.id)["ResourceRecordSets"]
        return {
            one["Name"].rstrip("."): one["ResourceRecords"][0]["Value"]
            for one in found
            if one["Type"] == kind
        }


@pytest.fixture(scope="module")
def zone(cluster: Cluster) -> Iterator[Zone]:
    server = ThreadedMotoServer(ip_address=str(cluster.spec.plan.gateway), port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = f"http://{host}:{port}"
        session = boto3.Session(KEY, KEY, region_name="us-east-1")
        client = session.client("route53", endpoint_url=endpoint)
        made = client.create_hosted_zone(Name=HOSTED_DOMAIN, CallerReference=NAME)
        yield Zone(client, made["HostedZone"]["Id"].rpartition("/")[2], endpoint)
    finally:
        server.stop()


@pytest.fixture(scope="module")
def program(
    cluster: Cluster, zone: Zone, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """external-dns in the cluster, as `hypershift install` renders it; Route53 is the test's."""
    image = an_image(cluster, EXTERNAL_DNS)
    keys = tmp_path_factory.mktemp("keys") / "credentials"
    keys.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {KEY}\n")
    rendered = Hosted(cluster, NAME, keys.parent).hypershift(
        *("install", "render", "--render-sensitive"),
        *("--external-dns-provider", "aws", "--external-dns-credentials", str(keys)),
        *("--external-dns-domain-filter", HOSTED_DOMAIN, "--external-dns-image", image),
        *("--external-dns-txt-owner-id", OWNER, "--external-dns-interval", "5s"),
    )
    ours = [
        pointed(zone, one)
        for one in yaml.safe_load_all(rendered.stdout)
        if EXTERNAL_DNS in one["metadata"]["name"] and one["kind"] != "PodMonitor"
    ]
    try:
        cluster.apply(*ours)
        words = ("rollout", "status", "-n", PLACE, f"deployment/{EXTERNAL_DNS}")
        cluster.kubectl(*words, "--timeout=200s")
        yield
    finally:
        for one in ours:
            name = one["metadata"]["name"]
            cluster.try_kubectl("delete", one["kind"], name, "-n", PLACE, "--ignore-not-found")


def pointed(zone: Zone, manifest: Manifest) -> Manifest:
    """Lead the program to the test's Route53."""
    if manifest["kind"] == "Deployment":
        container = manifest["spec"]["template"]["spec"]["containers"][0]
        container["env"].append({"name": "AWS_ENDPOINT_URL", "value": zone.endpoint})
    return manifest


@pytest.mark.usefixtures("program")
def test_the_zone_and_the_resolver_of_the_embedded_cluster_answer_alike(
    cluster: Cluster, zone: Zone, tmp_path: Path
) -> None:
    made = Hosted(cluster, NAME, tmp_path)
    try:
        made.create("--external-dns-domain", HOSTED_DOMAIN)
        made.await_condition("ExternalDNSReachable")
        router = cluster.get("service", "router", "-n", made.plane)
        address = router["status"]["loadBalancer"]["ingress"][0]["ip"]
        names = router["metadata"]["annotations"]["external-dns.alpha.kubernetes.io/hostname"]
        wanted = dict.fromkeys(names.split(","), address)
        assert any(name.startswith(f"api-{NAME}") for name in wanted)
        until(lambda: zone.records("A") == wanted, PATIENCE)
        assert {name: resolved(cluster, name) for name in wanted} == wanted
        assert all(OWNER in text for text in zone.records("TXT").values())
    finally:
        made.destroy()
    until(lambda: zone.records("A") == {}, PATIENCE)
    until(lambda: not any(resolved(cluster, name) for name in wanted), PATIENCE)


def resolved(cluster: Cluster, name: str) -> str:
    """What the embedded cluster's resolver says; empty if it does not know the name."""

    async def ask() -> list[str]:
        return await lookup(await dial(str(cluster.spec.plan.gateway), 53), name)

    try:
        return next(iter(asyncio.run(ask())), "")
    except BadName:
        return ""
