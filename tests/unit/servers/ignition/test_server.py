"""The ignition server over real TLS."""

import asyncio
import base64
from datetime import timedelta
from typing import Any

import pytest
import structlog
from tests.unit.servers.ignition.world import (
    HASH,
    NOW,
    PULL_SECRET,
    TOKEN,
    Releases,
    a_token,
    a_world,
    encoded,
    headers,
    scope_of,
    serving,
    status,
)

from hypershift.ignition import fingerprint, token
from hypershift.kit import Manifest, Secret, rfc3339
from hypershift.kube import kinds
from hypershift.release import Release
from hypershift.servers.ignition import Settings, app, tokens
from hypershift.servers.ignition.source import NotYet, Source


async def test_a_machine_gets_its_configuration_and_is_noted(unused_tcp_port: int) -> None:
    kube = a_world(a_token())
    async with serving(kube, unused_tcp_port) as session:
        async with session.get("/ignition", headers=headers()) as answer:
            assert answer.status == 200
            assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
            document = await answer.json()
        assert document["ignition"]["version"] == "3.2.0"
        await asyncio.sleep(0.05)
    marked = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    assert marked["metadata"]["annotations"][token.REACHED] == "True"


async def test_a_port_that_is_taken_is_waited_for(unused_tcp_port: int) -> None:
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", unused_tcp_port)
    asyncio.get_running_loop().call_later(0.5, taken.close)
    async with serving(a_world(a_token()), unused_tcp_port) as session:
        assert await status(session, "/healthz") == 200


async def test_status_codes_tell_what_is_wrong(unused_tcp_port: int) -> None:
    async with serving(a_world(a_token()), unused_tcp_port) as session:
        assert await status(session, "/healthz") == 200
        assert await status(session, "/other", **headers()) == 404
        assert await status(session, "/ignition/x", **headers()) == 404
        assert await status(session, "/ignition") == 401
        assert await status(session, "/ignition", Authorization="Basic eA==") == 401
        assert await status(session, "/ignition", **headers(Authorization="Bearer ~~")) == 401
        assert await status(session, "/ignition", **headers("another")) == 511
        assert await status(session, "/ignition", **headers("")) == 401
        assert await status(session, "/ignition", **headers(NodePool="clusters/other")) == 511
        assert await status(session, "/ignition", **headers(TargetConfigVersionHash="00")) == 511


