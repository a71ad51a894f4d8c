"""The ignition server over real TLS, and the life of its tokens."""

import asyncio
import base64
import contextlib
import json
import random
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest
import structlog
from cryptography import x509

from hypershift.ignition import api_proxy, fingerprint, token
from hypershift.kit import Clock, Key, Manifest, Secret, SystemClock, rfc3339
from hypershift.kube import kinds
from hypershift.release import Product, Release
from hypershift.runtime import Context, Wait
from hypershift.servers.ignition import Settings, app, publish, serve, tokens
from hypershift.servers.ignition.identity import identity
from hypershift.servers.ignition.source import Source
from hypershift.testing.memory import MemoryClient

TOKEN = "0c7a1c1e-6a26-4c3b-9d1c-000000000001"
HASH = "a8c4f535"
PULL_SECRET = b'{"auths":{}}'
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Releases:
    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        assert pull_secret.reveal() == PULL_SECRET
        return Release("1.35.8", Product.KUBERNETES, {"pause": "registry.example/pause:1"}, image)


class FixedClock(SystemClock):
    def now(self) -> datetime:
        return NOW


def encoded(**data: str | bytes) -> dict[str, str]:
    return {
        name.replace("__", "."): base64.b64encode(
            value if isinstance(value, bytes) else value.encode()
        ).decode()
        for name, value in data.items()
    }


def config() -> str:
    return api_proxy.document(
        api_proxy.ApiProxy("172.20.0.1", 6443, "10.80.32.1", 6443, "registry.example/haproxy:1")
    )


def a_token(**annotations: str) -> Manifest:
    data = encoded(
        token=TOKEN,
        config=token.packed(config().encode()),
        release="registry.example/release:1.35.8",
    )
    data[token.PULL_SECRET_HASH] = encoded(x=fingerprint.of_bytes(PULL_SECRET))["x"]
    data[token.TRUST_BUNDLE_HASH] = encoded(x=fingerprint.of_text(""))["x"]
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": token.token_name("workers", HASH),
            "namespace": "clusters-demo",
            "annotations": {
                token.IGNITION_CONFIG: "true",
                token.NODE_POOL: "clusters/workers",
                token.GENERATED_AT: rfc3339(NOW),
                token.UPGRADE_TYPE: "Replace",
            }
            | annotations,
        },
        "data": data,
    }


def a_world(*more: Manifest) -> MemoryClient:
    kubeconfig = "kind: Config\nclusters: []\n"
    return MemoryClient(
        {
            "apiVersion": "hypershift.openshift.io/v1beta1",
            "kind": "NodePool",
            "metadata": {"name": "workers", "namespace": "clusters"},
            "spec": {"clusterName": "demo"},
        },
        {
            "apiVersion": "hypershift.openshift.io/v1beta1",
            "kind": "HostedControlPlane",
            "metadata": {"name": "demo", "namespace": "clusters-demo"},
            "spec": {"networking": {"serviceNetwork": [{"cidr": "172.31.0.0/16"}]}},
        },
        _secret("pull-secret", __dockerconfigjson=PULL_SECRET),
        _secret("bootstrap-kubeconfig", kubeconfig=kubeconfig),
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "kubelet-client-ca", "namespace": "clusters-demo"},
            "data": {"ca.crt": "CA"},
        },
        *more,
    )


def _secret(name: str, **data: str | bytes) -> Manifest:
    metadata = {"name": name, "namespace": "clusters-demo"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded(**data)}


def headers(shown: str = TOKEN, **changed: str) -> dict[str, str]:
    bearer = base64.b64encode(shown.encode()).decode()
    return {
        "Authorization": f"Bearer {bearer}",
        "NodePool": "clusters/workers",
        "TargetConfigVersionHash": HASH,
    } | changed


@contextlib.asynccontextmanager
async def serving(
    kube: MemoryClient, port: int, *, metrics_port: int = 0, releases: Releases | None = None
) -> AsyncIterator[aiohttp.ClientSession]:
    settings = Settings(
        address="127.0.0.1", port=port, metrics_port=metrics_port, memory=timedelta(0)
    )
    started = asyncio.Event()
    task = asyncio.create_task(serve(kube, releases or Releases(), settings, started=started))
    try:
        await asyncio.wait_for(started.wait(), 10)
        known = await identity(kube, settings, SystemClock())
        context = ssl.create_default_context(cadata=known.authority.decode())
        connector = aiohttp.TCPConnector(ssl=context)
        base = f"https://127.0.0.1:{port}"
        async with aiohttp.ClientSession(base, connector=connector) as session:
            yield session
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def status(session: aiohttp.ClientSession, path: str, **sent: str) -> int:
    async with session.get(path, headers=sent) as answer:
        return answer.status


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


