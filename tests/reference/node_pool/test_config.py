"""The generated configuration of a pool, byte for byte as the original's."""

import base64
import os
import re
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

from hypershift.api import HostedCluster, NodePool
from hypershift.api import read as typed
from hypershift.api.defaults import zeroed
from hypershift.api.struct import Shape
from hypershift.ignition import api_proxy as proxy_document
from hypershift.ignition import fingerprint
from hypershift.kit import HypershiftError, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import (
    api_access,
    cluster_configuration,
    configuration,
    os_stream,
)

REFERENCE = os.environ.get("HYPERSHIFT_REFERENCE", "")
VECTORS = Path(REFERENCE or "/nonexistent") / "nodepool-vectors" / "config"
pytestmark = [
    pytest.mark.reference,
    pytest.mark.skipif(not REFERENCE, reason="HYPERSHIFT_REFERENCE names no reference data"),
]
CASES = sorted(path.stem for path in VECTORS.glob("*.yaml"))
SKIPS_HAPROXY = "io.openshift.hypershift.control-plane-operator-skips-haproxy"
SHARED_IMAGE = (
    "quay.io/redhat-user-workloads/crt-redhat-acm-tenant/hypershift-shared-ingress-main"
    "@sha256:1af59b7a29432314bde54e8977fa45fa92dc48885efbf0df601418ec0912f472"
)


def read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(), yaml.CSafeLoader)
    return loaded


class World:
    """The objects of a case, and the questions that the controller asks of them."""

    def __init__(self, case: str) -> None:
        common, own = (
            read(VECTORS / "inputs" / "every-case.yaml"),
            read(VECTORS / "inputs" / f"{case}.yaml"),
        )
        self.hosted_cluster: Manifest = own["hostedCluster"]
        self.pool: Manifest = own["nodePool"]
        self.release = common["release"] | (own.get("release") or {})
        self.environment = own.get("environment") or {}
        self.namespace = control_plane_namespace(key_of(self.hosted_cluster))
        removed = set(own.get("without") or ())
        named = {self._name(item): item for item in common["objects"]}
        named = {
            name: item
            for name, item in named.items()
            if name.split("/", 1)[0] + "/" + name.rsplit("/", 1)[1] not in removed
        }
        for item in own.get("objects") or ():
            named[self._name(item)] = item
        self.objects = named

    @staticmethod
    def _name(item: Manifest) -> str:
        metadata = item["metadata"]
        return f"{item['kind']}/{metadata.get('namespace', '')}/{metadata['name']}"

    @property
    def release_version(self) -> str:
        tag = self.pool["spec"]["release"]["image"].rsplit(":", 1)[1]
        return re.sub(r"-(x86_64|multi|aarch64)$", "", tag)

    def config_maps(self, **labels: str) -> list[Manifest]:
        return [
            item
            for item in self.objects.values()
            if item["kind"] == "ConfigMap"
            and item["metadata"].get("namespace") == self.namespace
            and labels.items() <= (item["metadata"].get("labels") or {}).items()
        ]

    @property
    def own_proxy(self) -> bool:
        return (self.release.get("controlPlaneOperatorLabels") or {}).get(SKIPS_HAPROXY) == "true"

    def core(self) -> list[str]:
        found = self.config_maps(**{names.CORE_CONFIG: "true"})
        return [
            item["data"]["config"]
            for item in found
            if not (
                self.own_proxy and item["metadata"]["name"] == "ignition-config-apiserver-haproxy"
            )
        ]

    @property
    def cluster(self) -> HostedCluster:
        return as_written(HostedCluster, self.hosted_cluster)

    @property
    def nodes(self) -> NodePool:
        return as_written(NodePool, self.pool)

    def sources(self) -> list[configuration.Source]:
        user = [
            configuration.Source(
                name,
                (item.get("data") or {}).get("config", "")
                if (
                    item := self.objects.get(
                        f"ConfigMap/{self.pool['metadata']['namespace']}/{name}"
                    )
                )
                else None,
            )
            for name in (entry["name"] for entry in self.pool["spec"].get("config") or ())
        ]
        disabled = (self.hosted_cluster["spec"].get("capabilities") or {}).get("disabled") or ()
        if "NodeTuning" in disabled:
            return user
        label = {names.NTO_CONFIG: "true", names.NODE_POOL: self.pool["metadata"]["name"]}
        return user + [
            configuration.Source(item["metadata"]["name"], item["data"]["config"])
            for item in self.config_maps(**label)
        ]

    def kubeconfig(self) -> str | None:
        reference = (self.hosted_cluster.get("status") or {}).get("kubeConfig")
        if not reference:
            return None
        secret = self.objects[
            f"Secret/{self.hosted_cluster['metadata']['namespace']}/{reference['name']}"
        ]
        return base64.b64decode(secret["data"]["kubeconfig"]).decode()

    def shared_ingress(self) -> api_access.SharedIngress | None:
        if self.environment.get("MANAGED_SERVICE") != "ARO-HCP":
            return None
        service = self.objects["Service/hypershift-sharedingress/router"]
        ingress = ((service.get("status") or {}).get("loadBalancer") or {}).get("ingress") or []
        return api_access.SharedIngress(SHARED_IMAGE, ingress[0]["ip"] if ingress else "")

    def api_proxy(self) -> str:
        if not self.own_proxy:
            return ""
        return proxy_document.document(
            api_access.api_proxy(
                self.cluster,
                self.nodes,
                images=api_access.Images(
                    self.release["tags"], self.release.get("canonicalTags") or {}
                ),
                kubeconfig=self.kubeconfig(),
                canonical=api_access.wants_canonical(self.nodes, self.release_version),
                shared_ingress=self.shared_ingress(),
            )
        )

    def runc(self) -> bool:
        return os_stream.uses_runc([source.config or "" for source in self.sources()])

    def config(self) -> configuration.PoolConfig:
        proxy = self.api_proxy()
        sources = self.sources()
        core = self.core()
        runc = not any(source.config is None for source in sources) and self._runc_or_none()
        return configuration.pool_config(
            self.cluster,
            self.hosted_cluster["spec"].get("configuration"),
            core=core,
            sources=sources,
            api_proxy=proxy,
            release_version=self.release_version,
            os_stream=os_stream.in_hash(self.nodes, self.release_version, runc=runc),
        )

    def _runc_or_none(self) -> bool:
        try:
            return self.runc()
        except HypershiftError:
            return False


