"""Two of three members of etcd lose their disks at once: `hypershift fix etcd` brings them back."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.soak import recovered
from tests.soak.member import in_member, ruin
from tests.soak.recovered import told

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

MEMBERS = ("etcd-0", "etcd-1", "etcd-2")
SURVIVOR, LOST = "etcd-1", ("etcd-0", "etcd-2")


@pytest.fixture(scope="module")
def ruined(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    files = tmp_path_factory.mktemp("ruined")
    flags = ("--control-plane-availability-policy=HighlyAvailable",)
    with a_hosted_cluster(cluster, "ruined", files, *flags) as made:
        made.until(lambda: recovered.members(made) == list(MEMBERS), "members", made.pods)
        made.apply(shop.a_namespace())
        made.apply(*(recovered.some_data(number) for number in range(recovered.OBJECTS)))
        yield made


def test_a_whole_etcd_needs_nothing(ruined: Hosted) -> None:
    done = ruined.hypershift("fix", "etcd", ruined.name)
    assert "nothing to fix" in done.stdout


def test_a_lost_quorum_comes_back_from_the_member_that_is_left(ruined: Hosted) -> None:
    before = kept(ruined)
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda name: ruin(ruined, name), LOST))
    began = time.monotonic()
    ruined.until(lambda: says(ruined, "has lost its quorum for good"), "a verdict", ruined.pods)
    told(says(ruined, ""))
    assert ruined.conditions()["EtcdAvailable"]["status"] == "False"

    fixing = time.monotonic()
    done = ruined.hypershift("fix", "etcd", ruined.name, "--yes", seconds=900)
    told(f"{done.stderr}{done.stdout}")
    told(f"a quorum {time.monotonic() - fixing:.0f} s after --yes")
    ruined.until(lambda: works(ruined), "answers of the API", ruined.pods, seconds=900)
    told(f"the API answers {time.monotonic() - fixing:.0f} s after --yes")
    ruined.until(lambda: recovered.members(ruined) == list(MEMBERS), "members", ruined.pods)
    ruined.await_condition("EtcdAvailable")
    told(f"three members {time.monotonic() - began:.0f} s after the loss")

    assert recovered.changed(before, kept(ruined)) == []
    after = ruined.get("configmap", "kept-0", "-n", shop.NAMESPACE)
    ruined.kubectl("annotate", "configmap", "kept-0", "-n", shop.NAMESPACE, "after=the-loss")
    changed = ruined.get("configmap", "kept-0", "-n", shop.NAMESPACE)
    assert int(changed["metadata"]["resourceVersion"]) > 1_000_000_000
    assert after["metadata"]["uid"] == changed["metadata"]["uid"]
    assert "nothing to fix" in says(ruined, "")
    assert in_member(ruined, SURVIVOR, "ls", "/var/lib").split() == ["data"]


def test_controllers_go_on_with_what_is_new(ruined: Hosted) -> None:
    """Their watches began anew: a namespace gets its account and its authority."""
    ruined.kubectl("create", "namespace", "after")
    words = ("get", "serviceaccount/default", "configmap/kube-root-ca.crt", "-n", "after")
    ruined.until(lambda: not ruined.try_kubectl(*words).returncode, "content of a namespace")


def kept(hosted: Hosted) -> dict[str, dict[str, object]]:
    """The user's objects; the kinds of the shop are not there."""
    found = hosted.get("configmaps,secrets,serviceaccounts", "-n", shop.NAMESPACE)
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in found}


def says(hosted: Hosted, word: str) -> str:
    """What `fix etcd` says, if the word is in it."""
    said = hosted.hypershift("fix", "etcd", hosted.name, check=False)
    return said.stdout if word in said.stdout else ""


def works(hosted: Hosted) -> bool:
    done = hosted.try_kubectl("get", "--raw", "/readyz", "--request-timeout=5s")
    return done.stdout == "ok"
