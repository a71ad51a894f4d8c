"""Every difference between what was stored and what came back is told, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from hypershift.controlplane.etcd.proof.comparison import (
    differences,
    etcd_kind,
    listed_kinds,
    one_line,
    unserved,
)
from hypershift.controlplane.etcd.snapshot import Tally

tallies = st.dictionaries(
    st.sampled_from(["secrets", "configmaps", "example.org/things"]),
    st.builds(Tally, st.integers(1, 9), st.integers(0, 2**128 - 1)),
)


@given(tallies)
def test_equal_tallies_have_no_differences(found: dict[str, Tally]) -> None:
    assert list(differences(found, dict(found))) == []


@given(tallies, tallies)
def test_other_tallies_have_differences(one: dict[str, Tally], other: dict[str, Tally]) -> None:
    assert bool(list(differences(one, other))) == (one != other)


def test_a_list_of_contents_says_what_tallies_do() -> None:
    listed = {"kinds": {"secrets": {"count": 2, "digest": f"{17:032x}"}}}
    assert listed_kinds(listed) == {"secrets": Tally(2, 17)}


def test_differences_are_told_by_kind() -> None:
    wanted = {"a": Tally(2, 1), "b": Tally(1, 1), "c": Tally(1, 1)}
    found = {"a": Tally(1, 1), "b": Tally(1, 2), "c": Tally(1, 1), "d": Tally(3, 3)}
    assert list(differences(wanted, found)) == [
        "a: 1 of 2 objects",
        "b: 1 objects with other content",
        "d: 3 of 0 objects",
    ]


def test_resources_have_the_words_of_their_keys() -> None:
    kinds = {"minions", "example.org/services", "apiregistration.k8s.io/apiservices"}
    assert etcd_kind("", "nodes", kinds) == "minions"
    assert etcd_kind("networking.k8s.io", "ingresses", kinds) == "ingress"
    assert etcd_kind("apps", "deployments", kinds) == "deployments"
    assert etcd_kind("example.org", "services", kinds) == "example.org/services"
    full = "apiregistration.k8s.io/apiservices"
    assert etcd_kind("apiregistration.k8s.io", "apiservices", ()) == full


def test_objects_that_the_server_does_not_read_are_told() -> None:
    wanted = {"services": Tally(5, 1), "events": Tally(4, 1), "masterleases": Tally(1, 1)}
    counted = {
        ("", "services"): 3,
        ("", "endpoints"): 2,
        ("", "events"): 4,
        ("events.k8s.io", "events"): 4,
        ("", "configmaps"): 0,
    }
    assert list(unserved(wanted, counted)) == []
    assert list(unserved(wanted, counted | {("", "endpoints"): 1})) == [
        "services: the API server reads 4 of 5 objects"
    ]
    assert list(unserved(wanted, counted | {("", "configmaps"): 1})) == [
        "configmaps: the API server reads 1 of 0 objects"
    ]


def test_many_differences_are_told_shortly() -> None:
    assert one_line(map(str, range(8))) == "0; 1; 2; 3; 4 and 3 more"