async def test_a_pool_whose_control_plane_is_not_there_is_asked_to_retry(
    unused_tcp_port: int,
) -> None:
    kube = a_world(a_token())
    await kube.delete(kinds.SECRET, "bootstrap-kubeconfig", "clusters-demo")
    async with serving(kube, unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 511


@pytest.mark.parametrize("expiry", ["2020-01-01T00:00:00Z", "not a time"])
async def test_an_expired_token_opens_nothing(unused_tcp_port: int, expiry: str) -> None:
    kube = a_world(a_token(**{token.EXPIRES_AT: expiry}))
    async with serving(kube, unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 511


async def test_machines_see_no_figures(unused_tcp_port: int) -> None:
    async with serving(a_world(a_token()), unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 200
        assert await status(session, "/metrics") == 404


async def test_figures_have_a_door_of_their_own(unused_tcp_port_factory: Any) -> None:
    port, figures = unused_tcp_port_factory(), unused_tcp_port_factory()
    async with serving(a_world(a_token()), port, metrics_port=figures) as session:
        assert await status(session, "/ignition", **headers()) == 200
        async with session.get(f"http://127.0.0.1:{figures}/metrics") as answer:
            text = await answer.text()
    assert 'ign_server_get_request_total{nodePool="clusters/workers"} 1.0' in text


async def test_somebody_who_looks_is_no_machine(unused_tcp_port: int) -> None:
    kube = a_world(a_token())
    async with serving(kube, unused_tcp_port) as session:
        kube_writes = len(kube.writes)
        sent = headers() | {"Hypershift-Preview": "true"}
        assert await status(session, "/ignition", **sent) == 200
        await asyncio.sleep(0.05)
    assert len(kube.writes) == kube_writes


async def test_what_machines_get_is_told_on_the_token(unused_tcp_port: int) -> None:
    kube = a_world(a_token())
    async with serving(kube, unused_tcp_port) as session:
        for shown in (TOKEN, TOKEN, "another"):
            await status(session, "/ignition", **headers(shown))
        await asyncio.sleep(0.05)
    events = await kube.list(kinds.EVENT, "clusters-demo")
    told = sorted((one["type"], one["reason"], one["count"]) for one in events)
    assert told == [("Normal", "GetPayload", 1), ("Warning", "GetPayloadFailed", 1)]
    assert TOKEN not in str(events)


async def test_a_payload_that_no_machine_could_apply_is_our_mistake(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "is_ignition", lambda _: False)
    async with serving(a_world(a_token()), unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 500


async def test_replicas_share_what_they_know_through_the_secrets(
    unused_tcp_port_factory: Any,
) -> None:
    kube = a_world(a_token(**{token.GENERATED_AT: rfc3339(NOW - timedelta(hours=6))}))
    name = token.token_name("workers", HASH)
    ports = [unused_tcp_port_factory() for _ in range(2)]
    async with serving(kube, ports[0]) as one, serving(kube, ports[1]) as other:
        secret = await kube.get(kinds.SECRET, name, "clusters-demo")
        await tokens.rotate(scope_of(kube, secret))
        turned = await kube.get(kinds.SECRET, name, "clusters-demo")
        fresh = base64.b64decode(turned["data"][token.TOKEN]).decode()
        for session in (one, other):
            for shown in (TOKEN, fresh):
                assert await status(session, "/ignition", **headers(shown)) == 200


async def test_a_surprise_is_told_without_what_it_says(unused_tcp_port: int) -> None:
    class Broken(Releases):
        async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
            raise ValueError(f"{image} {pull_secret.reveal().decode()}")

    with structlog.testing.capture_logs() as logs:
        async with serving(a_world(a_token()), unused_tcp_port, releases=Broken()) as session:
            assert await status(session, "/ignition", **headers()) == 511
    assert "ValueError" in str(logs)
    assert PULL_SECRET.decode() not in str(logs)


async def test_the_token_before_a_rotation_still_works(unused_tcp_port: int) -> None:
    secret = a_token()
    secret["data"][token.OLD_TOKEN] = secret["data"][token.TOKEN]
    secret["data"][token.TOKEN] = encoded(x="new")["x"]
    async with serving(a_world(secret), unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 200
        assert await status(session, "/ignition", **headers("new")) == 200


async def test_a_thousand_machines_at_once_get_no_error(unused_tcp_port: int) -> None:
    kube = a_world(a_token())
    async with serving(kube, unused_tcp_port) as session:
        answers = await asyncio.gather(
            *(status(session, "/ignition", **headers()) for _ in range(1000))
        )
    assert answers == [200] * 1000


async def test_the_proxy_of_machines_leaves_out_the_ranges_of_their_cluster() -> None:
    kube = a_world()
    plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    networking = {"clusterNetwork": [{"cidr": "10.132.0.0/14"}], "networkType": "Other"}
    proxy = {"httpsProxy": "http://p:3128", "noProxy": "in.side"}
    wanted = {"configuration": {"proxy": proxy}, "networking": networking}
    kube.put(plane | {"spec": plane["spec"] | wanted})
    told = (await Source(kube, Releases(), Settings()).facts(a_token())).proxy
    assert told["HTTPS_PROXY"] == "http://p:3128"
    assert {"in.side", "10.132.0.0/14", ".svc", "127.0.0.1"} <= set(told["NO_PROXY"].split(","))


async def test_kubelets_know_the_domain_of_their_cluster() -> None:
    kube = a_world()
    plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    marks = {"hypershift.openshift.io/cluster-domain": "a.b"}
    kube.put(plane | {"metadata": plane["metadata"] | {"annotations": marks}})
    facts = await Source(kube, Releases(), Settings()).facts(a_token())
    assert facts.cluster_domain == "a.b"


async def test_machines_trust_the_authorities_of_the_cluster_and_of_its_proxy() -> None:
    def bundle(name: str, text: str) -> Manifest:
        metadata = {"name": name, "namespace": "clusters-demo"}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata,
                "data": {"ca-bundle.crt": text}}  # fmt: skip

    kube = a_world(bundle("user-ca-bundle", "A\n"), bundle("proxy", "B\n"))
    plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    configuration = {"proxy": {"trustedCA": {"name": "proxy"}}}
    kube.put(plane | {"spec": plane["spec"] | {"configuration": configuration}})
    wanted = a_token()
    source = Source(kube, Releases(), Settings())
    with pytest.raises(NotYet, match="trust bundle"):
        await source.facts(wanted)
    wanted["data"][token.TRUST_BUNDLE_HASH] = encoded(x=fingerprint.of_text("A\nB\n"))["x"]
    assert (await source.facts(wanted)).trust_bundle == "A\nB\n"
