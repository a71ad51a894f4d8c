"""The ports of a bridge under attack: root in a machine sends frames that are not its own (M5)."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address
from pathlib import Path

import pytest
from tests.e2e import machines

from hypershift.local.cluster.plan import Plan
from hypershift.local.host import tools
from hypershift.local.network import nat
from hypershift.local.network.ports import Port, link_local, ruleset

pytestmark = [pytest.mark.e2e]

BRIDGE_ADDRESS, BRIDGE_V6 = "10.80.0.1", "fd68:7370:80::1"
NODE = Port("hstestm", "02:00:00:00:00:01", "10.80.0.11")
A1 = Port("hstesta1", "02:00:00:00:00:02", "10.80.16.5", "team-a", "fd68:7370:80::1005")
A2 = Port("hstesta2", "02:00:00:00:00:03", "10.80.16.6", "team-a", "fd68:7370:80::1006")
B1 = Port("hstestb1", "02:00:00:00:00:04", "10.80.16.7", "team-b", "fd68:7370:80::1007")
PORTS = (NODE, A1, A2, B1)
#: A pod of the management cluster on that node, and an address that leads to it.
POD, BALANCER = "10.80.128.5", "10.80.32.1"
KUBELET, NODE_PORT = 10250, 30080
#: Seconds in which Linux believes no other answer than the first.
FRESH = 1.2

LISTEN = f"""
import socket, sys, time
both = dict(family=socket.AF_INET6, dualstack_ipv6=True)
held = [socket.create_server(("", port), **both) for port in ({KUBELET}, {NODE_PORT})]
print("listening", flush=True)
time.sleep(600)
"""
CONNECT = """
import socket, sys
source, target, port = sys.argv[1:]
(family, kind, _, _, there), *_ = socket.getaddrinfo(target, port, type=socket.SOCK_STREAM)
(_, _, _, _, here), *_ = socket.getaddrinfo(source, 0, type=socket.SOCK_STREAM)
wire = socket.socket(family, kind)
wire.settimeout(0.7)
wire.bind(here)
wire.connect(there)
"""
#: An ARP answer: `claimed` is at the hardware address of who sends it.
CLAIM = """
import socket, sys
mac, claimed, victim = (bytes.fromhex(word.replace(":", "")) for word in sys.argv[1:])
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(("eth0", 0))
head = b"\\xff" * 6 + mac + b"\\x08\\x06"
for _ in range(3):
    wire.send(head + bytes.fromhex("0001080006040002") + mac + claimed + b"\\xff" * 6 + victim)
"""

#: A message of neighbour discovery to all nodes: `kind` and `body` as they come after the checksum.
DISCOVER = """
import socket, struct, sys
mac, source, kind, body = bytes.fromhex(sys.argv[1]), sys.argv[2], *map(bytes.fromhex, sys.argv[3:])
source, target = (socket.inet_pton(socket.AF_INET6, one) for one in (source, "ff02::1"))
def total(data):
    found = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while found >> 16:
        found = (found & 0xFFFF) + (found >> 16)
    return ~found & 0xFFFF
message = kind + b"\\0\\0\\0" + body
pseudo = source + target + struct.pack("!II", len(message), 58)
message = kind + b"\\0" + struct.pack("!H", total(pseudo + message)) + body
head = bytes.fromhex("333300000001") + mac + b"\\x86\\xdd"
packet = head + struct.pack("!IHBB", 6 << 28, len(message), 58, 255) + source + target + message
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(("eth0", 0))
for _ in range(3):
    wire.send(packet)
