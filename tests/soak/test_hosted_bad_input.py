"""What users get wrong: a condition says what, nobody else notices, and a fix heals it."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from tests.e2e.embedded import Manifest
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

RELEASE = "registry.hypershift.local/kubernetes/release"
PULL_SECRET = {".dockerconfigjson": base64.b64encode(b'{"auths":{}}').decode()}
SERVING = "bad-certificate-serving"


@dataclass(frozen=True)
class Mistake:
    """One broken cluster: what is wrong with it, what its condition says, and what heals it."""

    name: str
    condition: str
    reason: str
    message: str
    spoil: Callable[[list[Manifest]], None]
    heal: Callable[[Hosted], None]


def no_release(manifests: list[Manifest]) -> None:
    _cluster(manifests)["spec"]["release"]["image"] = f"{RELEASE}:9.9.9"


def give_release(hosted: Hosted) -> None:
    hosted.patch(json.dumps({"spec": {"release": {"image": f"{RELEASE}:1.35.8"}}}))


def no_key(manifests: list[Manifest]) -> None:
    secret = next(each for each in manifests if each["metadata"]["name"].endswith("pull-secret"))
    secret["data"] = {"elsewhere": PULL_SECRET[".dockerconfigjson"]}


def give_key(hosted: Hosted) -> None:
    name = f"{hosted.name}-pull-secret"
    patch = json.dumps({"data": PULL_SECRET})
    hosted.management.kubectl("patch", "secret", name, "-n", hosted.namespace, "-p", patch)


def overlapping(manifests: list[Manifest]) -> None:
    _cluster(manifests)["spec"]["networking"]["serviceNetwork"] = [{"cidr": "10.133.0.0/16"}]


def start_anew(hosted: Hosted) -> None:
    """Ranges cannot be changed: the cluster is made again."""
    hosted.destroy()
    hosted.management.apply(*hosted.manifests())


def bad_certificate(manifests: list[Manifest]) -> None:
    named = {"names": ["api.example.com"], "servingCertificate": {"name": SERVING}}
    serving = {"servingCerts": {"namedCertificates": [named]}}
    _cluster(manifests)["spec"]["configuration"] = {"apiServer": serving}
    metadata = {"name": SERVING, "namespace": manifests[-1]["metadata"]["namespace"]}
    data = {"tls.crt": "bm90aGluZw==", "tls.key": "bm90aGluZw=="}
    manifests.insert(1, {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data})


def drop_certificate(hosted: Hosted) -> None:
    hosted.patch(json.dumps({"spec": {"configuration": {"apiServer": None}}}))
    hosted.management.kubectl("delete", "secret", SERVING, "-n", hosted.namespace)


MISTAKES = (
    Mistake("no-release", "ValidReleaseImage", "InvalidImage", "9.9.9", no_release, give_release),
    Mistake(
        "no-key", "ReconciliationSucceeded", "ReconciliationError", "pull-secret", no_key, give_key
    ),
    Mistake(
        "overlap",
        "ValidConfiguration",
        "InvalidConfiguration",
        "10.133.0.0/16",
        overlapping,
        start_anew,
    ),
    Mistake(
        "bad-certificate",
        "ValidConfiguration",
        "InvalidConfiguration",
        SERVING,
        bad_certificate,
        drop_certificate,
    ),
)


@pytest.fixture(scope="module")
def broken(hosted: Hosted) -> Iterator[dict[str, Hosted]]:
    """A broken cluster for each mistake, all at once."""
    made = {each.name: Hosted(hosted.management, each.name, hosted.files) for each in MISTAKES}
    for mistake in MISTAKES:
        manifests = made[mistake.name].manifests()
        mistake.spoil(manifests)
        hosted.management.apply(*manifests)
    yield made
    for cluster in made.values():
        cluster.destroy()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.name)
def test_a_mistake_is_told_and_a_fix_heals_it(
    hosted: Hosted, broken: dict[str, Hosted], mistake: Mistake
) -> None:
    cluster = broken[mistake.name]
    told = cluster.await_condition(mistake.condition, "False", mistake.reason)
    assert mistake.message in told["message"]
    assert cluster.conditions()["Available"]["status"] != "True"
    assert hosted.conditions()["Available"]["status"] == "True"
    mistake.heal(cluster)
    fixed = time.monotonic()
    cluster.await_condition(mistake.condition, "True")
    healed = time.monotonic() - fixed
    row = (mistake.name, mistake.condition, mistake.reason, told["message"], f"{healed:.1f} s")
    print(" | ".join(row))  # noqa: T201 - the table of mistakes, with the seconds to heal
    _let_go(cluster)


def test_a_second_cluster_of_one_control_plane_namespace_is_refused(hosted: Hosted) -> None:
    """A dot becomes a dash in the namespace's name, so that two names can mean the same one."""
    first, second = (
        Hosted(hosted.management, name, hosted.files) for name in ("twin-name", "twin.name")
    )
    assert first.plane == second.plane
    try:
        hosted.management.apply(*first.manifests())
        first.await_condition("ValidConfiguration")
        hosted.until(lambda: _exists(first, "namespace", first.plane), "its namespace")
        hosted.management.apply(_twin(_cluster(first.manifests()), second.name))
        told = second.await_condition("ValidConfiguration", "False", "InvalidConfiguration")
        assert f"{first.namespace}/{first.name}" in told["message"]
    finally:
        second.destroy()
        assert first.management.get("namespace", first.plane)["status"]["phase"] == "Active"
        first.destroy()


def _cluster(manifests: list[Manifest]) -> Manifest:
    return next(each for each in manifests if each["kind"] == "HostedCluster")


def _twin(cluster: Manifest, name: str) -> Manifest:
    """The same cluster under a name that our own command line refuses, but the API does not."""
    spec = {key: value for key, value in cluster["spec"].items() if key != "infraID"}
    return {**cluster, "metadata": {**cluster["metadata"], "name": name}, "spec": spec}


def _let_go(cluster: Hosted) -> None:
    """Delete it before its control plane costs much."""
    words = ("delete", "hostedcluster", cluster.name, "-n", cluster.namespace, "--wait=false")
    cluster.management.kubectl(*words)


def _exists(cluster: Hosted, kind: str, name: str) -> bool:
    return bool(cluster.management.kubectl("get", kind, name, "--ignore-not-found", "-o", "name"))
