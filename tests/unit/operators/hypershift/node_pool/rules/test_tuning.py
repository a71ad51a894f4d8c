"""What the tuning operator is shown of a pool's ConfigMaps."""

import pytest
import yaml

from hypershift.ignition.machine_config import MACHINE_CONFIG_API as API
from hypershift.kit import InvalidSpec
from hypershift.operators.hypershift.node_pool.rules import os_stream, tuning
from hypershift.operators.hypershift.node_pool.rules.configuration import Source

KUBELET = f"apiVersion: {API}\nkind: KubeletConfig\nmetadata: {{name: k}}\n"
RUNTIME = f"apiVersion: {API}\nkind: ContainerRuntimeConfig\nmetadata: {{name: r}}\n"
RUNC = f"{RUNTIME}spec: {{containerRuntimeConfig: {{defaultRuntime: runc}}}}\n"


def test_a_copy_has_everything_of_its_original_and_all_its_reasons() -> None:
    config = f"{KUBELET}---\n{RUNTIME}"
    source = Source("own", config, {"config": config, "notes": "why"})
    made = tuning.mirrored("workers", "plane", tuning.mirrors([source]))
    assert [one["data"] for one in made] == [{"config": config, "notes": "why"}]
    assert made[0]["metadata"]["labels"] == {
        "hypershift.openshift.io/nodePool": "workers",
        tuning.MIRRORED: "true",
        tuning.KUBELET_CONFIG: "true",
        tuning.RUNTIME_CONFIG: "true",
    }


def test_two_kubelet_configs_in_one_config_map_are_too_many() -> None:
    wanted = tuning.mirrors([Source("own", f"{KUBELET}---\n{KUBELET}")])
    assert "user provided KubeletConfigs [own own]" in tuning.why_too_many("workers", [], wanted)


def test_runc_is_found_behind_documents_that_cannot_be_read() -> None:
    assert os_stream.uses_runc([f"kind: Pod\n---\n{RUNC}"])
    assert os_stream.uses_runc([f"--- x\n{RUNC}"])
    assert not os_stream.uses_runc([RUNTIME, KUBELET, ""])


TUNED = "apiVersion: tuned.openshift.io/v1\nkind: Tuned\nmetadata: {name: t}\n"
PROFILE = "apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\n"
SELECTOR = 'nodeSelector: {node-role.kubernetes.io/worker: ""}'
CPUS = 'cpu: {isolated: 1-3, reserved: "0"}'


def a_profile(*fields: str) -> str:
    return PROFILE + "metadata: {name: p}\nspec:\n" + "".join(f"  {one}\n" for one in fields)


def read(*texts: str | None) -> tuning.Tuning:
    sources = ((f"t{number}", text) for number, text in enumerate(texts))
    return tuning.tuning(
        (name, None if text is None else {"data": {"tuning": text}}) for name, text in sources
    )


def refused(*texts: str | None) -> str:
    with pytest.raises(InvalidSpec) as caught:
        read(*texts)
    return str(caught.value)


def test_what_go_shows_of_a_tuned_is_written() -> None:
    text = f"""{TUNED}spec:
  recommend: [{{priority: 20, profile: p, match: [{{label: l, match: [{{label: m}}]}}]}}]
"""
    assert yaml.safe_load(read(text).tuned)["spec"] == {
        "profile": None,
        "recommend": [
            {
                "priority": 20,
                "profile": "p",
                "match": [{"label": "l", "match": [{"label": "m"}]}],
                "operand": {"tunedConfig": {"reapply_sysctl": None}},
            }
        ],
    }


def test_fields_that_nobody_knows_are_refused_with_their_places() -> None:
    text = f"{TUNED}spec: {{profile: [{{name: p, data: d, sumary: s}}], typo: 1}}\n"
    assert refused(text) == (
        'configmap "t0" failed validation: error decoding config: strict decoding error: '
        'unknown field "spec.profile[0].sumary", unknown field "spec.typo"'
    )


def test_what_is_missing_is_told_before_what_is_wrong() -> None:
    assert refused("hello: world\n", None) == (
        '[configmaps "t1" not found, configmap "t0" failed validation: error decoding config: '
        "Object 'Kind' is missing in 'hello: world\n']"
    )
    assert refused(TUNED.replace("kind: Tuned", "kind: Profile")) == (
        'configmap "t0" failed validation: unsupported tuningConfig object type: *v1.Profile'
    )


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ((SELECTOR,), "spec.cpu: Required value: cpu section required"),
        (
            ('cpu: {isolated: "1"}', SELECTOR),
            "spec.cpu.reserved: Required value: reserved CPUs required",
        ),
        (
            ('cpu: {isolated: 3-1, reserved: "0"}', SELECTOR),
            'spec.cpu: Internal error: invalid range "3-1" (3 > 1)',
        ),
        (
            ('cpu: {isolated: 1-3, reserved: ""}', SELECTOR),
            'spec.cpu.reserved: Invalid value: "": reserved CPUs can not be empty',
        ),
        ((CPUS,), "spec.nodeSelector: Required value: the nodeSelector required"),
        (
            (CPUS, SELECTOR, "hugepages: {pages: [{size: 1G, count: 1}]}"),
            (
                "spec.hugepages.defaultHugepagesSize: Required value: defaultHugepagesSize must "
                "be specified when hugepages are configured"
            ),
        ),
        (
            (
                CPUS,
                SELECTOR,
                "hugepages: {defaultHugepagesSize: 1G, pages: [{size: 1G, count: 1}, {size: 1G}]}",
            ),
            (
                'spec.hugepages.pages: Invalid value: [{"size":"1G","count":1},{"size":"1G"}]: the '
                'page with the size "1G" and without the specified NUMA node, has duplication'
            ),
        ),
        (
            (CPUS, SELECTOR, "numa: {topologyPolicy: some}"),
            (
                'spec.numa.topologyPolicy: Invalid value: "some": unrecognized value for '
                "topologyPolicy"
            ),
        ),
        (
            (CPUS, SELECTOR, "net: {devices: [{deviceID: '0x1'}]}"),
            (
                'spec.net.devices: Invalid value: [{"deviceID":"0x1"}]: device model ID can not '
                "be used without specifying the device vendor ID."
            ),
        ),
        (
            (CPUS, SELECTOR, "workloadHints: {mixedCpus: true}"),
            (
                "spec.workloadHints.MixedCpus: Invalid value: true: Invalid WorkloadHints "
                "configuration: MixedCpus enabled but no shared CPUs were specified"
            ),
        ),
        (
            (CPUS, SELECTOR, "hardwareTuning: {isolatedCpuFreq: 5}"),
            (
                'spec.hardwareTuning: Invalid value: {"isolatedCpuFreq":5}: both isolated and '
                "reserved cpu frequency must be declared"
            ),
        ),
    ],
)
def test_a_profile_that_nodes_could_not_have_is_refused(fields: tuple[str, ...], why: str) -> None:
    prefix = 'configmap "t0" failed validation: PerformanceProfile validation failed pp:p : '
    assert refused(a_profile(*fields)).split("\n")[0] == prefix + why


def test_a_profile_that_nodes_can_have_is_written() -> None:
    pages = "hugepages: {defaultHugepagesSize: 1G, pages: [{size: 1G, count: 4, node: 0}]}"
    found = yaml.safe_load(read(a_profile(CPUS, SELECTOR, pages)).profile)
    assert found["spec"]["hugepages"]["pages"] == [{"size": "1G", "count": 4, "node": 0}]
