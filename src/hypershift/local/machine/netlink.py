"""The few rtnetlink messages that a machine needs: links, addresses, routes.

A socket stays in the network namespace where it was opened, so that one process can hold the two
ends of a veth pair. A general netlink library takes longer to load than a machine to boot.
"""

import errno
import os
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface, ip_address
from types import TracebackType
from typing import Final, Self

NEW_LINK: Final = 16
DEL_LINK: Final = 17
NEW_ADDRESS: Final = 20
NEW_ROUTE: Final = 24

_REQUEST_ACK: Final = 0x1 | 0x4
_CREATE: Final = 0x400
_EXCLUSIVE: Final = 0x200
_ERROR: Final = 2
_HEADER: Final = struct.Struct("=IHHII")
_LINK: Final = struct.Struct("=BxHiII")
_ADDRESS: Final = struct.Struct("=BBBBI")
_ROUTE: Final = struct.Struct("=BBBBBBBBI")

_IFLA_ADDRESS, _IFLA_IFNAME, _IFLA_MTU, _IFLA_MASTER = 1, 3, 4, 10
_IFLA_LINKINFO, _IFLA_NET_NS_PID = 18, 19
_INFO_KIND, _INFO_DATA, _VETH_PEER = 1, 2, 1
_IFA_ADDRESS, _IFA_LOCAL = 1, 2
_RTA_OIF, _RTA_GATEWAY = 4, 5
_IFF_UP: Final = 1
#: An address of ours is nobody else's, and its first packets need not wait for that to show.
_NODAD: Final = 2
_MAIN_TABLE, _STATIC, _UNICAST = 254, 4, 1


class Netlink:
    """A conversation with one network namespace: the one that the process is in when it opens."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self._socket.bind((0, 0))
        self._sequence = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def add_veth(
        self, name: str, peer: str, *, peer_pid: int, master: int, mtu: int, mac: str
    ) -> None:
        """A pair: the near end hangs on the link `master`, the far end lies with `peer_pid`."""
        far = _link() + _attributes(
            (_IFLA_IFNAME, _text(peer)),
            (_IFLA_MTU, _u32(mtu)),
            (_IFLA_ADDRESS, bytes.fromhex(mac.replace(":", ""))),
            (_IFLA_NET_NS_PID, _u32(peer_pid)),
        )
        data = _attributes((_VETH_PEER, far))
        info = _attributes((_INFO_KIND, b"veth"), (_INFO_DATA, data))
        near = _attributes(
            (_IFLA_IFNAME, _text(name)),
            (_IFLA_MTU, _u32(mtu)),
            (_IFLA_MASTER, _u32(master)),
            (_IFLA_LINKINFO, info),
        )
        self._ask(NEW_LINK, _link(up=True) + near, _CREATE | _EXCLUSIVE)

    def set_up(self, index: int) -> None:
        """Switch a link on."""
        self._ask(NEW_LINK, _link(index, up=True))

    def delete_link(self, name: str) -> bool:
        """Remove a link by name; whether there was one."""
        try:
            self._ask(DEL_LINK, _link() + _attributes((_IFLA_IFNAME, _text(name))))
        except OSError as error:
            if error.errno in (errno.ENODEV, errno.EINVAL):
                return False
            raise
        return True

    def add_address(self, index: int, address: IPv4Interface | IPv6Interface) -> None:
        """Give a link an address; its network becomes reachable by the link."""
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004
        flags = _NODAD if family == socket.AF_INET6 else 0
        body = _ADDRESS.pack(family, address.network.prefixlen, flags, 0, index)
        packed = address.ip.packed
        attributes = _attributes((_IFA_LOCAL, packed), (_IFA_ADDRESS, packed))
        self._ask(NEW_ADDRESS, body + attributes, _CREATE | _EXCLUSIVE)

    def add_default_route(self, index: int, gateway: str) -> None:
        """Send what is for elsewhere to `gateway`."""
        via = ip_address(gateway)
        family = socket.AF_INET if via.version == 4 else socket.AF_INET6  # noqa: PLR2004
        body = _ROUTE.pack(family, 0, 0, 0, _MAIN_TABLE, _STATIC, 0, _UNICAST, 0)
        attributes = _attributes((_RTA_GATEWAY, via.packed), (_RTA_OIF, _u32(index)))
        self._ask(NEW_ROUTE, body + attributes, _CREATE | _EXCLUSIVE)

    def _ask(self, kind: int, body: bytes, flags: int = 0) -> None:
        self._sequence += 1
        size = _HEADER.size + len(body)
        self._socket.send(_HEADER.pack(size, kind, _REQUEST_ACK | flags, self._sequence, 0) + body)
        for answer, payload in _messages(self._socket.recv(65536)):
            code = struct.unpack_from("=i", payload)[0] if answer == _ERROR else 0
            if code:
                raise OSError(-code, f"netlink message {kind}: {os.strerror(-code)}")


def _messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= _HEADER.size:
        size, kind, *_ = _HEADER.unpack_from(data)
        yield kind, data[_HEADER.size : size]
        data = data[(size + 3) & ~3 :]


def _link(index: int = 0, *, up: bool = False) -> bytes:
    flag = _IFF_UP if up else 0
    return _LINK.pack(socket.AF_UNSPEC, 0, index, flag, flag)


def _attributes(*pairs: tuple[int, bytes]) -> bytes:
    packed = b""
    for kind, value in pairs:
        raw = struct.pack("=HH", 4 + len(value), kind) + value
        packed += raw + bytes(-len(raw) % 4)
    return packed


def _text(name: str) -> bytes:
    return name.encode() + b"\0"


def _u32(value: int) -> bytes:
    return struct.pack("=I", value)
