"""One question to a DNS server over TCP (RFC 1035), because konnectivity carries TCP alone."""

import asyncio
import ipaddress
import os
import struct

from hypershift.helpers.streams import Stream

PORT = 53
PATIENCE = 10.0
_A, _AAAA, _INTERNET = 1, 28, 1
_RECURSE = 0x0100
_HEADER = struct.Struct("!6H")
_RECORD = struct.Struct("!HHIH")
_POINTER = 0xC0
_LONGEST_LABEL = 63


class BadName(OSError):
    """A name that DNS cannot carry, or an answer that makes no sense."""


async def lookup(stream: Stream, name: str) -> list[str]:
    """The addresses of a name, IPv4 before IPv6; closes the stream."""
    try:
        async with asyncio.timeout(PATIENCE):
            found = await _ask(stream, name, _A)
            return found or await _ask(stream, name, _AAAA)
    except (OSError, EOFError, struct.error, IndexError, ValueError) as error:
        raise BadName(f"no usable answer for {name}") from error
    finally:
        await stream.close()


async def _ask(stream: Stream, name: str, kind: int) -> list[str]:
    number = int.from_bytes(os.urandom(2))
    query = question(number, name, kind)
    stream.writer.write(len(query).to_bytes(2) + query)
    size = int.from_bytes(await stream.reader.readexactly(2))
    return addresses(await stream.reader.readexactly(size), number, kind)


def question(number: int, name: str, kind: int) -> bytes:
    """A query for one name."""
    labels = [label.encode("idna") for label in name.rstrip(".").split(".")]
    if not all(0 < len(label) <= _LONGEST_LABEL for label in labels):
        raise BadName(f"{name!r} is not a host name")
    packed = b"".join(bytes((len(label),)) + label for label in labels)
    header = _HEADER.pack(number, _RECURSE, 1, 0, 0, 0)
    return header + packed + b"\0" + struct.pack("!HH", kind, _INTERNET)


def addresses(answer: bytes, number: int, kind: int) -> list[str]:
    """The addresses in an answer to our question; none if the name is not known."""
    told, _, questions, answers, _, _ = _HEADER.unpack_from(answer)
    if told != number:
        raise ValueError("an answer to another question")
    at = _HEADER.size
    for _ in range(questions):
        at = _after_name(answer, at) + 4
    found = []
    for _ in range(answers):
        at = _after_name(answer, at)
        kind_found, _, _, size = _RECORD.unpack_from(answer, at)
        at += _RECORD.size
        if kind_found == kind:
            found.append(str(ipaddress.ip_address(answer[at : at + size])))
        at += size
    return found


def _after_name(answer: bytes, at: int) -> int:
    while length := answer[at]:
        if length & _POINTER:
            return at + 2
        at += length + 1
    return at + 1
