import os
import socket
from pathlib import Path

from hypershift.local.host import ports


def listening(host: str) -> socket.socket:
    server = socket.socket()
    server.bind((host, 0))
    server.listen()
    return server


def test_a_port_that_another_program_holds_everywhere_is_named_with_the_program() -> None:
    with listening("0.0.0.0") as server:  # noqa: S104 - that is what it is about
        port = server.getsockname()[1]
        assert ports.taken((port,)) == [port]
        comm = Path("/proc/self/comm").read_text().strip()
        assert f"port {port} ({comm}, pid {os.getpid()})" in ports.complaint((port,))
    assert ports.taken((port,)) == []


def test_a_port_on_one_address_is_in_nobodys_way() -> None:
    with listening("127.0.0.1") as server:
        assert ports.taken((server.getsockname()[1],)) == []


def test_a_program_that_nobody_sees_is_just_another_one(tmp_path: Path) -> None:
    assert ports.holder(80, tmp_path) == ""