def scope_of(kube: MemoryClient, secret: Manifest, clock: Clock | None = None) -> tokens.TokenScope:
    settings = Settings()
    nothing: Any = None
    context = Context(
        kube=kube,
        live=kube,
        clock=clock or FixedClock(),
        events=nothing,
        log=structlog.get_logger(),
        remotes=nothing,
        rng=random.Random(1),  # noqa: S311 - no secret comes of it
    )
    return tokens.TokenScope(secret, context, settings, Source(kube, Releases(), settings))


async def test_a_good_configuration_is_reported_once() -> None:
    kube = a_world(a_token())
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    await tokens.check_payload(scope)
    await tokens.check_payload(scope)
    assert [verb for verb, kind, _ in kube.writes if kind == "Secret"] == ["patch"]
    assert base64.b64decode(scope.object["data"][token.REASON]) == b"AsExpected"
    assert token.PAYLOAD not in scope.object["data"]


async def test_a_bad_configuration_is_reported_with_its_reason() -> None:
    secret = a_token()
    bad = json.dumps(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "MachineConfig",
            "metadata": {"name": "x"},
            "spec": {"fips": True},
        }
    )
    secret["data"]["config"] = base64.b64encode(token.packed(bad.encode())).decode()
    kube = a_world(secret)
    scope = scope_of(
        kube, await kube.get(kinds.SECRET, secret["metadata"]["name"], "clusters-demo")
    )
    await tokens.check_payload(scope)
    assert base64.b64decode(scope.object["data"][token.REASON]) == b"InvalidConfig"
    assert b"fips cannot be honoured" in base64.b64decode(scope.object["data"][token.MESSAGE])


async def test_a_payload_is_stored_for_machines_that_upgrade_in_place() -> None:
    kube = a_world(a_token(**{token.UPGRADE_TYPE: "InPlace"}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    await tokens.check_payload(scope)
    stored = base64.b64decode(scope.object["data"][token.PAYLOAD])
    assert b'"version":"3.2.0"' in token.unpacked(stored)


async def test_a_token_turns_at_half_life_and_the_old_one_stays() -> None:
    old = rfc3339(NOW - timedelta(hours=5, minutes=31))
    kube = a_world(a_token(**{token.GENERATED_AT: old}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    assert await tokens.rotate(scope) == Wait("TokenYoung", after=timedelta(hours=5, minutes=30))
    assert base64.b64decode(scope.object["data"][token.OLD_TOKEN]).decode() == TOKEN
    assert base64.b64decode(scope.object["data"][token.TOKEN]).decode() != TOKEN
    assert await tokens.rotate(scope) == Wait("TokenYoung", after=timedelta(hours=5, minutes=30))


@pytest.mark.parametrize("expiry", [rfc3339(NOW - timedelta(seconds=1)), "not a time"])
async def test_an_expired_token_is_deleted(expiry: str) -> None:
    kube = a_world(a_token(**{token.EXPIRES_AT: expiry}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    await tokens.delete_expired(scope_of(kube, secret))
    assert kube.writes == [("delete", "Secret", Key("clusters-demo", secret["metadata"]["name"]))]


async def test_each_control_plane_gets_the_certificate_and_never_the_key() -> None:
    kube = a_world()
    control_plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    scope = publish.PublishScope(control_plane, scope_of(kube, control_plane).context, Settings())
    await publish.publish_authority(scope)
    await publish.publish_authority(scope)
    copied = await kube.get(kinds.SECRET, "ignition-server-ca-cert", "clusters-demo")
    assert set(copied["data"]) == {"tls.crt"}
    assert [verb for verb, _, key in kube.writes if key.namespace == "clusters-demo"] == ["apply"]


@pytest.mark.parametrize("mode", ["shared", "dedicated"])
@pytest.mark.parametrize(
    ("way", "address"),
    [
        ({"type": "NodePort", "nodePort": {"address": "192.0.2.7"}}, "192.0.2.7"),
        ({"type": "LoadBalancer", "loadBalancer": {"hostname": "ign.example"}}, "ign.example"),
    ],
)
async def test_the_certificate_is_good_for_the_address_that_a_user_chose(
    mode: str, way: dict[str, Any], address: str
) -> None:
    kube = a_world()
    control_plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", "clusters-demo")
    services = [{"service": "Ignition", "servicePublishingStrategy": way}]
    control_plane["spec"] = control_plane.get("spec", {}) | {"services": services}
    kube.put(control_plane)
    settings = Settings(control_plane="clusters-demo" if mode == "dedicated" else "")
    if settings.shared:
        context = scope_of(kube, control_plane).context
        await publish.publish_authority(publish.PublishScope(control_plane, context, settings))
    made = await identity(kube, settings, SystemClock())
    names = x509.load_pem_x509_certificate(made.serving.certificate).extensions
    wanted = names.get_extension_for_class(x509.SubjectAlternativeName).value
    assert address in {str(one.value) for one in wanted}
