"""What is ours inside a hosted cluster stays as it is, however mighty its administrator."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.e2e.embedded import Manifest, until
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.e2e]

POLICY = "validatingadmissionpolicy/hypershift-managed"
BINDING = "validatingadmissionpolicybinding/hypershift-managed-binding"
#: How long a guest's administrator may be without the protection, in seconds.
LONGEST = 5.0
DNS = ("configmap", "coredns", "-n", "kube-system")


def test_a_deleted_protection_is_back_within_seconds(hosted: Hosted) -> None:
    before = identities(hosted)
    hosted.kubectl("delete", POLICY, BINDING)
    began = time.monotonic()

    def back() -> bool:
        now = identities(hosted)
        return all(now) and not set(now) & set(before)

    until(back, 30, every=0.1)
    assert time.monotonic() - began < LONGEST
    until(lambda: "managed by" in vandalise(hosted), 10, every=0.1)


def test_what_gets_through_while_it_is_away_is_put_back(hosted: Hosted) -> None:
    """The protection keeps honest people from surprises; nothing of ours relies on it."""
    right = hosted.get(*DNS)["data"]

    def let_through() -> bool:
        # whoever repairs may not have heard of the pause yet
        hosted.try_kubectl("delete", BINDING)
        return not vandalise(hosted)

    # a repair is quicker than the API server's next look at its policies, so none may come
    with a_pause(hosted):
        until(let_through, 60, every=0.1)
        assert hosted.get(*DNS)["data"] != right
    until(lambda: hosted.get(*DNS)["data"] == right, 10, every=0.1)
    until(lambda: "managed by" in vandalise(hosted), 10, every=0.1)


@pytest.mark.parametrize(
    ("place", "drift", "wrong"),
    [
        (
            (POLICY,),
            {"spec": {"validations": [{"expression": "true"}]}},
            lambda found: found["spec"]["validations"][0]["expression"] == "true",
        ),
        (
            ("storageclass/local",),
            {"metadata": {"annotations": {"storageclass.kubernetes.io/is-default-class": "no"}}},
            lambda found: "no" in found["metadata"]["annotations"].values(),
        ),
    ],
    ids=["policy", "storage class"],
)
def test_drift_of_what_nothing_protects_is_repaired_at_once(
    hosted: Hosted, place: tuple[str, ...], drift: Manifest, wrong: Callable[[Manifest], bool]
) -> None:
    answer = hosted.kubectl("patch", *place, "--type=merge", "-p", json.dumps(drift), "-o", "json")
    assert wrong(json.loads(answer))
    until(lambda: not wrong(hosted.get(*place)), LONGEST, every=0.1)


@contextmanager
def a_pause(hosted: Hosted) -> Iterator[None]:
    """Nobody reconciles the cluster meanwhile."""
    hosted.patch('{"spec": {"pausedUntil": "true"}}')
    try:
        yield
    finally:
        hosted.patch('{"spec": {"pausedUntil": null}}')


def identities(hosted: Hosted) -> tuple[str, ...]:
    """The identities of policy and binding; an empty one while it is not there."""
    jsonpath = ("--ignore-not-found", "-o", "jsonpath={.metadata.uid}")
    return tuple(hosted.kubectl("get", name, *jsonpath) for name in (POLICY, BINDING))


def vandalise(hosted: Hosted) -> str:
    """Change how names are resolved; the API server's complaint."""
    patch = json.dumps({"data": {"Corefile": ".:53 {}"}})
    return hosted.try_kubectl("patch", *DNS, "--type=merge", "-p", patch).stderr
