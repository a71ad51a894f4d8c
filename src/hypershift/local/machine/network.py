"""The machine's wire: one veth pair between a bridge of the host and the machine."""

import socket
from ipaddress import ip_interface
from pathlib import Path
from typing import Final

from hypershift.local.machine.netlink import Netlink
from hypershift.local.machine.spec import Attachment, MachineSpec

#: The machine's end of the wire.
LINK: Final = "eth0"
_SYSCTL: Final = Path("/proc/sys")


def bridge_index(attachment: Attachment) -> int:
    """The bridge as the kernel numbers it; asked before the namespace is left."""
    try:
        return socket.if_nametoindex(attachment.bridge)
    except OSError as error:
        raise OSError(error.errno, f"the bridge {attachment.bridge!r} does not exist") from None


def connect(host: Netlink, spec: MachineSpec, bridge: int, pid: int) -> None:
    """Lay the wire from the host to the namespace of `pid`, in the place of a leftover."""
    host.delete_link(spec.link)
    host.add_veth(spec.link, LINK, peer_pid=pid, master=bridge, mtu=spec.network.mtu, mac=spec.mac)


def configure(attachment: Attachment) -> None:
    """Bring up the inner end, with its address and route; run inside the machine's namespace."""
    with Netlink() as inside:
        inside.set_up(socket.if_nametoindex("lo"))
        index = socket.if_nametoindex(LINK)
        inside.set_up(index)
        for address in filter(None, (attachment.address, attachment.address_v6)):
            inside.add_address(index, ip_interface(address))
        for gateway in filter(None, (attachment.gateway, attachment.gateway_v6)):
            inside.add_default_route(index, gateway)


def disconnect(link: str) -> None:
    """Remove the host's end at once: with its namespace it would only go some time later."""
    with Netlink() as host:
        host.delete_link(link)


def apply_sysctls(settings: dict[str, str]) -> list[str]:
    """Set what belongs to the machine's own network; the rest is the host's and is named."""
    refused = []
    for name, value in settings.items():
        path = _SYSCTL / name.replace(".", "/")
        if not name.startswith("net."):
            refused.append(name)
            continue
        try:
            path.write_text(value)
        except FileNotFoundError:
            continue
        except OSError:
            refused.append(name)
    return refused
