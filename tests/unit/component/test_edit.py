"""Edits return a changed manifest and leave the given one as it was."""

import copy
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from hypershift.component import edit
from hypershift.kit import Manifest

DEPLOYMENT: Manifest = {
    "kind": "Deployment",
    "metadata": {"name": "one"},
    "spec": {
        "template": {
            "spec": {
                "initContainers": [{"name": "first", "args": ["a"]}],
                "containers": [
                    {"name": "main", "env": [{"name": "A", "value": "1"}]},
                    {"name": "side", "volumeMounts": [{"name": "v", "mountPath": "/v"}]},
                ],
                "volumes": [{"name": "v", "emptyDir": {}}],
            }
        }
    },
}


def spec(manifest: Manifest) -> Manifest:
    found: Manifest = manifest["spec"]["template"]["spec"]
    return found


def test_the_original_stays_as_it_was() -> None:
    before = copy.deepcopy(DEPLOYMENT)
    changed = edit.add_args(DEPLOYMENT, "main", ["--x"])
    changed = edit.add_volumes(changed, {"name": "w", "emptyDir": {}})
    changed = edit.drop_containers(edit.label(changed, {"l": "1"}), "side")
    assert before == DEPLOYMENT
    assert changed != before


def test_arguments_go_to_the_container_named() -> None:
    changed = edit.add_args(DEPLOYMENT, "first", ["b"])
    assert spec(changed)["initContainers"][0]["args"] == ["a", "b"]
    assert spec(changed)["containers"] == spec(DEPLOYMENT)["containers"]


def test_an_environment_variable_is_replaced_in_its_place() -> None:
    changed = edit.set_env(DEPLOYMENT, "main", {"B": "2", "A": "3"})
    assert spec(changed)["containers"][0]["env"] == [
        {"name": "A", "value": "3"},
        {"name": "B", "value": "2"},
    ]


def test_a_dropped_volume_takes_its_mounts_with_it() -> None:
    changed = edit.drop_volumes(DEPLOYMENT, "v")
    assert spec(changed)["volumes"] == []
    assert "volumeMounts" not in spec(changed)["containers"][1]


def test_json_inside_a_config_map_is_merged() -> None:
    config = {"kind": "ConfigMap", "data": {"c": '{"a": {"b": 1}, "d": [1]}'}}
    merged = edit.merge_json(config, "c", {"a": {"e": 2}, "d": [3]})
    assert json.loads(merged["data"]["c"]) == {"a": {"b": 1, "e": 2}, "d": [3]}


def test_a_secrets_values_are_encoded_and_a_config_maps_are_not() -> None:
    assert edit.set_data({"kind": "Secret"}, {"a": "x"})["data"] == {"a": "eA=="}
    assert edit.set_data({"kind": "ConfigMap"}, {"a": "x"})["data"] == {"a": "x"}


def test_a_cron_jobs_pod_is_found_deeper() -> None:
    cron = {"kind": "CronJob", "spec": {"jobTemplate": {"spec": {"template": {"spec": {}}}}}}
    changed = edit.change_pod(cron, lambda pod: edit.put(pod, ("spec", "x"), 1))
    assert changed["spec"]["jobTemplate"]["spec"]["template"]["spec"] == {"x": 1}


@given(st.text(alphabet="$()aB"))
def test_a_literal_text_survives_the_expansion_of_the_kubelet(text: str) -> None:
    assert expanded(edit.literal(text)) == text


def expanded(text: str) -> str:
    """What programs see, as Kubernetes expands it: each variable is there."""
    out, at = "", 0
    while at < len(text):
        name = re.match(r"\$\(([^)]*)\)", text[at:])
        if text.startswith("$$", at):
            out, at = out + "$", at + 2
        elif name:
            out, at = out + "expanded", at + name.end()
        else:
            out, at = out + text[at], at + 1
    return out