"""


class Wires:
    """A bridge with one namespace for each machine, in a network namespace of the test's own."""

    def __init__(self) -> None:
        self.host = subprocess.Popen(["unshare", "-n", "sleep", "600"], text=True)
        self.inner: dict[Port, subprocess.Popen[str]] = {}
        self._settle(self.host)

    def lay(self) -> None:
        self.ip(self.host, "link", "add", "br0", "type", "bridge")
        self.ip(self.host, "addr", "add", f"{BRIDGE_ADDRESS}/19", "dev", "br0")
        self.ip(self.host, "addr", "add", f"{BRIDGE_V6}/64", "dev", "br0", "nodad")
        self.ip(self.host, "link", "set", "br0", "up")
        for port in PORTS:
            self._attach(port)

    def _attach(self, port: Port) -> None:
        command = [
            "unshare",
            "-n",
            sys.executable,
            "-c",
            f"import os\nos.system('ip link set lo up')\n{LISTEN}",
        ]
        inner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert inner.stdout is not None
        assert inner.stdout.readline() == "listening\n"
        self.inner[port] = inner
        peer = ("peer", "name", "eth0", "address", port.mac, "netns", str(inner.pid))
        self.ip(self.host, "link", "add", port.link, "type", "veth", *peer)
        self.ip(self.host, "link", "set", port.link, "master", "br0", "up")
        self.ip(inner, "addr", "add", f"{port.address}/19", "dev", "eth0")
        if port.address_v6:
            self.ip(inner, "addr", "add", f"{port.address_v6}/64", "dev", "eth0", "nodad")
        self.ip(inner, "link", "set", "eth0", "up")

    def route_pods(self) -> None:
        """Give the node a pod, and let the host lead everybody there."""
        self.ip(self.inner[NODE], "addr", "add", f"{POD}/32", "dev", "lo")
        self.ip(self.host, "route", "add", "10.80.128.0/23", "via", NODE.address)
        settings = {"ipv4/ip_forward": 1, "bridge/bridge-nf-call-iptables": 0}  # as `local up` does
        for name, value in settings.items():
            file = f"/proc/sys/net/{name}"
            script = f"[ ! -e {file} ] || echo {value} > {file}"
            assert self.inside(self.host, "sh", "-c", script) == 0
        for inner in self.inner.values():
            self.ip(inner, "route", "add", "default", "via", BRIDGE_ADDRESS)

    def inside(self, process: subprocess.Popen[str], *words: str) -> int:
        command = ["nsenter", "-t", str(process.pid), "-n", *words]
        return subprocess.run(command, check=False, capture_output=True).returncode

    def ip(self, process: subprocess.Popen[str], *words: str) -> None:
        assert self.inside(process, "ip", *words) == 0, words

    def guard(self, nft: tuple[str, ...], rules: str) -> None:
        command = ["nsenter", "-t", str(self.host.pid), "-n", *nft, "-f", "-"]
        subprocess.run(command, check=True, input=rules.encode())

    def connects(self, port: Port, target: str, number: int, source: str = "") -> bool:
        words = (sys.executable, "-c", CONNECT, source or port.address, target, str(number))
        return self.inside(self.inner[port], *words) == 0

    def claim(self, port: Port, address: str, victim: Port) -> None:
        words = [bytes(map(int, one.split("."))).hex() for one in (address, victim.address)]
        assert self.inside(self.inner[port], sys.executable, "-c", CLAIM, port.mac, *words) == 0

    def neighbour(self, port: Port, address: str) -> str:
        text = Path(f"/proc/{self.inner[port].pid}/net/arp").read_text()
        return next(
            (line.split()[3] for line in text.splitlines() if line.startswith(f"{address} ")), ""
        )

    def announce(self, port: Port, address: str, source: str = "") -> None:
        """Tell all neighbours that an address is at this port, whoever has it."""
        mac, target = port.mac.replace(":", ""), IPv6Address(address).packed.hex()
        # Flags: override what is known; an option with the hardware address.
        body = f"20000000{target}0201{mac}"
        self._discover(port, source or port.address_v6, "88", body)

    def be_router(self, port: Port) -> None:
        """Tell all neighbours that this port is the way out."""
        self._discover(port, str(link_local(port.mac)), "86", "400007080000000000000000")

    def _discover(self, port: Port, source: str, kind: str, body: str) -> None:
        words = (port.mac.replace(":", ""), source, kind, body)
        assert self.inside(self.inner[port], sys.executable, "-c", DISCOVER, *words) == 0

    def shows(self, process: subprocess.Popen[str], *words: str) -> str:
        command = ["nsenter", "-t", str(process.pid), "-n", "ip", "-6", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def neighbour_v6(self, address: str) -> str:
        """Where the host believes an address to be."""
        return self.shows(self.host, "neigh", "show", address, "dev", "br0")

    def _settle(self, process: subprocess.Popen[str]) -> None:
        """Wait until the child has left our namespace."""
        own = Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{process.pid}/ns/net").readlink() == own:
            pass

    def end(self) -> None:
        for process in (*self.inner.values(), self.host):
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()


@pytest.fixture
def wires() -> Iterator[Wires]:
    machines.needs_root()
    made = Wires()
    try:
        made.lay()
        yield made
    finally:
        made.end()


@pytest.fixture
def guarded(wires: Wires) -> Wires:
    wires.guard(asyncio.run(tools.nft()), ruleset(Plan(0), PORTS))
    return wires


def test_without_rules_a_machine_reaches_and_deceives_everybody(wires: Wires) -> None:
    assert wires.connects(A1, B1.address, KUBELET)
    assert wires.connects(NODE, B1.address, KUBELET)
    time.sleep(FRESH)
    wires.claim(A1, B1.address, NODE)
    assert wires.neighbour(NODE, B1.address) == A1.mac


def test_without_rules_a_machine_deceives_everybody_in_ipv6_too(wires: Wires) -> None:
    assert wires.connects(A1, B1.address_v6, KUBELET, A1.address_v6)
    assert wires.connects(B1, BRIDGE_V6, NODE_PORT, B1.address_v6) is False  # nothing listens
    wires.announce(A1, B1.address_v6)
    assert A1.mac in wires.neighbour_v6(B1.address_v6)
    wires.be_router(A1)
    until(lambda: "default" in wires.shows(wires.inner[B1], "route", "show"))


def test_nobody_announces_the_ipv6_address_of_another_machine(guarded: Wires) -> None:
    guarded.connects(B1, BRIDGE_V6, NODE_PORT, B1.address_v6)
    assert B1.mac in guarded.neighbour_v6(B1.address_v6)
    for stolen in (B1.address_v6, str(link_local(B1.mac))):
        guarded.announce(A1, stolen)
        guarded.announce(A1, stolen, source=stolen)
        assert A1.mac not in guarded.neighbour_v6(stolen)
    guarded.announce(A1, A1.address_v6)
    guarded.connects(A1, BRIDGE_V6, NODE_PORT, A1.address_v6)
    assert A1.mac in guarded.neighbour_v6(A1.address_v6)


def test_nobody_is_a_router_but_the_host(guarded: Wires) -> None:
    guarded.be_router(A1)
    assert guarded.connects(A1, A2.address_v6, KUBELET, A1.address_v6)
    time.sleep(FRESH)
    for victim in (guarded.inner[A2], guarded.inner[B1], guarded.host):
        assert "default" not in guarded.shows(victim, "route", "show")


def test_tenants_are_apart_in_ipv6_too(guarded: Wires) -> None:
    assert guarded.connects(A1, A2.address_v6, KUBELET, A1.address_v6)
    assert not guarded.connects(A1, B1.address_v6, KUBELET, A1.address_v6)
    own, node, neighbour = (f"{link_local(port.mac)}%eth0" for port in (A1, NODE, A2))
    # A link looks for other owners of its address before it uses it.
    until(lambda: guarded.connects(A1, neighbour, KUBELET, own))
    assert not guarded.connects(A1, node, NODE_PORT, own)


def test_nobody_sends_from_the_ipv6_address_of_another_machine(guarded: Wires) -> None:
    assert guarded.connects(A1, A2.address_v6, KUBELET, A1.address_v6)
    for stolen in (B1.address_v6, BRIDGE_V6, "fd68:7370:80:20::2001"):
        guarded.ip(guarded.inner[A1], "addr", "add", f"{stolen}/128", "dev", "eth0", "nodad")
        assert not guarded.connects(A1, A2.address_v6, KUBELET, source=stolen)
    guarded.ip(guarded.inner[A1], "addr", "add", "fd01::9/128", "dev", "eth0", "nodad")
    guarded.ip(guarded.inner[A2], "route", "add", "fd01::9/128", "via", A1.address_v6)
    assert guarded.connects(A1, A2.address_v6, KUBELET, source="fd01::9")


def until(true: Callable[[], bool]) -> None:
    """Return once something is so; it takes a moment."""
    ends = time.monotonic() + 5
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_machines_of_a_tenant_reach_each_other_and_no_other_tenant(guarded: Wires) -> None:
    assert guarded.connects(A1, A2.address, KUBELET)
    assert not guarded.connects(A1, B1.address, KUBELET)
    assert not guarded.connects(B1, A1.address, NODE_PORT)


def test_of_management_nodes_a_hosted_machine_reaches_node_ports_alone(guarded: Wires) -> None:
    assert guarded.connects(A1, NODE.address, NODE_PORT)
    assert not guarded.connects(A1, NODE.address, KUBELET)
    assert guarded.connects(NODE, A1.address, KUBELET)


def test_nobody_answers_for_the_address_of_another_machine(guarded: Wires) -> None:
    assert guarded.connects(NODE, B1.address, KUBELET)
    time.sleep(FRESH)
    for liar in (A1, A2):
        guarded.claim(liar, B1.address, NODE)
        guarded.claim(liar, BRIDGE_ADDRESS, NODE)
    assert guarded.neighbour(NODE, B1.address) == B1.mac
    assert guarded.neighbour(NODE, BRIDGE_ADDRESS) != A1.mac


def test_nobody_sends_from_the_address_of_another_machine(guarded: Wires) -> None:
    # Both know each other's hardware address, so that what follows is about IP and not about ARP:
    # a request for it with a stolen address is dropped, and the kernel waits seconds for an answer.
    assert guarded.connects(A1, A2.address, KUBELET)
    for stolen in (NODE.address, B1.address, "10.80.128.9", "10.80.40.1"):
        guarded.ip(guarded.inner[A1], "addr", "add", f"{stolen}/32", "dev", "eth0")
        assert not guarded.connects(A1, A2.address, KUBELET, source=stolen)
    guarded.ip(guarded.inner[A1], "addr", "add", "10.132.0.9/32", "dev", "eth0")
    guarded.ip(guarded.inner[A2], "route", "add", "10.132.0.9/32", "via", A1.address)
    assert guarded.connects(A1, A2.address, KUBELET, source="10.132.0.9")


def test_another_hardware_address_says_nothing(guarded: Wires) -> None:
    inner = guarded.inner[A1]
    guarded.ip(inner, "link", "set", "eth0", "address", B1.mac)
    assert not guarded.connects(A1, A2.address, KUBELET)
    guarded.ip(inner, "link", "set", "eth0", "address", A1.mac)
    assert guarded.connects(A1, A2.address, KUBELET)


def test_a_hosted_machine_reaches_management_pods_by_a_balancer_alone(guarded: Wires) -> None:
    """Found by the attempts of two tenants: a machine asked the operator for its metrics."""
    guarded.route_pods()
    assert guarded.connects(A1, POD, KUBELET)
    plan = Plan(0)
    forward = nat.Forward(BALANCER, "tcp", KUBELET, ((POD, KUBELET),))
    rules = nat.ruleset(plan, [forward]).replace(plan.bridge, "br0")
    guarded.guard(asyncio.run(tools.nft()), rules)
    assert not guarded.connects(A1, POD, KUBELET)
    assert not guarded.connects(B1, POD, NODE_PORT)
    assert guarded.connects(A1, BALANCER, KUBELET)
    assert guarded.connects(NODE, POD, KUBELET)
    assert (
        guarded.inside(guarded.host, sys.executable, "-c", CONNECT, BRIDGE_ADDRESS, POD, "10250")
        == 0
    )