T = TypeVar("T", bound=Shape)


def as_written(shape: type[T], manifest: Manifest) -> T:
    """The object as Go reads it before a server has set defaults."""
    return typed(shape, zeroed(shape, manifest))


def comparable(error: str) -> str:
    """Without the source file of the original that some of its errors name."""
    return re.sub(r' "github\.com/[^"]*"', "", error)


@pytest.mark.parametrize("case", CASES)
def test_configuration_and_hashes_equal(case: str) -> None:
    world, expected = World(case), read(VECTORS / f"{case}.yaml")
    if "unstable" in expected:
        pytest.skip("the original gives another result in each run")
    if "error" in expected:
        with pytest.raises(HypershiftError) as caught:
            world.config()
        assert str(caught.value) == comparable(expected["error"])
        return
    config = world.config()
    assert config.raw == expected["mcoRawConfig"]
    assert config.global_config == expected["globalConfig"]
    assert config.hash == expected["hash"]
    assert config.hash_without_version == expected["hashWithoutVersion"]
    assert config.os_stream == expected["rhelStreamInHash"]
    settings = world.hosted_cluster["spec"].get("configuration")
    assert cluster_configuration.json_text(settings) == expected["hcConfigurationJSON"]
    assert cluster_configuration.fingerprint(settings) == expected["hcConfigurationHash"]


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("cloud-config")])
def test_cloud_config_hashes_equal(case: str) -> None:
    world, expected = World(case), read(VECTORS / f"{case}.yaml")
    kind = world.pool["spec"]["platform"]["type"].lower()
    data = world.objects[f"ConfigMap/{world.namespace}/{kind}-cloud-config"]["data"]
    assert fingerprint.of_config_map(data) == expected["cloudConfigHash"]


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("rhel-")])
def test_boot_image_streams_equal(case: str) -> None:
    world, expected = World(case), read(VECTORS / f"{case}.yaml")
    gate = True  # the vectors choose streams in every feature set
    if message := expected.get("bootImageStreamError"):
        with pytest.raises(HypershiftError, match=re.escape(message)):
            os_stream.boot_stream(world.nodes, world.release_version, runc=world.runc(), gate=gate)
        return
    stream = os_stream.boot_stream(world.nodes, world.release_version, runc=world.runc(), gate=gate)
    assert stream == expected["bootImageStream"]
