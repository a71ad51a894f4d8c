"""The question that a hosted API server is asked from outside."""

import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web

from hypershift.api import read
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.operators.controlplane.endpoint import (
    SERVER_NAME,
    check_endpoint,
    failing_checks,
    health_address,
)
from hypershift.pki import Authority, Leaf, new_authority

NOW = datetime.now(UTC)
OURS, THEIRS = new_authority("root-ca", NOW), new_authority("root-ca", NOW)
PEM = OURS.pem.decode()


def serving_context(directory: Path, authority: Authority, name: str) -> ssl.SSLContext:
    pair = authority.issue(Leaf("api", dns_names=frozenset({name})), NOW)
    certificate, key = directory / "tls.crt", directory / "tls.key"
    certificate.write_bytes(pair.certificate)
    key.write_bytes(pair.key.reveal())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


async def ask(
    directory: Path, status: int = 200, authority: Authority = OURS, name: str = SERVER_NAME
) -> str:
    async def healthz(_: web.Request) -> web.Response:
        return web.Response(status=status)

    app = web.Application()
    app.router.add_get("/healthz", healthz)
    runner = web.AppRunner(app)
    await runner.setup()
    context = serving_context(directory, authority, name)
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    try:
        port = runner.addresses[0][1]
        return await check_endpoint("127.0.0.1", port, PEM)
    finally:
        await runner.cleanup()


async def test_a_healthy_server_of_the_cluster_is_available(tmp_path: Path) -> None:
    assert await ask(tmp_path) == ""


@pytest.mark.parametrize(
    ("authority", "name"), [(THEIRS, SERVER_NAME), (OURS, "etcd-client")], ids=["foreign", "name"]
)
async def test_whoever_else_answers_there_is_not_the_cluster(
    tmp_path: Path, authority: Authority, name: str
) -> None:
    said = await ask(tmp_path, authority=authority, name=name)
    start = "health check to APIServer endpoint 127.0.0.1 failed: "
    assert said == f"{start}certificate is not one of this cluster"


@pytest.mark.parametrize("authority", ["", "no certificate"])
async def test_without_an_authority_nobody_is_believed(authority: str) -> None:
    said = await check_endpoint("127.0.0.1", 1, authority)
    assert said.endswith("root-ca has no certificate")


async def test_an_unhealthy_server_is_told_apart(tmp_path: Path) -> None:
    said = await ask(tmp_path, 500)
    assert said == "APIServer endpoint 127.0.0.1 is not healthy (status 500)"


def test_the_checks_that_failed_are_named() -> None:
    body = "[+]ping ok\n[-]etcd failed: reason withheld\n[-]informer-sync failed: reason withheld\n"
    assert failing_checks(body) == ["etcd", "informer-sync"]


async def test_nobody_there_is_a_sentence(unused_tcp_port: int) -> None:
    said = await check_endpoint("127.0.0.1", unused_tcp_port, PEM)
    assert said.startswith("health check to APIServer endpoint 127.0.0.1 failed: ")
    assert said == await check_endpoint("127.0.0.1", unused_tcp_port, PEM)


def published(way: Mapping[str, object], **platform: object) -> HostedControlPlaneSpec:
    services = [{"service": "APIServer", "servicePublishingStrategy": way}]
    return read(HostedControlPlaneSpec, {"platform": platform, "services": services})


def balanced(**platform: object) -> HostedControlPlaneSpec:
    way = {"type": "LoadBalancer", "loadBalancer": {"hostname": "api.example.com"}}
    return published(way, **platform)


SERVICES = {"kube-apiserver": {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}}}


def test_the_load_balancer_itself_is_asked_and_not_the_name_before_it() -> None:
    found = health_address(balanced(type="None"), "clusters-demo", SERVICES, {})
    assert found == ("192.0.2.7", 6443)


def test_a_private_api_server_is_asked_inside() -> None:
    spec = balanced(type="AWS", aws={"endpointAccess": "Private"})
    found = health_address(spec, "clusters-demo", {}, {})
    assert found == ("kube-apiserver.clusters-demo.svc", 6443)


def test_ports_of_nodes_are_not_asked() -> None:
    way = {"type": "NodePort", "nodePort": {"address": "192.0.2.1"}}
    assert health_address(published(way, type="None"), "clusters-demo", {}, {}) == ("", 0)
