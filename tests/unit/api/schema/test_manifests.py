"""Which definitions there are, and what each gate changes."""

from typing import Any

from hypershift.api.kind import Cluster
from hypershift.api.schema import FeatureSet, crds, files


def by_name(manifests: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {manifest["metadata"]["name"]: manifest for manifest in manifests}


def paths(schema: dict[str, Any], at: str = "") -> dict[str, Any]:
    found = {at: {key: schema[key] for key in schema if key not in ("properties", "items")}}
    for name, below in schema.get("properties", {}).items():
        found |= paths(below, f"{at}.{name}")
    if "items" in schema:
        found |= paths(schema["items"], f"{at}[]")
    return found


def schema(manifest: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = manifest["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return paths(found)


def test_every_file_of_the_three_feature_sets_is_named_as_the_original_names_it() -> None:
    names = {str(path) for path in files()}
    assert len(names) == 26
    generated = "hypershift-operator/zz_generated.crd-manifests"
    assert f"{generated}/hostedclusters-Hypershift-TechPreviewNoUpgrade.crd.yaml" in names
    assert f"{generated}/nodepools-Default.crd.yaml" in names
    assert f"{generated}/controlplanecomponents.crd.yaml" in names
    assert f"{generated}/hcpetcdbackups-CustomNoUpgrade.crd.yaml" in names
    assert f"{generated}/hcpetcdbackups-Default.crd.yaml" not in names
    assert "karpenter-operator/karpenter.sh_nodepools.yaml" in names


def test_a_single_feature_set_has_one_definition_per_kind() -> None:
    manifests = files([FeatureSet.DEFAULT]).values()
    names = [manifest["metadata"]["name"] for manifest in manifests]
    assert len(names) == len(set(names)) == 16


def test_the_control_plane_is_installed_with_its_cluster_api_contract() -> None:
    manifest = by_name(crds())["hostedcontrolplanes.hypershift.openshift.io"]
    assert manifest["metadata"]["labels"] == {"cluster.x-k8s.io/v1beta1": "v1beta1"}


def test_local_kinds_come_with_our_gate_and_fulfil_the_newer_contract() -> None:
    assert not any("local" in name for name in by_name(crds()))
    local = by_name(crds(gates=["LocalPlatform"]))
    for plural in ("localclusters", "localmachines", "localmachinetemplates"):
        manifest = local[f"{plural}.infrastructure.local.hypershift.io"]
        assert manifest["metadata"]["labels"] == {"cluster.x-k8s.io/v1beta2": "v1beta1"}


def test_our_gate_adds_the_local_platform_and_changes_nothing_but_rules_about_platforms() -> None:
    for plural in ("hostedclusters", "hostedcontrolplanes", "nodepools"):
        name = f"{plural}.hypershift.openshift.io"
        before = schema(by_name(crds())[name])
        after = schema(by_name(crds(gates=["LocalPlatform"]))[name])
        added = after.keys() - before.keys()
        assert added
        assert all(path.startswith(".spec.platform.local") for path in added)
        changed = {path for path in before if before[path] != after[path]}
        assert changed == {".spec", ".spec.platform.type"}


def test_scale_from_zero_is_allowed_on_local_machines_with_our_gate_alone() -> None:
    def rules(gates: list[str]) -> list[str]:
        found = schema(by_name(crds(gates=gates))["nodepools.hypershift.openshift.io"])
        return [rule["rule"] for rule in found[".spec"]["x-kubernetes-validations"]]

    assert not any("Local" in rule for rule in rules([]))
    assert sum("Local" in rule for rule in rules(["LocalPlatform"])) == 2
    assert len(rules([])) == len(rules(["LocalPlatform"]))


def test_a_hosted_cluster_gets_the_node_class_and_karpenters_own_kinds() -> None:
    assert set(by_name(crds(cluster=Cluster.HOSTED))) == {
        "openshiftec2nodeclasses.karpenter.hypershift.openshift.io",
        "ec2nodeclasses.karpenter.k8s.aws",
        "nodeclaims.karpenter.sh",
        "nodeoverlays.karpenter.sh",
        "nodepools.karpenter.sh",
    }
