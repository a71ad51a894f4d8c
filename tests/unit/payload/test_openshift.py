"""The test payload of OpenShift: its images, what they hold, and what it says of itself."""

import io
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift import parts
from hypershift.oci import Tree, file
from hypershift.payload.base import CERTIFICATES
from hypershift.payload.openshift import MISSING, VERSION, images, release
from hypershift.payload.openshift.archive import members
from hypershift.release import Version

API, OPERATOR, CONSTRAINTS, DNS = release.ARCHIVES


def a_base() -> Tree:
    return Tree().add("usr/bin/curl", file("busybox")).add(CERTIFICATES, file("roots"))


def packed(path: Path, **content: str) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, text in content.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Path]:
    """Every part as a small file."""
    names = {part for one in images.IMAGES for part in one.parts} | {release.OPERATOR}
    made = {name: tmp_path / name for name in names}
    for name, path in made.items():
        path.write_text(f"program {name}")
    definitions = "config/v1/zz_generated.crd-manifests"
    made[API] = packed(
        tmp_path / API,
        **{
            f"{definitions}/0000_00_cluster-version-operator_01_clusterversions-Default.yaml": "a",
            f"{definitions}/0000_10_config-operator_01_dnses.yaml": "b",
            "payload-manifests/crds/0000_03_scc.yaml": "c",
            "payload-manifests/featuregates/gates.yaml": "d",
            "payload-manifests/featuregates/doc.go": "e",
            "payload-manifests/crds/0000_10_new.yaml": "release.openshift.io/feature-gate: New",
        },
    )
    made[OPERATOR] = packed(tmp_path / OPERATOR, **{"install/0000_00_ns.yaml": "f"})
    scc = "bindata/bootkube/scc-manifests/0000_20_kube-apiserver-operator_00_scc-restricted.yaml"
    made[CONSTRAINTS] = packed(tmp_path / CONSTRAINTS, **{scc: "g"})
    made[DNS] = packed(tmp_path / DNS, **{"manifests/0000_70_dns-operator_00.crd.yaml": "h"})
    return made


def test_every_program_is_a_part_of_the_table() -> None:
    known = {part.name for part in parts.parts()}
    assert {part for one in images.IMAGES for part in one.parts} <= known


def test_an_image_is_made_or_named_as_missing() -> None:
    assert not {one.name for one in images.IMAGES} & MISSING.keys()


def test_programs_have_the_names_that_manifests_call(found: dict[str, Path]) -> None:
    wanted = next(one for one in images.IMAGES if one.name == "hyperkube")
    base = a_base()
    shell = {"usr/bin/curl": file("real"), "usr/bin/bash": file("bash")}
    recipe = images.image(wanted, found, base, shell, {})
    lower, upper = recipe.layers
    assert {"usr/bin/hyperkube", "usr/bin/kube-apiserver"} <= upper.entries.keys()
    assert lower.entries["usr/bin/curl"] == shell["usr/bin/curl"]
    assert lower.entries[images.TRUST] == base.entries[CERTIFICATES]
    assert recipe.settings.user == "65532"


def test_the_release_carries_the_manifests_of_its_images(found: dict[str, Path]) -> None:
    made = release.manifests(found, {one.name for one in images.IMAGES})
    assert set(made) == {
        "manifests/0000_00_ns.yaml",
        "manifests/0000_00_cluster-version-operator_01_clusterversions-Default.yaml",
        "release-manifests/0000_03_scc.yaml",
        "release-manifests/0000_20_kube-apiserver-operator_00_scc-restricted.yaml",
        "release-manifests/0000_50_cluster-config-api_gates.yaml",
        "release-manifests/0000_70_dns-operator_00.crd.yaml",
    }


def test_an_operator_that_was_not_built_brings_no_manifests(found: dict[str, Path]) -> None:
    made = release.manifests(found, {"hyperkube", "cluster-config-api"})
    assert not [path for path in made if "dns-operator" in path]
    assert [path for path in made if "featuregates" in path or "gates.yaml" in path]


