from pathlib import Path

import pytest

from hypershift.oci import Tree, link
from hypershift.parts import find
from hypershift.payload import machine_os, names
from hypershift.payload.base import base_tree, busybox
from hypershift.payload.images import (
    OPTIONAL,
    PROGRAMS,
    Program,
    needed_parts,
    pause_image,
    program_image,
)


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Path]:
    """Every part as a small script, which counts as a static program."""
    found: dict[str, Path] = {}
    for name in needed_parts(names(OPTIONAL)):
        place = tmp_path / "tree/usr/sbin" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        applets = "echo sh\necho mount\necho ls\n" if name == "busybox" else ""
        place.write_text(f"#!/bin/sh\n{applets}")
        place.chmod(0o755)
        found[name] = place
    return found


@pytest.fixture
def tools(tmp_path: Path, parts: dict[str, Path]) -> Path:
    assert parts
    certificates = tmp_path / "tree/usr/share/ca-certificates/mozilla"
    certificates.mkdir(parents=True)
    for name in ("b.crt", "a.crt"):
        (certificates / name).write_text(f"{name}\n")
    return tmp_path / "tree"


def paths(tree: Tree) -> set[str]:
    return {path for path, _ in tree}


def test_every_image_asks_only_for_parts_of_the_table() -> None:
    assert all(find(name) for name in needed_parts(names(OPTIONAL)))


def test_the_autoscaler_is_there_only_when_asked_for() -> None:
    assert "cluster-autoscaler" not in names()
    assert "cluster-autoscaler" in names(["cluster-autoscaler"])
    assert "aws-cluster-api-controllers" not in names(["cluster-autoscaler"])
    assert "cluster-autoscaler" not in needed_parts(names())


def test_a_payload_has_one_image_for_each_component() -> None:
    assert set(names()) == {
        *("busybox", "cli", "cluster-api", "coredns", "etcd", "haproxy", "hypershift"),
        *("konnectivity-agent", "konnectivity-server", "kube-apiserver"),
        *("kube-controller-manager", "kube-proxy", "kube-router", "kube-scheduler"),
        *("machine-os", "pause"),
    }


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: str(program.name))
def test_each_program_is_on_the_path_and_the_entrypoint(
    program: Program, parts: dict[str, Path], tools: Path
) -> None:
    recipe = program_image(program, parts, tools, base_tree(parts["busybox"], tools))
    everything = {path for tree in recipe.layers for path in paths(tree)}
    assert {f"usr/bin/{name}" for name in program.programs} <= everything
    entrypoint = recipe.settings.entrypoint[0].lstrip("/")
    assert entrypoint in everything | {"bin/sh"}
    assert recipe.settings.user.isdigit()
    assert {"tmp", "etc/passwd", "etc/ssl/certs/ca-certificates.crt"} <= everything


def test_networking_images_have_iptables_by_all_its_names(
    parts: dict[str, Path], tools: Path
) -> None:
    router = next(program for program in PROGRAMS if program.name == "kube-router")
    recipe = program_image(router, parts, tools, Tree())
    found = paths(recipe.layers[1])
    assert {
        f"usr/sbin/{name}" for name in ("iptables", "ip6tables-save", "iptables-restore")
    } <= found


def test_pause_is_alone(parts: dict[str, Path]) -> None:
    (layer,) = pause_image(parts).layers
    assert paths(layer) == {"pause", "tmp"}


def test_the_base_gathers_authorities_in_a_fixed_order(parts: dict[str, Path], tools: Path) -> None:
    tree = base_tree(parts["busybox"], tools)
    bundle = tree.entries["etc/ssl/certs/ca-certificates.crt"].content
    assert bundle == b"a.crt\nb.crt\n"


def test_busybox_takes_no_name_from_a_real_tool(parts: dict[str, Path]) -> None:
    taken = {"usr/sbin/mount": link("real")}
    assert set(busybox(parts["busybox"], taken)) == {
        "usr/bin/ls",
        "usr/bin/sh",
    }


def test_two_releases_share_all_but_kubelet_and_its_name(
    parts: dict[str, Path], tools: Path
) -> None:
    older = machine_os.layers(parts, tools, "1.34.10")
    newer = machine_os.layers(parts, tools, "1.35.8")
    assert [
        one.fingerprint() == two.fingerprint() for one, two in zip(older, newer, strict=True)
    ] == [
        *(True, True, True, False)  # this test's kubelet is one file for both
    ]
    assert machine_os.settings("1.35.8").labels[machine_os.VERSION_LABEL] == "1.35.8"


def test_a_machine_boots_from_what_its_kubelet_needs(parts: dict[str, Path], tools: Path) -> None:
    found = {path for tree in machine_os.layers(parts, tools, "1.35.8") for path in paths(tree)}
    assert {
        *("usr/bin/kubelet", "usr/bin/containerd", "usr/bin/runc", "opt/cni/bin/bridge"),
        *("usr/sbin/iptables", "usr/bin/busybox", "usr/bin/sh", "bin", "lib64", "etc/os-release"),
        *("etc/machine-id", "proc", "sys", "dev", "run", "var", "etc/cni/net.d", "usr/local"),
    } <= found
    assert not any(path.startswith("var/") for path in found)
