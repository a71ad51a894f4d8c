"""OpenPGP keys and signatures for tests, written packet by packet (RFC 4880, Ed25519)."""

import hashlib
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_CURVE = bytes.fromhex("092B06010401DA470F01")
_EDDSA, _SHA1, SHA256 = 22, 2, 8
_PUBLIC_KEY, _USER, _SIGNATURE, _COMPRESSED = 6, 13, 2, 8
_BINARY, _TEXT, _CERTIFICATION, _REVOCATION = 0x00, 0x01, 0x13, 0x20
MADE = datetime(2024, 1, 1, tzinfo=UTC)


def _packet(tag: int, body: bytes) -> bytes:
    return bytes((0xC0 | tag, 0xFF)) + len(body).to_bytes(4, "big") + body


def _number(raw: bytes) -> bytes:
    value = int.from_bytes(raw, "big")
    size = value.bit_length()
    return size.to_bytes(2, "big") + value.to_bytes((size + 7) // 8, "big")


def _subpacket(kind: int, body: bytes) -> bytes:
    return bytes((len(body) + 1, kind)) + body


def _seconds(moment: datetime) -> bytes:
    return int(moment.timestamp()).to_bytes(4, "big")


def _sized(body: bytes) -> bytes:
    return len(body).to_bytes(2, "big") + body


def armour(kind: str, body: bytes) -> bytes:
    """Text around a binary document, with its checksum of 24 bits."""
    checksum = 0xB704CE
    for byte in body:
        checksum ^= byte << 16
        for _ in range(8):
            checksum <<= 1
            checksum ^= 0x1864CFB if checksum & 0x1000000 else 0
    encoded = b64encode(body).decode()
    lines = "\n".join(encoded[start : start + 64] for start in range(0, len(encoded), 64))
    end = b64encode((checksum & 0xFFFFFF).to_bytes(3, "big")).decode()
    return (f"-----BEGIN PGP {kind}-----\n\n{lines}\n={end}\n-----END PGP {kind}-----\n").encode()


@dataclass(frozen=True, slots=True)
class Signer:
    """A key of somebody; `life` ends it that long after it was made."""

    name: str
    life: timedelta | None = None
    revoked: bool = False
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate, repr=False)

    @property
    def _body(self) -> bytes:
        point = b"\x40" + self.key.public_key().public_bytes_raw()
        return b"\x04" + _seconds(MADE) + bytes((_EDDSA,)) + _CURVE + _number(point)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha1(b"\x99" + _sized(self._body)).hexdigest().upper()  # noqa: S324 - the format's

    def public(self) -> bytes:
        """The key as a project publishes it."""
        user = self.name.encode()
        key = b"\x99" + _sized(self._body)
        named = key + b"\xb4" + len(user).to_bytes(4, "big") + user
        more = _subpacket(27, b"\x03")
        if self.life:
            more += _subpacket(9, int(self.life.total_seconds()).to_bytes(4, "big"))
        packets = _packet(_PUBLIC_KEY, self._body)
        if self.revoked:
            packets += self._signature(_REVOCATION, key, MADE, SHA256)
        packets += _packet(_USER, user)
        packets += self._signature(_CERTIFICATION, named, MADE, SHA256, more)
        return armour("PUBLIC KEY BLOCK", packets)

    def detached(self, document: bytes, made: datetime, digest: int = SHA256) -> bytes:
        """A signature in a file of its own."""
        return armour("SIGNATURE", self._signature(_BINARY, document, made, digest))

    def compressed(self, document: bytes, made: datetime) -> bytes:
        """A signature in a packet that says to be compressed, and is not."""
        packet = b"\x00" + self._signature(_BINARY, document, made, SHA256)
        return armour("MESSAGE", _packet(_COMPRESSED, packet))

    def clear_signed(self, text: str, made: datetime) -> bytes:
        """A text with its signature below, for lines that need no escapes."""
        canonical = "\r\n".join(line.rstrip() for line in text.splitlines()).encode()
        head = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}".encode()
        return head + armour("SIGNATURE", self._signature(_TEXT, canonical, made, SHA256))

    def _signature(
        self, kind: int, signed: bytes, made: datetime, digest: int, more: bytes = b""
    ) -> bytes:
        print_ = bytes.fromhex(self.fingerprint)
        hashed = _subpacket(2, _seconds(made)) + _subpacket(33, b"\x04" + print_) + more
        head = bytes((4, kind, _EDDSA, digest)) + _sized(hashed)
        trailer = head + b"\x04\xff" + len(head).to_bytes(4, "big")
        algorithm = {_SHA1: hashlib.sha1, SHA256: hashlib.sha256}[digest]
        found = algorithm(signed + trailer).digest()
        raw = self.key.sign(found)
        unhashed = _sized(_subpacket(16, print_[-8:]))
        numbers = _number(raw[:32]) + _number(raw[32:])
        return _packet(_SIGNATURE, head + unhashed + found[:2] + numbers)
