"""The template of a virtual machine."""

import json
from typing import Any

import pytest
from tests.lib.pools import MACHINES, pool_facts

from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms import PoolFacts
from hypershift.platforms.kubevirt import boot_image, machine_template, vm_patch

KUBEVIRT = MACHINES["KubeVirt"]
IMAGE = "quay.io/x@sha256:d"
STREAM: Manifest = {
    "x86_64": {
        "images": {"kubevirt": {"digest-ref": IMAGE}},
        "artifacts": {
            "openstack": {
                "release": "9",
                "formats": {"qcow2.gz": {"disk": {"location": "https://x/q", "sha256": "f"}}},
            }
        },
    }
}
ROOT = {"type": "Persistent", "persistent": {"size": "32Gi"}}


def facts(pool: Manifest | None = None, **wanted: Any) -> PoolFacts:
    usual = {"rootVolume": ROOT, "compute": {"cores": 2, "memory": "8Gi"}}
    return pool_facts("KubeVirt", usual | wanted, stream=STREAM, pool=pool)


def virtual_machine(pool: Manifest | None = None, **wanted: Any) -> Manifest:
    spec = KUBEVIRT.template(facts(pool, **wanted)).spec["template"]["spec"]
    found: Manifest = spec["virtualMachineTemplate"]
    return found


def patch(*operations: Manifest) -> Manifest:
    return {"metadata": {"annotations": {vm_patch.ANNOTATION: json.dumps(operations)}}}


def test_guaranteed_machines_ask_for_what_they_get() -> None:
    compute = {"cores": 2, "memory": "8192Mi", "qosClass": "Guaranteed"}
    domain = virtual_machine(compute=compute)["spec"]["template"]["spec"]["domain"]
    amounts = {"cpu": "2", "memory": "8Gi"}
    assert domain["resources"] == {"requests": amounts, "limits": amounts}
    assert "memory" not in domain


def test_only_marked_pools_spread_by_a_constraint() -> None:
    old = virtual_machine()["spec"]["template"]["spec"]
    assert "affinity" in old
    marked = {"metadata": {"annotations": {machine_template.SPREADS: "true"}}}
    new = virtual_machine(marked)["spec"]["template"]["spec"]
    assert "affinity" not in new
    assert new["topologySpreadConstraints"][0]["whenUnsatisfiable"] == "ScheduleAnyway"


def test_new_and_upgrading_pools_are_marked() -> None:
    assert KUBEVIRT.check(facts()).annotations == {machine_template.SPREADS: "true"}
    stable = facts({"status": {"version": "4.21.3"}})
    assert KUBEVIRT.check(stable).annotations == {}


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"rootVolume": {"type": "Persistent"}}, "persistent storage field must be set"),
        ({"attachDefaultNetwork": False}, "default network cannot be disabled"),
        ({"hostDevices": [{"deviceName": "x", "count": 0}]}, "received: 0"),
    ],
)
def test_what_cannot_run_is_said(wanted: Manifest, why: str) -> None:
    report = KUBEVIRT.check(facts(**wanted))
    assert why in report.error
    assert report.conditions[0].type == "ValidMachineConfig"


def test_a_cached_image_is_cloned_once_its_copy_is_known() -> None:
    cached = ROOT | {"cacheStrategy": {"type": "PVC"}}
    with pytest.raises(InvalidSpec, match="no boot image source found"):
        virtual_machine(rootVolume=cached)
    status = {"status": {"platform": {"kubeVirt": {"cacheName": "kv-boot-image-cache-1"}}}}
    made = virtual_machine(status, rootVolume=cached)
    source = made["spec"]["dataVolumeTemplates"][0]["spec"]["source"]
    assert source == {"pvc": {"namespace": "clusters-demo", "name": "kv-boot-image-cache-1"}}


def test_an_unsupported_variant_boots_the_image_of_another_cloud() -> None:
    allowed = {"metadata": {"annotations": {boot_image.UNSUPPORTED_VARIANTS: "True"}}}
    given = pool_facts(
        "KubeVirt",
        {"rootVolume": ROOT},
        pool=allowed,
        stream={"x86_64": {**STREAM["x86_64"], "images": {}}},
    )
    image = boot_image.boot_image(given)
    assert (image.name, image.over_http) == ("https://x/q", True)


def test_a_patch_adds_and_replaces_and_keeps_the_order_of_fields() -> None:
    made = virtual_machine(
        patch(
            {"op": "replace", "path": "/spec/template/spec/domain/cpu/cores", "value": 7},
            {"op": "add", "path": "/spec/template/spec/domain/ioThreadsPolicy", "value": "auto"},
            {"op": "add", "path": "/spec/template/spec/domain/firmware/uuid", "value": "u"},
            {"op": "add", "path": "/spec/nonsense", "value": 1},
        )
    )
    domain = made["spec"]["template"]["spec"]["domain"]
    assert domain["cpu"] == {"cores": 7}
    assert list(domain) == ["resources", "cpu", "memory", "firmware", "devices", "ioThreadsPolicy"]
    assert "nonsense" not in made["spec"]


def test_a_patch_takes_nothing_away_but_annotations() -> None:
    path = "/spec/template/metadata/annotations"
    made = virtual_machine(
        patch(
            {"op": "remove", "path": "/spec/runStrategy"},
            {
                "op": "remove",
                "path": f"{path}/{_escaped('kubevirt.io/allow-pod-bridge-network-live-migration')}",
            },
        )
    )
    assert made["spec"]["runStrategy"] == "Always"
    assert len(made["spec"]["template"]["metadata"]["annotations"]) == 1


def _escaped(name: str) -> str:
    return name.replace("/", "~1")


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (
            {"op": "replace", "path": "/nope", "value": 1},
            "doc is missing key: /nope: missing value",
        ),
        ({"op": "remove", "path": "/a/b"}, 'doc is missing path: "/a/b": missing value'),
        ({"op": "test", "path": "/spec/runStrategy", "value": "Manual"}, "test failed"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(operation: Manifest, why: str) -> None:
    with pytest.raises(InvalidSpec, match=f"failed to apply json patch annotation.*{why}"):
        virtual_machine(patch(operation))


def test_what_is_no_patch_is_refused() -> None:
    broken = {"metadata": {"annotations": {vm_patch.ANNOTATION: '[{"op":"bend","path":"/a"}]'}}}
    with pytest.raises(InvalidSpec, match=r"wrong jsonpatch format: .*: unsupported operation"):
        virtual_machine(broken)


def test_a_class_without_a_name_is_a_class() -> None:
    persistent = {"size": "32Gi", "storageClass": "", "accessModes": []}
    root = {"type": "Persistent", "persistent": persistent}
    (volume,) = virtual_machine(rootVolume=root)["spec"]["dataVolumeTemplates"]
    assert volume["spec"]["storage"] == {
        "resources": {"requests": {"storage": "32Gi"}},
        "storageClassName": "",
    }