def test_the_list_says_what_an_image_was_made_of() -> None:
    document = json.loads(json.dumps(release.references({"hyperkube": "registry/hyperkube@x"})))
    (tag,) = document["spec"]["tags"]
    assert tag["from"]["name"] == "registry/hyperkube@x"
    assert "openshift-kube-apiserver=" in tag["annotations"][release.SOURCE_ANNOTATION]
    assert tag["annotations"]["io.openshift.build.versions"] == "kubernetes=1.35.1"


def test_an_image_in_place_of_another_says_what_it_is() -> None:
    document: Any = release.references({"cluster-authentication-operator": "registry/x@y"})
    (tag,) = document["spec"]["tags"]
    assert "without the operator" in tag["annotations"][release.INSTEAD_ANNOTATION]


def test_the_first_definition_of_authentication_is_rendered(tmp_path: Path) -> None:
    here = images.AUTHENTICATION.replace("/manifests/", f"{tmp_path}/manifests/")
    script = tmp_path / "authentication-operator"
    script.write_text(here)
    (tmp_path / "manifests").mkdir()
    brought = tmp_path / "manifests" / "0000_03_x_rolebindingrestrictions.crd.yaml"
    brought.write_text("definition")
    out = tmp_path / "out"
    argv = ("sh", str(script), "render", "--asset-output-dir", str(out), "--payload-version=x")
    subprocess.run(argv, check=True)
    assert [each.read_text() for each in out.iterdir()] == ["definition"]


def test_flags_that_an_older_program_does_not_know_are_left_out(tmp_path: Path) -> None:
    program = tmp_path / "operator"
    entries = images.older("operator", program, ("--tls-min-version", "--suites"))
    content = entries["usr/bin/operator"].content
    assert isinstance(content, bytes)
    script = content.decode()
    told = script.replace("exec /usr/libexec/operator", "printf '%s\n'")
    argv = ("sh", "-c", told, "operator", "start", "--suites=A,B", "--tls-min-version=1", "--v=4 5")
    said = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == ["start", "--v=4 5"]


def test_a_kubeconfig_goes_into_the_configuration_of_a_program_that_has_no_flag_for_it(
    tmp_path: Path,
) -> None:
    (image,) = (one for one in images.IMAGES if one.launchers)
    ((name, script),) = image.launchers.items()
    assert images.launched(name, tmp_path, script).keys() == {
        f"usr/libexec/{name}",
        f"usr/bin/{name}",
    }
    config, merged = tmp_path / "config", tmp_path / "merged"
    config.write_text("kind: Config\n")
    here = script.replace(images.MERGED, str(merged)).replace("PROGRAM", "echo")
    words = ("start", "--config", str(config), "--kubeconfig", "/kubeconfig", "--namespace=x")
    said = subprocess.run(
        ("sh", "-c", here, name, *words), check=True, capture_output=True, text=True
    )
    assert said.stdout.split() == ["start", f"--config={merged}"]
    assert yaml.safe_load(merged.read_text()) == {
        "kind": "Config",
        "kubeClientConfig": {"kubeConfig": "/kubeconfig"},
    }


def test_the_version_is_no_release() -> None:
    assert Version.parse(VERSION) < Version.parse("4.22.0")
    assert release.metadata()["previous"] == []


def test_the_release_image_has_the_version_operator(found: dict[str, Path]) -> None:
    recipe = release.release_image(a_base(), {}, found, {})
    (_, upper) = recipe.layers
    assert "usr/bin/cluster-version-operator" in upper.entries
    assert "release-manifests/image-references" in upper.entries
    assert recipe.settings.labels["io.openshift.release"] == VERSION


def test_members_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    archive = packed(tmp_path / "a.tar", **{"x/b": "2", "x/a": "1", "y/c": "3"})
    assert list(members(archive, "x")) == [("a", b"1"), ("b", b"2")]
