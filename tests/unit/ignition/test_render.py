"""The payload of a pool's nodes."""

import json
from typing import Any

import pytest

from hypershift.ignition import Config, api_proxy, inline_contents, render
from hypershift.ignition.containerd import Mirror
from hypershift.kit import InvalidSpec, Manifest, Secret

PROXY = api_proxy.document(
    api_proxy.ApiProxy(
        internal="172.20.0.1",
        internal_port=6443,
        external="10.80.32.1",
        external_port=6443,
        image="registry.example/haproxy:1",
        interpreter="/bin/sh",
    )
)
SEPARATOR = "\n---\n"


def facts(*documents: str, **changed: Any) -> render.Facts:
    values: dict[str, Any] = {
        "config": SEPARATOR.join((PROXY, *documents)),
        "images": {"pause": "registry.example/pause:1"},
        "kubeconfig": {"kind": "Config", "users": [{"user": {"token": "s3cret"}}]},
        "authority": "CA",
        "service_networks": ("172.31.0.0/16",),
        "pull_secret": Secret(b'{"auths":{}}'),
    }
    return render.Facts(**values | changed)


def contents(config: Config, path: str) -> str:
    found = next(item for item in config.storage.files if item.path == path)
    return inline_contents(found.contents.source or "").decode()


def machine_config(name: str, **spec: Any) -> str:
    return json.dumps(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "MachineConfig",
            "metadata": {"name": name},
            "spec": spec,
        }
    )


def with_file(name: str, path: str, text: str) -> str:
    files = [{"path": path, "mode": 420, "contents": {"source": f"data:,{text}"}}]
    return machine_config(
        name, config={"ignition": {"version": "3.2.0"}, "storage": {"files": files}}
    )


def test_the_payload_joins_basics_and_api_proxy() -> None:
    config = render.configuration(facts())
    assert {unit.name for unit in config.systemd.units} == {
        "containerd.service",
        "kubelet.service",
        "apiserver-ip.service",
    }
    assert "10.80.32.1:6443" in contents(
        config, "/etc/kubernetes/apiserver-proxy-config/haproxy.cfg"
    )
    assert json.loads(contents(config, "/etc/kubernetes/kubelet.conf"))["clusterDNS"] == [
        "172.31.0.10"
    ]
    assert contents(config, render.CREDENTIALS) == '{"auths":{}}'


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert render.payload(facts()) == render.payload(facts())


def test_machine_configs_merge_by_name_and_the_last_wins_per_file() -> None:
    config = render.configuration(
        facts(with_file("90-b", "/etc/x", "second"), with_file("10-a", "/etc/x", "first"))
    )
    assert contents(config, "/etc/x") == "second"


def test_a_kubelet_config_wins_over_ours() -> None:
    document = json.dumps(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "KubeletConfig",
            "metadata": {"name": "k"},
            "spec": {"kubeletConfig": {"maxPods": 17}},
        }
    )
    config = render.configuration(facts(document))
    assert json.loads(contents(config, "/etc/kubernetes/kubelet.conf"))["maxPods"] == 17
    with pytest.raises(InvalidSpec, match="one KubeletConfig, this one has 2"):
        render.configuration(facts(document, document))


def test_a_container_runtime_config_becomes_kubelet_settings() -> None:
    document = json.dumps(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "ContainerRuntimeConfig",
            "metadata": {"name": "k"},
            "spec": {"containerRuntimeConfig": {"pidsLimit": 99}},
        }
    )
    config = render.configuration(facts(document))
    assert json.loads(contents(config, "/etc/kubernetes/kubelet.conf"))["podPidsLimit"] == 99


@pytest.mark.parametrize("field", ["kernelArguments", "extensions"])
def test_what_a_machine_cannot_honour_is_refused_by_name(field: str) -> None:
    with pytest.raises(InvalidSpec, match=f"MachineConfig 50-x: {field} cannot be honoured"):
        render.configuration(facts(machine_config("50-x", **{field: ["a"]})))


def test_mirror_sets_are_asked_before_the_sites_own() -> None:
    document = json.dumps(
        {
            "apiVersion": "config.openshift.io/v1",
            "kind": "ImageDigestMirrorSet",
            "metadata": {"name": "m"},
            "spec": {"imageDigestMirrors": [{"source": "quay.io", "mirrors": ["mirror.example"]}]},
        }
    )
    site = Mirror("quay.io", ("http://10.0.0.1:5000",))
    config = render.configuration(facts(document, mirrors=(site,)))
    hosts = contents(config, "/etc/containerd/certs.d/quay.io/hosts.toml")
    assert hosts.index('[host."https://mirror.example"]') < hosts.index(
        '[host."http://10.0.0.1:5000"]'
    )


def test_a_mirror_that_renames_repositories_is_refused() -> None:
    document = json.dumps(
        {
            "apiVersion": "config.openshift.io/v1",
            "kind": "ImageDigestMirrorSet",
            "metadata": {"name": "m"},
            "spec": {"imageDigestMirrors": [{"source": "quay.io/a", "mirrors": ["m.example/b"]}]},
        }
    )
    with pytest.raises(InvalidSpec, match="renames repositories"):
        render.configuration(facts(document))


def test_secrets_do_not_show_in_the_facts() -> None:
    assert "s3cret" not in repr(facts())
    assert "auths" not in repr(facts())


def test_the_api_proxy_listens_on_ipv6_where_the_cluster_does() -> None:
    wanted = {"internal_port": 6443, "external": "10.80.32.1", "external_port": 6443, "image": "i"}
    shell = api_proxy.ApiProxy(internal="fd00::1", interpreter="/bin/sh", **wanted)  # type: ignore[arg-type]
    setup, teardown, haproxy, _pod = api_proxy.ignition(shell)["storage"]["files"]
    assert "ip -6 addr add fd00::1/128 dev lo\n" in inline_contents(source(setup)).decode()
    assert "ip -6 addr delete fd00::1/128 dev lo\n" in inline_contents(source(teardown)).decode()
    assert "bind fd00::1:6443\n" in inline_contents(source(haproxy)).decode()
    bash = api_proxy.ApiProxy(internal="fd00::1", **wanted)  # type: ignore[arg-type]
    setup, *_ = api_proxy.ignition(bash)["storage"]["files"]
    assert "ip addr add fd00::1/32 brd fd00::1" in inline_contents(source(setup)).decode()


def source(found: Manifest) -> str:
    return str(found["contents"]["source"])
