"""What a kubelet presents, over a real TLS connection."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hypershift.kit import Manifest
from hypershift.operators.machine_approver import kubelet
from hypershift.operators.machine_approver.kubelet import NotShown
from hypershift.pki import Leaf, new_authority

NOW = datetime.now(UTC)
SIGNER = new_authority("signer", NOW)
BUNDLE = SIGNER.pem.decode()


def a_node(*addresses: tuple[str, str], port: int = 1) -> Manifest:
    return {
        "status": {
            "addresses": [{"type": kind, "address": text} for kind, text in addresses],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        }
    }


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    leaf = Leaf(
        common_name="system:node:test",
        organizations=("system:nodes",),
        dns_names=frozenset(),
        ip_addresses=frozenset({"127.0.0.1"}),
    )
    pair = SIGNER.issue(leaf, NOW)
    (tmp_path / "crt").write_bytes(pair.certificate)
    (tmp_path / "key").write_bytes(pair.key.reveal())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "crt", tmp_path / "key")

    async def hang_up(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0, ssl=context)
    yield server.sockets[0].getsockname()[1]
    server.close()


async def test_a_kubelet_shows_its_certificate(port: int) -> None:
    node = a_node(("Hostname", "test"), ("InternalIP", "127.0.0.1"), port=port)
    shown = await kubelet.certificate("test", node, BUNDLE)
    assert "system:node:test" in shown.subject.rfc4514_string()


async def test_a_foreign_certificate_counts_for_nothing(port: int) -> None:
    other = new_authority("other", NOW).pem.decode()
    with pytest.raises(NotShown, match="tls: failed to verify certificate"):
        await kubelet.certificate("test", a_node(("InternalIP", "127.0.0.1"), port=port), other)


@pytest.mark.parametrize(
    ("node", "bundle", "why"),
    [
        (a_node(("InternalIP", "127.0.0.1")), "", "no CA found: will not retrieve serving cert"),
        (None, BUNDLE, 'nodes "test" not found'),
        (a_node(), BUNDLE, "node test has no internal addresses"),
        (
            a_node(("Hostname", "test"), ("ExternalIP", "127.0.0.1")),
            BUNDLE,
            "node test has no internal addresses",
        ),
        (a_node(("InternalIP", "127.0.0.1")), BUNDLE, "dial tcp 127.0.0.1:1"),
    ],
)
async def test_why_nothing_is_shown(node: Manifest | None, bundle: str, why: str) -> None:
    with pytest.raises(NotShown, match=why):
        await kubelet.certificate("test", node, bundle)


def test_a_bundle_that_cannot_be_read_names_nobody() -> None:
    assert kubelet.authorities("nonsense") == ()
    assert len(kubelet.authorities(BUNDLE)) == 1
