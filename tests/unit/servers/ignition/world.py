"""A pool with its token, as the ignition server meets them, and the server itself."""

import asyncio
import base64
import contextlib
import random
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import structlog
from tests.lib.memory import MemoryClient

from hypershift.ignition import api_proxy, fingerprint, token
from hypershift.kit import Clock, Manifest, Secret, SystemClock, rfc3339
from hypershift.release import Product, Release
from hypershift.runtime import Context
from hypershift.servers.ignition import Settings, serve, tokens
from hypershift.servers.ignition.identity import identity
from hypershift.servers.ignition.source import Source

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
