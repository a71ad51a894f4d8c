from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hypershift.local.machine import Attachment, Limits, MachineSpec, Metadata
from hypershift.local.machine.metadata import publish, resolver, system_reserved, variables


def a_spec(**changes: Any) -> MachineSpec:
    plain: dict[str, Any] = {
        "name": "m1",
        "scope": "test",
        "os_tree": Path("/tree"),
        "directory": Path("/machines/m1"),
        "network": Attachment(bridge="b", address="10.0.0.5/16", resolvers=("10.0.0.1",)),
        "metadata": Metadata(hostname="m1", provider_id="local://x/m1", zone="a", region="local"),
    }
    return MachineSpec(**plain | changes)


def test_a_machine_knows_its_name_address_and_place() -> None:
    facts = variables(a_spec(), cores=4)
    assert facts["MACHINE_NODE_IP"] == "10.0.0.5"
    assert facts["MACHINE_PROVIDER_ID"] == "local://x/m1"
    assert facts["MACHINE_NODE_LABELS"] == (
        "topology.kubernetes.io/zone=a,topology.kubernetes.io/region=local"
    )


def test_a_machine_with_ipv6_knows_both_addresses() -> None:
    assert variables(a_spec(), cores=4)["MACHINE_NODE_IP6"] == ""
    network = Attachment(bridge="b", address="10.0.0.5/16", address_v6="fd00::5/64")
    facts = variables(a_spec(network=network), cores=4)
    assert (facts["MACHINE_NODE_IP"], facts["MACHINE_NODE_IP6"]) == ("10.0.0.5", "fd00::5")


@pytest.mark.parametrize(
    ("cpu", "cores", "reserved"),
    [(1500, 4, "cpu=2500m"), (4000, 4, ""), (8000, 4, ""), (None, 4, "")],
)
def test_the_share_of_the_cores_becomes_allocatable(
    cpu: int | None, cores: int, reserved: str
) -> None:
    assert system_reserved(cpu, cores) == reserved
    assert variables(a_spec(limits=Limits(cpu=cpu)), cores)["MACHINE_SYSTEM_RESERVED"] == reserved


def test_names_are_asked_at_the_given_resolvers() -> None:
    network = Attachment(
        bridge="b", address="10.0.0.5/16", resolvers=("10.0.0.1", "10.0.0.2"), search=("x.y",)
    )
    text = resolver(a_spec(network=network))
    assert text == "nameserver 10.0.0.1\nnameserver 10.0.0.2\nsearch x.y\n"


def test_name_servers_of_ipv6_have_a_file_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "run/metadata").mkdir(parents=True)
    network = Attachment(bridge="b", address="10.0.0.5/16", resolvers=("10.0.0.1",))
    publish(a_spec(network=network), tmp_path)
    assert not (tmp_path / "run/metadata/resolv6.conf").exists()
    publish(a_spec(network=replace(network, resolvers_v6=("fd00::1",))), tmp_path)
    assert (tmp_path / "run/metadata/resolv6.conf").read_text() == "nameserver fd00::1\n"
    assert (tmp_path / "run/metadata/resolv.conf").read_text() == "nameserver 10.0.0.1\n"
