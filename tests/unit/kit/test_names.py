"""Names that are computed from other names."""

import pytest

from hypershift.kit import Key, names


@pytest.mark.parametrize(
    ("cluster", "base"),
    [
        ("demo", "demo"),
        ("my.cluster", "my-cluster"),
        ("a--b", "a-b"),
        ("a-name-that-is-longer-than-allowed", "a-name-that-is-longer"),
        ("ends-at-dash-exactly--x", "ends-at-dash-exactly"),
        ("é", ""),
    ],
)
def test_an_infra_id_begins_with_what_is_plain_in_a_name(cluster: str, base: str) -> None:
    assert names.infra_id_base(cluster) == base


def test_dots_of_a_cluster_become_dashes_of_its_namespace() -> None:
    assert names.control_plane_namespace(Key("clusters", "demo.example")) == "clusters-demo-example"


def test_a_route_gets_a_host_of_its_own_only_where_the_usual_one_is_too_long() -> None:
    assert names.route_host("oauth", "clusters-demo", "example.com") == ""
    assert names.route_host("oauth", "n" * 57, "") == ""
    host = names.route_host("oauth", "n" * 57, "example.com")
    assert len(host.partition(".")[0]) == 62


def test_the_two_hashes_differ() -> None:
    assert names.fnv1(b"") == 2166136261
    assert names.fnv1(b"a") == 84696446
    assert names.fnv1a(b"a") == "e40c292c"


def test_profiles_are_collected_at_another_time_in_each_namespace() -> None:
    assert names.collect_profiles_schedule("") == "0 0 * * *"
    assert names.collect_profiles_schedule("a") == "37 1 * * *"


def test_a_previous_signer_is_kept_under_the_requests_name() -> None:
    assert names.previous_signer_secret("a") == "264yzvyjgwdyfeyzmmg5eb6mccf82kxmqn3h6wdc69qt"
