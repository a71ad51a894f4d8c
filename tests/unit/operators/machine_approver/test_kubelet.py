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


def a_machine(*addresses: tuple[str, str]) -> Manifest:
    return {"status": {"addresses": [{"type": kind, "address": text} for kind, text in addresses]}}


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
    shown = await kubelet.certificate("127.0.0.1", BUNDLE, port)
    assert "system:node:test" in shown.subject.rfc4514_string()


async def test_a_foreign_certificate_counts_for_nothing(port: int) -> None:
    other = new_authority("other", NOW).pem.decode()
    with pytest.raises(NotShown, match="tls: failed to verify certificate"):
        await kubelet.certificate("127.0.0.1", other, port)


@pytest.mark.parametrize(
    ("bundle", "why"),
    [("", "no CA found: will not retrieve serving cert"), (BUNDLE, "dial tcp 127.0.0.1:1")],
)
async def test_why_nothing_is_shown(bundle: str, why: str) -> None:
    with pytest.raises(NotShown, match=why):
        await kubelet.certificate("127.0.0.1", bundle, 1)


def test_the_address_is_the_machines() -> None:
    machine = a_machine(("Hostname", "test"), ("InternalIP", "10.0.0.7"))
    assert kubelet.address_of("test", machine) == "10.0.0.7"


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        (None, "node test has no machine"),
        (a_machine(), "has no internal addresses"),
        (a_machine(("Hostname", "test"), ("ExternalIP", "192.0.2.1")), "no internal addresses"),
        *(
            (a_machine(("InternalIP", text)), "has no internal addresses")
            for text in ("127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "etcd-client")
        ),
    ],
)
def test_no_other_address_is_dialled(machine: Manifest | None, why: str) -> None:
    with pytest.raises(NotShown, match=why):
        kubelet.address_of("test", machine)


def test_a_bundle_that_cannot_be_read_names_nobody() -> None:
    assert kubelet.authorities("nonsense") == ()
    assert len(kubelet.authorities(BUNDLE)) == 1
