"""What the tuning operator is shown of a pool's ConfigMaps."""

from hypershift.ignition.machine_config import MACHINE_CONFIG_API as API
from hypershift.operators.hypershift.node_pool import os_stream, tuning
from hypershift.operators.hypershift.node_pool.configuration import Source

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
