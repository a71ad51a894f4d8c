"""A key is changed under a running cluster: everything stays readable, and the old key goes."""

import base64
import json
import re
import secrets
from collections.abc import Iterator

import pytest
import yaml
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic

from hypershift.controlplane.etcd.keeper import CONTAINER, ETCDCTL, ITSELF

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

CONDITION = "EtcdDataEncryptionUpToDate"
CONFIG = "kas-secret-encryption-config"
SECRETS = 300
STORED = re.compile(rb"k8s:enc:aescbc:v1:([a-z0-9-]+):")


@pytest.fixture(scope="module", params=["SingleReplica", "HighlyAvailable"])
def encrypted(
    zones: Cluster, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Hosted]:
    files = tmp_path_factory.mktemp("encrypted")
    policy = f"--control-plane-availability-policy={request.param}"
    with a_hosted_cluster(zones, "encrypted", files, policy) as made:
        yield made


def secret(name: str, data: bytes, namespace: str) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "data": {"key": base64.b64encode(data).decode()},
    }


def configured(hosted: Hosted) -> list[str]:
    """The names of the keys that the API servers have, the one that writes first."""
    found = hosted.management.get("secret", CONFIG, "-n", hosted.plane)
    document = yaml.safe_load(base64.b64decode(found["data"]["config.yaml"]))
    return [
        key["name"]
        for provider in document["resources"][0]["providers"]
        for key in (provider.get("aescbc") or {}).get("keys", ())
    ]


def stored(hosted: Hosted) -> dict[str, int]:
    """How many stored Secrets carry the name of each key, and how many none."""
    listing = hosted.management.kubectl(
        *("exec", "-n", hosted.plane, "etcd-0", "-c", CONTAINER, "--"),
        *ETCDCTL,
        f"--endpoints={ITSELF}",
        *("get", "/registry/secrets/", "--prefix", "--write-out=json"),
    )
    counts: dict[str, int] = {}
    for entry in json.loads(listing)["kvs"]:
        found = STORED.match(base64.b64decode(entry["value"]))
        name = found.group(1).decode() if found else "none"
        counts[name] = counts.get(name, 0) + 1
    return counts


def keys(hosted: Hosted) -> Manifest:
    """What the HostedCluster tells of its keys."""
    found: Manifest = hosted.resource()["status"].get("secretEncryption") or {}
    return found


def test_a_new_cluster_tells_which_key_encrypts_it(encrypted: Hosted) -> None:
    encrypted.await_condition(CONDITION, reason="ReEncryptionCompleted")
    assert keys(encrypted)["activeKey"]["provider"] == "AESCBC"
    (name,) = configured(encrypted)
    assert set(stored(encrypted)) == {name}


def test_a_changed_key_takes_over_everything_that_is_stored(encrypted: Hosted) -> None:
    values = {f"kept-{number}": secrets.token_bytes(24) for number in range(SECRETS)}
    encrypted.apply(*(secret(name, value, "default") for name, value in values.items()))
    (old,) = configured(encrypted)
    before = keys(encrypted)["activeKey"]
    material = secret("another-key", secrets.token_bytes(32), encrypted.namespace)
    encrypted.management.apply(material)
    wish = {"type": "aescbc", "aescbc": {"activeKey": {"name": "another-key"}}}
    with Traffic(encrypted.kubeconfig) as traffic:
        encrypted.patch(json.dumps({"spec": {"secretEncryption": wish}}))
        encrypted.await_condition(CONDITION, "False")
        encrypted.until(
            lambda: keys(encrypted).get("activeKey") not in (None, before),
            "active key",
            lambda: (keys(encrypted), configured(encrypted)),
            seconds=900,
        )
    encrypted.await_condition(CONDITION, reason="ReEncryptionCompleted")
    history = keys(encrypted)["history"][0]
    assert (history["state"], history["from"]["fingerprint"]) == (
        "Completed",
        before["aescbc"]["dataHash"],
    )
    encrypted.until(
        lambda: old not in configured(encrypted),
        "end of the old key",
        lambda: configured(encrypted),
    )
    (new,) = configured(encrypted)
    counts = stored(encrypted)
    assert set(counts) == {new}
    assert counts[new] >= SECRETS
    found = {each["metadata"]["name"]: each["data"] for each in encrypted.get("secrets")}
    for name, value in values.items():
        assert base64.b64decode(found[name]["key"]) == value
    assert traffic.lost() == []
    print(f"{old} -> {new}, stored {counts}; {traffic.log}")  # noqa: T201 - the result


def test_every_server_that_starts_without_the_old_key_reads_everything(encrypted: Hosted) -> None:
    """The last rollout is the one that drops the old key: after it, all is read again."""
    encrypted.until(lambda: rolled(encrypted), "end of the rollout", encrypted.pods)
    found = encrypted.get("secrets", "-A")
    assert len(found) >= SECRETS


def rolled(hosted: Hosted) -> bool:
    live = hosted.management.get("deployment", "kube-apiserver", "-n", hosted.plane)
    status, wanted = live["status"], live["spec"]["replicas"]
    counts = ("replicas", "updatedReplicas", "availableReplicas")
    current = status.get("observedGeneration") == live["metadata"]["generation"]
    ends = any(pod["metadata"].get("deletionTimestamp") for pod in hosted.pods("kube-apiserver"))
    return current and not ends and all(status.get(count) == wanted for count in counts)
