"""Documents for machines: accepted, refused and re-encoded."""

import re
from typing import Any

import pytest
import yaml

from hypershift.ignition import machine_config
from hypershift.kit import InvalidSpec

KUBELET = """\
apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata: {name: k}
spec: {kubeletConfig: {maxPods: 500}}
"""


def test_a_kubelet_config_selects_the_pool_of_every_machine() -> None:
    document = machine_config.read(KUBELET)
    selector = {"matchLabels": {machine_config.BUILT_IN_POOL_LABEL: ""}}
    assert document.content["spec"]["machineConfigPoolSelector"] == selector
    assert "maxPods: 500" in document.text


def test_a_machine_config_always_has_the_worker_role() -> None:
    text = KUBELET.replace("KubeletConfig", "MachineConfig")
    document = machine_config.read(text)
    assert document.content["metadata"]["labels"] == {machine_config.ROLE_LABEL: "worker"}


def test_other_kinds_are_refused_by_name() -> None:
    with pytest.raises(InvalidSpec, match='no kind "Pod" is registered for version "v1"'):
        machine_config.read("apiVersion: v1\nkind: Pod\n")


def test_documents_are_split_at_separators_alone() -> None:
    text = "a: |\n  x\n--- # next\nb: 1\n---\n"
    assert list(machine_config.documents(text)) == ["a: |\n  x\n", "b: 1\n"]


def test_windows_line_ends_become_plain() -> None:
    assert list(machine_config.documents("a: 1\r\nb: 2")) == ["a: 1\nb: 2\n"]


API = machine_config.MACHINE_CONFIG_API


def a_kubelet(body: str) -> dict[str, Any]:
    text = f"apiVersion: {API}\nkind: KubeletConfig\n{body}\n"
    content: dict[str, Any] = yaml.safe_load(machine_config.read(text).text)
    return content


def test_what_came_with_the_document_from_a_cluster_stays() -> None:
    content = a_kubelet(
        """
metadata:
  name: k
  creationTimestamp: "2026-01-01T01:00:00.5+01:00"
  deletionGracePeriodSeconds: 0
  labels: {empty: null}
  managedFields: [{manager: me, operation: Apply, fieldsV1: {"f:spec": {}}}, null]
spec: {logLevel: 5.0, tlsSecurityProfile: {custom: {groups: [X25519]}}}
status: {observedGeneration: 2, conditions: [{type: Success, status: "True"}]}
"""
    )
    assert content["metadata"] == {
        "name": "k",
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "deletionGracePeriodSeconds": 0,
        "labels": {"empty": ""},
        "managedFields": [{"manager": "me", "operation": "Apply", "fieldsV1": {"f:spec": {}}}, {}],
    }
    assert content["spec"]["logLevel"] == 5
    assert content["spec"]["tlsSecurityProfile"] == {
        "type": "",
        "custom": {"ciphers": None, "groups": ["X25519"], "minTLSVersion": ""},
    }
    condition = {"type": "Success", "status": "True", "lastTransitionTime": None}
    assert content["status"] == {"observedGeneration": 2, "conditions": [condition]}


def test_stores_of_the_container_runtime_are_kept() -> None:
    text = f"""apiVersion: {API}
kind: ContainerRuntimeConfig
spec:
  containerRuntimeConfig:
    additionalImageStores: [{{path: /a, other: 1}}]
    additionalLayerStores: []
"""
    spec = yaml.safe_load(machine_config.read(text).text)["spec"]
    assert spec["containerRuntimeConfig"] == {"additionalImageStores": [{"path": "/a"}]}


def test_a_null_in_a_list_is_an_empty_text() -> None:
    text = f"apiVersion: {API}\nkind: MachineConfig\nspec: {{kernelArguments: [a, null]}}\n"
    spec = yaml.safe_load(machine_config.read(text).text)["spec"]
    assert spec["kernelArguments"] == ["a", ""]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "just words\n",
            (
                "error decoding config: couldn't get version/kind; json parse error: json: cannot "
                'unmarshal string into Go value of type struct { APIVersion string "json:'
                '\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
            ),
        ),
        ("kind: 5\n", "cannot unmarshal number into Go struct field .kind of type string"),
        ("kind: Pod\n", "error decoding config: Object 'apiVersion' is missing in 'kind: Pod\n'"),
        ("apiVersion: a/b/c\nkind: Pod\n", "unexpected GroupVersion string: a/b/c"),
        (
            f"apiVersion: {API}\nkind: Pod\n",
            f'no kind "Pod" is registered for version "{API}" in scheme',
        ),
        (
            "apiVersion: config.openshift.io/v1alpha1\nkind: Backup\n",
            "unsupported config type: *v1alpha1.Backup",
        ),
        (
            (
                "apiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\n"
                "spec: {imageDigestMirrors: quay.io}\n"
            ),
            (
                "json: cannot unmarshal string into Go struct field "
                "ImageDigestMirrorSetSpec.spec.imageDigestMirrors of type []v1.ImageDigestMirrors"
            ),
        ),
        (
            f"apiVersion: {API}\nkind: KubeletConfig\nspec: {{logLevel: 1.5}}\n",
            "cannot unmarshal number 1.5 into Go struct field KubeletConfigSpec.spec.logLevel",
        ),
        (
            f"apiVersion: {API}\nkind: KubeletConfig\nspec: []\n",
            (
                "cannot unmarshal array into Go struct field KubeletConfig.spec of type "
                "v1.KubeletConfigSpec"
            ),
        ),
        (
            f"apiVersion: {API}\nkind: KubeletConfig\nmetadata: {{creationTimestamp: now}}\n",
            'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
        ),
    ],
)
def test_a_document_that_is_none_of_ours_is_refused_in_the_original_words(
    text: str, why: str
) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(why)):
        machine_config.read(text)


def test_a_line_that_begins_like_a_separator_is_refused() -> None:
    text = "kind: A\n--- kind: B\nkind: C\n--- # fine\nkind: D\n---\n---\n"
    parts = list(machine_config.parts(text))
    assert [str(part) for part in parts] == [
        "invalid Yaml document separator: kind: B",
        "kind: C\n",
        "kind: D\n",
        "---\n",
    ]
    with pytest.raises(InvalidSpec, match="separator: kind: B"):
        list(machine_config.documents(text))
