"""Hashes and names against those of the original."""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.ignition import fingerprint
from hypershift.operators.hypershift.node_pool import global_config, names

REFERENCE = os.environ.get("HYPERSHIFT_REFERENCE", "")
pytestmark = [
    pytest.mark.reference,
    pytest.mark.skipif(not REFERENCE, reason="HYPERSHIFT_REFERENCE names no reference data"),
]


def cases(section: str) -> list[dict[str, Any]]:
    text = (Path(REFERENCE) / "nodepool-vectors" / "hashes.yaml").read_text()
    found: list[dict[str, Any]] = yaml.load(text, yaml.CSafeLoader)[section]["cases"]
    assert found
    return found


def test_hashes_of_texts_equal() -> None:
    for case in cases("hashSimpleString"):
        assert fingerprint.of_text(case["input"]) == case["hash"], case


def test_hashes_of_byte_slices_equal() -> None:
    for case in cases("hashSimpleBytes"):
        assert fingerprint.of_bytes(case["inputAsText"].encode()) == case["hash"], case


def test_hashes_of_other_go_values_equal_by_their_text() -> None:
    for case in cases("hashSimpleOther"):
        assert fingerprint.of_text(case["goText"]) == case["hash"], case


def test_hashes_of_json_equal() -> None:
    for case in cases("hashStruct"):
        if "json" in case:
            assert fingerprint.of_text(case["json"]) == case["hash"], case


def test_hashes_of_config_maps_equal() -> None:
    for case in cases("hashConfigMapData"):
        assert fingerprint.of_config_map(case["data"]) == case["hash"], case


def test_names_equal() -> None:
    for case in cases("names"):
        given = (case["base"], case["suffix"], case["max"])
        assert fingerprint.name(*given) == case["getName"], case
        assert fingerprint.shortened(*given) == case["shortenName"], case


def test_names_of_machine_resources_equal() -> None:
    for case in cases("machineDeploymentResourcesName"):
        name = names.resources_name(case["infraID"], case["clusterName"], case["nodePool"])
        assert name == case["name"], case


def test_control_plane_namespaces_equal() -> None:
    for case in cases("controlPlaneNamespace"):
        cluster = {"metadata": {"namespace": case["namespace"], "name": case["hostedCluster"]}}
        assert names.control_plane_namespace(cluster) == case["controlPlaneNamespace"], case


def test_empty_import_mode_is_cut_out_as_the_original_does() -> None:
    for case in cases("removeEmptyImageStreamImportMode"):
        assert global_config.without_empty_import_mode(case["input"]) == case["output"], case


def test_mirrored_config_names_equal() -> None:
    for case in cases("ntoNames"):
        name = fingerprint.shortened(case["configMap"], case["nodePool"], 63)
        assert name == case["mirrored"] == case["performanceProfile"], case
