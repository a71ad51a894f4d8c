"""The script that lets a member without data join the others, run for real on a played etcdctl."""

import subprocess
from pathlib import Path

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component import edit, render
from hypershift.controlplane import etcd
from hypershift.release import Product

FIRST = "https://etcd-0.etcd-discovery.clusters-demo.svc:2380"
SELF = "https://etcd-1.etcd-discovery.clusters-demo.svc:2380"
OTHER = f"8e9e05c52164694d, started, etcd-0, {FIRST}, , false"
OLD = f"ca50e9357181d758, started, etcd-1, {SELF}, , false"
UNNAMED = f"ca50e9357181d758, unstarted, , {SELF}, , false"

ETCDCTL = """\
#!/bin/bash
echo "$@" >> {calls}
[ "$1 $2" != "member list" ] && exit 0
[ -e {members} ] && cat {members}
"""


def script() -> str:
    view = a_view(product=Product.OPENSHIFT, controllerAvailabilityPolicy="HighlyAvailable")
    pod = edit.pod_of(render(etcd.OPENSHIFT, view)[-1])
    container = next(c for c in pod["spec"]["initContainers"] if c["name"] == "reset-member")
    text: str = container["args"][1]
    return text


def played(home: Path, members: tuple[str, ...], *, data: bool = False) -> tuple[str, list[str]]:
    """Run it as member etcd-1; what it says of the cluster, and which changes it asked for."""
    (home / "etc").mkdir()
    calls = home / "calls"
    tool = home / "etcdctl"
    tool.write_text(ETCDCTL.format(calls=calls, members=home / "members"))
    tool.chmod(0o755)
    if members:
        (home / "members").write_text("\n".join(members) + "\n")
    if data:
        (home / "db").touch()
    text = script().replace("/etc/etcd/clusterstate", str(home / "etc"))
    text = text.replace("/var/lib/data/member/snap/db", str(home / "db"))
    env = {"PATH": f"{home}:/usr/bin:/bin", "HOSTNAME": "etcd-1", "NAMESPACE": "clusters-demo"}
    subprocess.run(["/bin/bash", "-c", text], env=env, check=True, capture_output=True)
    asked = calls.read_text().splitlines() if calls.exists() else []
    return (home / "etc" / "state").read_text().strip(), [c for c in asked if "list" not in c]


@pytest.mark.parametrize("entry", [OLD, UNNAMED], ids=["lost", "tried before"])
def test_a_member_without_data_replaces_its_entry_and_joins(entry: str, tmp_path: Path) -> None:
    assert played(tmp_path, (OTHER, entry)) == (
        "existing",
        ["member remove ca50e9357181d758", f"member add etcd-1 --peer-urls {SELF}"],
    )


@pytest.mark.parametrize(
    ("members", "data"),
    [((), False), ((OTHER,), False), ((OTHER, OLD), True)],
    ids=["nobody answers", "no entry", "it has its data"],
)
def test_nobody_is_replaced_otherwise(
    members: tuple[str, ...],
    data: bool,  # noqa: FBT001 - a column
    tmp_path: Path,
) -> None:
    assert played(tmp_path, members, data=data) == ("new", [])
