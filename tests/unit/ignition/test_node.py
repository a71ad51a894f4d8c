import json
import tomllib
from typing import Any

from hypershift.ignition import (
    Config,
    Mirror,
    NodeSettings,
    decode,
    encode,
    inline_contents,
    node_config,
    token_kubeconfig,
)
from hypershift.kit import Secret


def settings(**changes: Any) -> NodeSettings:
    plain: dict[str, Any] = {
        "authority": "-----BEGIN CERTIFICATE-----\n",
        "kubeconfig": token_kubeconfig("https://api:6443", "CA", Secret("abc.def")),
        "bootstrap": True,
        "sandbox_image": "registry.example/pause:1",
        "cluster_dns": ("172.30.0.10",),
    }
    return NodeSettings(**plain | changes)


def text(config: Config, path: str) -> str:
    (found,) = [one for one in config.storage.files if one.path == path]
    return inline_contents(found.contents.source or "").decode()


def unit(config: Config, name: str) -> str:
    (found,) = [one for one in config.systemd.units if one.name == name]
    assert found.enabled
    return found.contents or ""


def test_the_same_settings_give_the_same_bytes() -> None:
    assert encode(node_config(settings())) == encode(node_config(settings()))


def test_the_configuration_is_one_that_machines_accept() -> None:
    config = node_config(settings())
    assert decode(encode(config)) == config


def test_containerd_can_run_without_the_right_to_lower_oom_scores() -> None:
    plugins = tomllib.loads(text(node_config(settings()), "/etc/containerd/config.toml"))["plugins"]
    runtime = plugins["io.containerd.cri.v1.runtime"]
    assert runtime["restrict_oom_score_adj"] is True
    assert runtime["disable_apparmor"] is True
    assert runtime["containerd"]["runtimes"]["runc"]["options"]["SystemdCgroup"] is False
    images = plugins["io.containerd.cri.v1.images"]
    assert images["pinned_images"]["sandbox"] == "registry.example/pause:1"
    assert images["registry"]["config_path"] == "/etc/containerd/certs.d"


def test_a_mirrored_registry_is_asked_at_its_endpoints() -> None:
    mirror = Mirror("registry.example", ("http://10.0.0.1:5000",))
    config = node_config(settings(mirrors=(mirror,)))
    hosts = tomllib.loads(text(config, "/etc/containerd/certs.d/registry.example/hosts.toml"))
    assert hosts["server"] == "http://10.0.0.1:5000"
    assert hosts["host"]["http://10.0.0.1:5000"]["capabilities"] == ["pull", "resolve"]


def test_what_the_user_sets_for_the_kubelet_wins() -> None:
    config = node_config(settings(kubelet={"maxPods": 7, "evictionHard": {"pid.available": "9%"}}))
    kubelet = json.loads(text(config, "/etc/kubernetes/kubelet.conf"))
    assert kubelet["maxPods"] == 7
    assert kubelet["evictionHard"]["pid.available"] == "9%"
    assert kubelet["evictionHard"]["memory.available"]
    assert kubelet["failCgroupV1"] is False


def test_a_bootstrap_kubeconfig_is_not_the_kubelets_own() -> None:
    config = node_config(settings())
    assert "abc.def" in text(config, "/etc/kubernetes/kubeconfig")
    assert "--bootstrap-kubeconfig=/etc/kubernetes/kubeconfig" in unit(config, "kubelet.service")


def test_a_node_with_a_certificate_does_not_bootstrap() -> None:
    config = node_config(settings(bootstrap=False))
    assert text(config, "/var/lib/kubelet/kubeconfig")
    assert "bootstrap" not in unit(config, "kubelet.service")


def test_kubeconfigs_are_for_root_alone() -> None:
    modes = {one.path: one.mode for one in node_config(settings()).storage.files}
    assert modes["/etc/kubernetes/kubeconfig"] == 0o600


def test_a_proxy_with_a_password_is_written_as_systemd_reads_it() -> None:
    proxy = {"HTTP_PROXY": 'http://us%40er:p"a\\$$w${X}@proxy.test:3128'}
    config = node_config(settings(environment=proxy))
    # `%` begins a specifier; `$` means nothing here, unlike in a command line.
    expected = r'Environment="HTTP_PROXY=http://us%%40er:p\"a\\$$w${X}@proxy.test:3128"'
    for name in ("kubelet.service", "containerd.service"):
        assert expected in unit(config, name).splitlines()


def test_labels_and_variables_reach_the_unit() -> None:
    config = node_config(settings(labels={"b": "2", "a": "1"}, environment={"GOGC": "50"}))
    kubelet = unit(config, "kubelet.service")
    assert "--node-labels=a=1,b=2,${MACHINE_NODE_LABELS}" in kubelet
    assert 'Environment="GOGC=50"' in kubelet
    assert 'Environment="GOGC=50"' in unit(config, "containerd.service")


def test_the_token_does_not_show_in_a_log_of_the_settings() -> None:
    assert "abc.def" not in repr(settings())


def test_a_node_has_addresses_of_the_families_of_services() -> None:
    for addresses, told in (
        (("172.30.0.10",), "--node-ip=${MACHINE_NODE_IP} "),
        (("172.30.0.10", "fd02::a"), "--node-ip=${MACHINE_NODE_IP},${MACHINE_NODE_IP6} "),
        (("fd02::a",), "--node-ip=${MACHINE_NODE_IP6} "),
    ):
        kubelet = unit(node_config(settings(cluster_dns=addresses)), "kubelet.service")
        assert told in kubelet


def test_pods_without_ipv4_ask_name_servers_that_they_reach() -> None:
    for addresses, place in (
        (("172.30.0.10", "fd02::a"), "/etc/resolv.conf"),
        (("fd02::a",), "/run/metadata/resolv6.conf"),
    ):
        config = node_config(settings(cluster_dns=addresses))
        assert json.loads(text(config, "/etc/kubernetes/kubelet.conf"))["resolvConf"] == place
        assert ("cp /etc/resolv.conf " in unit(config, "kubelet.service")) == ("run" in place)
