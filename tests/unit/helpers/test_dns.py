"""Questions to a DNS server over TCP, and answers that may be hostile."""

import asyncio
import struct

import pytest

from hypershift.helpers.konnectivity import dns
from hypershift.helpers.streams import Stream


def answer(question: bytes, *records: tuple[int, bytes]) -> bytes:
    number = question[:2]
    head = number + struct.pack("!5H", 0x8180, 1, len(records), 0, 0)
    body = b"".join(
        b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 30, len(data)) + data for kind, data in records
    )
    return head + question[12:] + body


def test_addresses_are_read_behind_an_alias() -> None:
    question = dns.question(7, "db.example.org", 1)
    told = answer(question, (5, b"\x01x\xc0\x0c"), (1, bytes((10, 0, 0, 9))))
    assert dns.addresses(told, 7, 1) == ["10.0.0.9"]


def test_an_unknown_name_has_no_addresses() -> None:
    assert dns.addresses(answer(dns.question(7, "a", 1)), 7, 1) == []


@pytest.mark.parametrize("name", ["a..b", "x" * 64, ""])
def test_a_name_that_dns_cannot_carry_is_refused(name: str) -> None:
    with pytest.raises((dns.BadName, UnicodeError)):
        dns.question(1, name, 1)


async def test_ipv6_is_asked_for_where_there_is_no_ipv4() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for records in ((), ((28, bytes(15) + b"\x09"),)):
            size = int.from_bytes(await reader.readexactly(2))
            told = answer(await reader.readexactly(size), *records)
            writer.write(len(told).to_bytes(2) + told)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        stream = Stream(*await asyncio.open_connection("127.0.0.1", port))
        assert await dns.lookup(stream, "six.example.org") == ["::9"]


@pytest.mark.parametrize("told", [b"", b"\x00\x05short", b"\x00\x0c" + bytes(12)])
async def test_nonsense_is_an_error_and_not_a_hang(told: bytes) -> None:
    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(told)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        stream = Stream(*await asyncio.open_connection("127.0.0.1", port))
        with pytest.raises(dns.BadName):
            await dns.lookup(stream, "a.example.org")
