"""Two clusters under two images of our operator; the older one outlives an update of the other.

The images hold the same program and differ in their labels: the older one lacks some, so the
HyperShift operator does for it what newer ones do by themselves, and asks nothing of it that it
does not know.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.e2e.embedded import Cluster, Manifest, run
from tests.e2e.hosted import Hosted

from hypershift.operators.hypershift.hosted_cluster.rules.dedicated import ROLES
from hypershift.release import Capability

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

PREFIX = "hypershift.openshift.io"
DEDICATED = f"{PREFIX}/mode=Dedicated"
IMAGE = f"{PREFIX}/control-plane-operator-image"
VERSION = "org.opencontainers.image.version"
#: What the older image does not promise.
LACKING = (
    Capability.RESTRICTED,
    Capability.RESTARTS_ON_ROTATION,
    Capability.CUSTOM_KUBECONFIG,
    Capability.LABELS_MANAGEMENT_ACCESS,
)
LEVEL = "pod-security.kubernetes.io/enforce"


@dataclass(frozen=True)
class Pair:
    """Two Dedicated clusters, and the images that they were given."""

    older: Hosted
    newer: Hosted
    images: dict[str, str]


def push(cluster: Cluster, tag: str, *labels: str) -> str:
    """Type `hypershift image push` at the embedded registry; its answer names the image."""
    words = ("image", "push", f"http://{cluster.spec.plan.registry}", "--tag", tag)
    more = (word for label in labels for word in ("--label", label))
    argv = (sys.executable, "-m", "hypershift.cli", *words, *more)
    return run(argv, seconds=600).stdout.split()[-1]


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    images = {
        "older": push(cluster, "older", f"{VERSION}=older", *(f"{one}=" for one in LACKING)),
        "newer": push(cluster, "newer", f"{VERSION}=newer"),
    }
    assert len(set(images.values())) == 2
    files = tmp_path_factory.mktemp("images")
    made = Pair(Hosted(cluster, "older", files), Hosted(cluster, "newer", files), images)
    try:
        for one in (made.older, made.newer):
            marks = (DEDICATED, f"{IMAGE}={images[one.name]}")
            one.create(*(word for mark in marks for word in ("--annotations", mark)), wait=False)
        for one in (made.older, made.newer):
            one.await_condition("Available")
        yield made
    finally:
        made.older.destroy()
        made.newer.destroy()


def deployments(hosted: Hosted) -> dict[str, Manifest]:
    found = hosted.management.get("deployments", "-n", hosted.plane)
    return {one["metadata"]["name"]: one for one in found}


def image_of(deployment: Manifest) -> str:
    return str(deployment["spec"]["template"]["spec"]["containers"][0]["image"])


def generations(hosted: Hosted) -> dict[str, int]:
    return {name: one["metadata"]["generation"] for name, one in deployments(hosted).items()}


def lives(hosted: Hosted) -> dict[str, str]:
    """Every pod by its name: another one in its place has another id."""
    return {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in hosted.pods()}


def policies(hosted: Hosted) -> set[str]:
    found = hosted.management.get("networkpolicies", "-n", hosted.plane)
    return {one["metadata"]["name"] for one in found}


def level(hosted: Hosted) -> str:
    found = hosted.management.get("namespace", hosted.plane)
    return str(found["metadata"]["labels"][LEVEL])


def test_each_cluster_runs_the_image_that_it_was_given(pair: Pair) -> None:
    for one in (pair.older, pair.newer):
        found = deployments(one)
        assert {image_of(found[role]) for role in ROLES} == {pair.images[one.name]}
        assert one.kubectl("get", "--raw", "/readyz") == "ok"


def test_labels_decide_what_is_asked_of_an_image(pair: Pair) -> None:
    assert (level(pair.older), level(pair.newer)) == ("privileged", "restricted")
    assert policies(pair.newer) - policies(pair.older), "what needs labels of pods is left out"
    plane = pair.older.management.get("hostedcontrolplane", "older", "-n", pair.older.plane)
    mark = f"{PREFIX}/kas-serving-cert-hash"
    pair.older.until(
        lambda: (
            mark
            in pair.older.management.get("hostedcontrolplane", "older", "-n", pair.older.plane)[
                "metadata"
            ]["annotations"]
        ),
        "note of the certificate",
        lambda: plane["metadata"]["annotations"],
    )
    newer = pair.newer.management.get("hostedcontrolplane", "newer", "-n", pair.newer.plane)
    assert mark not in newer["metadata"]["annotations"]


def test_an_update_of_the_hypershift_operator_rolls_no_pod_of_either(pair: Pair) -> None:
    management = pair.older.management
    before = {one.name: (generations(one), lives(one)) for one in (pair.older, pair.newer)}
    update(management, pair.images["newer"])
    for one in (pair.older, pair.newer):
        sees(one, "after-the-update")
        assert (generations(one), lives(one)) == before[one.name]
        assert one.conditions()["Available"]["status"] == "True"


def update(management: Cluster, image: str) -> None:
    """Let the HyperShift operator run another image."""
    where = ("-n", "hypershift")
    management.kubectl("set", "image", "deployment/operator", f"*={image}", *where)
    management.kubectl("rollout", "status", "deployment/operator", *where, "--timeout=240s")
    found = management.get("deployment", "operator", *where)
    assert image_of(found) == image


def sees(hosted: Hosted, word: str) -> None:
    """Wait until the HyperShift operator has looked at a cluster: it passes such labels on."""
    label = "api.openshift.com/seen"
    words = ("label", "hostedcluster", hosted.name, "-n", hosted.namespace, f"{label}={word}")
    hosted.management.kubectl(*words)

    def passed_on() -> bool:
        plane = hosted.management.get("hostedcontrolplane", hosted.name, "-n", hosted.plane)
        return bool(plane["metadata"].get("labels", {}).get(label) == word)

    hosted.until(passed_on, "look of the updated operator")


def test_the_older_operator_carries_out_what_its_cluster_asks_for(pair: Pair) -> None:
    older = pair.older
    before = generations(older)
    images = {name: image_of(one) for name, one in deployments(older).items() if name in ROLES}
    wish = {"spec": {"configuration": {"scheduler": {"profile": "HighNodeUtilization"}}}}
    older.patch(json.dumps(wish))
    older.until(
        lambda: generations(older)["kube-scheduler"] > before["kube-scheduler"],
        "another scheduler",
        lambda: older.component("kube-scheduler"),
    )
    older.until(
        lambda: older.component("kube-scheduler")["RolloutComplete"]["status"] == "True",
        "end of its rollout",
        lambda: older.component("kube-scheduler"),
    )
    config = older.management.get("configmap", "kube-scheduler", "-n", older.plane)
    assert "MostAllocated" in json.dumps(config["data"])
    after = deployments(older)
    assert {name: image_of(after[name]) for name in ROLES} == images
    assert {name: generations(older)[name] for name in ROLES} == {
        name: before[name] for name in ROLES
    }
    older.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "still-works"}})
