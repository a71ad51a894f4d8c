"""Hashes and names against those of the original."""

import json
import os
import re
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
import yaml

from hypershift.api import NodePool
from hypershift.api import read as typed
from hypershift.api.encryption import AWSKMSKey
from hypershift.component import encryption_keys
from hypershift.controlplane.kube_apiserver.encryption import aws
from hypershift.ignition import fingerprint
from hypershift.kit import Key
from hypershift.kit import names as kit_names
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import global_config, tuning

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
        if "error" in case:  # Go has values without JSON; Python's refuse too
            with pytest.raises(TypeError):
                fingerprint.of_json(object())
            continue
        assert fingerprint.of_text(case["json"]) == case["hash"], case
        assert fingerprint.of_json(json.loads(case["json"])) == case["hash"], case


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
        cluster = Key(case["namespace"], case["hostedCluster"])
        assert kit_names.control_plane_namespace(cluster) == case["controlPlaneNamespace"], case


def test_empty_import_mode_is_cut_out_as_the_original_does() -> None:
    for case in cases("removeEmptyImageStreamImportMode"):
        assert global_config.without_empty_import_mode(case["input"]) == case["output"], case


def test_mirrored_config_names_equal() -> None:
    for case in cases("ntoNames"):
        name = fingerprint.shortened(case["configMap"], case["nodePool"], 63)
        assert name == case["mirrored"] == case["performanceProfile"], case
        pool = {"metadata": {"name": case["nodePool"], "namespace": "clusters"}}
        tuned = tuning.tuned_config_map(typed(NodePool, pool), "clusters-demo", "")
        assert tuned["metadata"]["name"] == case["tuned"], case


def test_hosts_of_routes_equal() -> None:
    for case in cases("routeHost"):
        given = (case["name"], case["namespace"], case["baseDomain"])
        assert kit_names.route_host(*given) == case["host"], case


def test_infra_ids_equal_but_for_chance() -> None:
    for case in cases("infraID"):
        made = kit_names.infra_id(case["clusterName"], SystemRandom())
        assert len(made) == case["length"], case
        assert re.fullmatch(r"[bcdfghjklmnpqrstvwxz2456789]{5}", made[-5:]), case
        assert f"{made[:-5]}?????" == case["withoutRandom"], case


def test_names_of_encryption_keys_equal() -> None:
    for case in cases("aescbcKeyName"):
        assert encryption_keys.key_name(case["key"].encode()) == case["name"], case
    for case in cases("awsKMSProviderName"):
        assert aws.key_name(AWSKMSKey(arn=case["arn"])) == case["name"], case


def test_names_of_previous_signers_equal() -> None:
    for case in cases("revocationPreviousSignerSecret"):
        assert kit_names.previous_signer_secret(case["request"]) == case["secret"], case


def test_schedules_of_profiles_equal() -> None:
    for case in cases("collectProfilesSchedule"):
        schedule = kit_names.collect_profiles_schedule(case["namespace"])
        assert schedule == case["schedule"], case


def test_every_section_is_measured() -> None:
    text = (Path(REFERENCE) / "nodepool-vectors" / "hashes.yaml").read_text()
    sections = {
        name: found
        for name, found in yaml.load(text, yaml.CSafeLoader).items()
        if isinstance(found, dict) and "cases" in found
    }
    assert len(sections) == 16
    assert sum(len(found["cases"]) for found in sections.values()) == 182
    source = Path(__file__).read_text()
    assert all(f'cases("{name}")' in source for name in sections)
