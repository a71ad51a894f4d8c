"""What the table refuses and ignores of a spec, and what it leaves alone."""

from typing import Any

import pytest
import yaml
from tests.integration.operators import samples
from tests.lib import planes

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.operators.hypershift.support import (
    CLUSTER,
    POOL,
    Status,
    fields,
    ignored_annotations,
)
from hypershift.release import Product

K8S, OPENSHIFT = Product.KUBERNETES, Product.OPENSHIFT
PREFIX = "hypershift.openshift.io"


def refused(spec: dict[str, Any], product: Product | None = K8S) -> list[str]:
    return [one.text for one in fields(CLUSTER, {"spec": spec}, product, "Local", Status.REFUSED)]


def within(path: str, value: Any) -> dict[str, Any]:
    for name in reversed(path.split(".")):
        value = {name: value}
    found: dict[str, Any] = value
    return found


REFUSED = {
    "etcd.managed.scheduling": {"nodeSelector": {"disk": "fast"}},
    "secretEncryption.kms": {"provider": "AWS", "aws": {"region": "eu-west-1"}},
    "configuration.oauth": {"tokenConfig": {"accessTokenMaxAgeSeconds": 3600}},
    "configuration.ingress": {"domain": "apps.example.org"},
    "configuration.image": {"registrySources": {"blockedRegistries": ["docker.io"]}},
    "configuration.operatorhub": {"disableAllDefaultSources": True},
    "configuration.apiServer.clientCA": {"name": "own"},
    "configuration.authentication.type": "IntegratedOAuth",
    "configuration.featureGate.featureSet": "TechPreviewNoUpgrade",
    "configuration.network": {"externalIP": {"autoAssignCIDRs": ["192.0.2.0/24"]}},
    "operatorConfiguration": {"clusterVersionOperator": {"operatorLogLevel": "Debug"}},
    "autoNode": {"provisionerConfig": {"name": "Karpenter"}},
    "monitoring.metricsForwarding": {"mode": "Forward"},
    "networking.networkType": "Calico",
    "fips": True,
}


@pytest.mark.parametrize(("path", "value"), REFUSED.items(), ids=REFUSED.keys())
def test_a_kubernetes_release_refuses(path: str, value: Any) -> None:
    (said,) = refused(within(path, value))
    assert said.startswith(f"spec.{path}: ")


FINE: dict[str, Any] = {
    "etcd.managed.shards": [{"name": "a", "storage": {"type": "PersistentVolume"}}],
    "etcd.managed.storage.restoreSnapshotURL": ["https://example.org/snapshot"],
    "configuration.oauth": {},
    "configuration.authentication.type": "OIDC",
    "configuration.featureGate": {"featureSet": "CustomNoUpgrade", "customNoUpgrade": {}},
    "operatorConfiguration": {
        "clusterVersionOperator": {"operatorLogLevel": "Normal"},
        "clusterNetworkOperator": {"disableMultiNetwork": True},
    },
    "monitoring.metricsForwarding": {"mode": "None"},
    "networking.networkType": "OVNKubernetes",
    "capabilities.disabled": ["Console"],
    "fips": False,
    "configuration.proxy.trustedCA": {"name": "proxy"},
    "imageContentSources": [{"source": "quay.io", "mirrors": ["mirror.example.org"]}],
}


@pytest.mark.parametrize(("path", "value"), FINE.items(), ids=FINE.keys())
def test_defaults_and_values_that_ask_for_nothing_are_never_refused(path: str, value: Any) -> None:
    assert refused(within(path, value)) == []


def test_each_row_speaks_once_however_much_is_set() -> None:
    providers = [{"name": name, "type": "GitHub"} for name in ("a", "b")]
    assert len(refused({"configuration": {"oauth": {"identityProviders": providers}}})) == 1


def test_a_key_service_is_honoured_where_its_cloud_is() -> None:
    kms = {"provider": "AWS", "aws": {"region": "eu-west-1"}}
    spec = {"spec": within("secretEncryption.kms", kms)}
    assert fields(CLUSTER, spec, K8S, "AWS", Status.REFUSED) == []
    assert fields(CLUSTER, spec, K8S, "None", Status.REFUSED)
    other = {"spec": within("secretEncryption.kms", {"azure": {"keyVaultAccess": "Private"}})}
    assert fields(CLUSTER, other, K8S, "AWS", Status.REFUSED)


def test_shards_in_memory_are_refused() -> None:
    shards = [{"name": "a", "storage": {"type": kind}} for kind in ("PersistentVolume", "EmptyDir")]
    (said,) = refused(within("etcd.managed.shards", shards))
    assert said.startswith("spec.etcd.managed.shards.storage.type: ")


def test_before_a_release_is_known_nothing_is_refused_by_product() -> None:
    spec = within("etcd.managed.scheduling", REFUSED["etcd.managed.scheduling"])
    assert refused(spec, None) == []
    assert refused(within("autoNode", REFUSED["autoNode"]), None)


def test_an_openshift_release_has_what_reads_some_of_it() -> None:
    for path in ("secretEncryption.kms", "configuration.oauth"):
        assert refused(within(path, REFUSED[path]), OPENSHIFT) == []


def test_a_spec_of_a_wrong_shape_is_not_walked_into() -> None:
    assert refused({"etcd": "x", "configuration": [], "services": ["y"]}) == []


@pytest.mark.parametrize("spec", [planes.a_cluster("a")["spec"], samples.a_cluster()["spec"]])
def test_ordinary_clusters_are_not_refused(spec: dict[str, Any]) -> None:
    for product in (K8S, OPENSHIFT, None):
        assert refused(spec, product) == []


CREATED = {"local": [], "none": ["--expose-through-load-balancer"]}
RELEASE = "--release-image=registry.example/release:1"


@pytest.mark.parametrize("platform", CREATED)
def test_what_create_cluster_makes_is_neither_refused_nor_ignored(
    platform: str, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    pull = tmp_path / "pull.json"
    pull.write_text('{"auths":{}}')
    words = ["create", "cluster", platform, "--name=demo", f"--pull-secret={pull}", "--render"]
    words += [RELEASE, "--node-pool-replicas=2", *CREATED[platform]]
    assert execute(HYPERSHIFT, words) == 0
    made = list(yaml.safe_load_all(capsys.readouterr().out))
    kinds = {"HostedCluster": CLUSTER, "NodePool": POOL}
    found = [each for each in made if each["kind"] in kinds]
    assert {each["kind"] for each in found} == set(kinds)
    for each in found:
        name = each["spec"]["platform"]["type"]
        for status in (Status.REFUSED, Status.IGNORED):
            assert fields(kinds[each["kind"]], each, K8S, name, status) == []
        assert ignored_annotations(each["metadata"].get("annotations") or {}, K8S) == []


def test_annotations_without_a_reader_are_named() -> None:
    silent = ("konnectivity-server-image", "image-overrides", "machine-approver-image", "scope")
    names = [f"{PREFIX}/{name}" for name in silent]
    said = ignored_annotations([*names, f"{PREFIX}/restart-date", "example.org/own"], K8S)
    assert [text.split(": ")[0] for text in said] == [
        f"annotation {name}" for name in sorted(names)
    ]


def test_a_family_of_annotations_is_named_by_its_members() -> None:
    (said,) = ignored_annotations([f"idpoverrides.{PREFIX}/github"], K8S)
    text = "only oauth-openshift of an OpenShift release reads it"
    assert said == f"annotation idpoverrides.{PREFIX}/github: {text}"
    assert ignored_annotations([f"resource-request-override.{PREFIX}/etcd.etcd"], K8S) == []
