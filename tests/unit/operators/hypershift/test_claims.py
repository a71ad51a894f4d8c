"""Whose a host name is, and what a name may be."""

from tests.lib.decoded import a_decoded_name

from hypershift.api.annotations import CLUSTER
from hypershift.kit import Key, Manifest
from hypershift.operators.hypershift.claims import Claims, claimed, outside, problems


def a_cluster(name: str, *hosts: str, made: str = "2026-01-01", **spec: str) -> Manifest:
    services = [
        {"servicePublishingStrategy": {"type": "Route", "route": {"hostname": host}}}
        for host in hosts
    ]
    metadata = {"namespace": "clusters", "name": name, "creationTimestamp": made}
    return {"metadata": metadata, "spec": {"services": services, **spec}}


def a_plane(name: str, *hosts: str, made: str = "2026-01-01", **spec: str) -> Manifest:
    found = a_cluster(name, *hosts, made=made, **spec)
    found["metadata"] |= {
        "namespace": f"clusters-{name}",
        "annotations": {CLUSTER: f"clusters/{name}"},
    }
    return found


def test_names_are_compared_as_dns_does() -> None:
    claims = Claims([a_cluster("a", "API.example.com"), a_cluster("b")], [])
    other = a_cluster("b", "api.EXAMPLE.com", made="2026-01-02")
    assert claims.refused(Key("clusters", "b"), a_decoded_name(other["spec"])) == {
        "api.example.com"
    }


def test_the_older_of_two_that_ask_gets_the_name() -> None:
    older, younger = a_cluster("z", "x.test"), a_cluster("a", "x.test", made="2026-01-02")
    claims = Claims([younger, older], [])
    assert claims.refused(Key("clusters", "z"), a_decoded_name(older["spec"])) == frozenset()
    assert claims.refused(Key("clusters", "a"), a_decoded_name(younger["spec"])) == {"x.test"}


def test_what_is_published_beats_what_is_asked_for() -> None:
    older = a_cluster("old", "x.test")
    younger = a_cluster("new", "x.test", made="2026-01-02")
    claims = Claims([older, younger], [a_plane("new", "x.test", made="2026-01-02")])
    assert claims.refused(Key("clusters", "old"), a_decoded_name(older["spec"])) == {"x.test"}
    assert claims.refused(Key("clusters", "new"), a_decoded_name(younger["spec"])) == frozenset()


def test_what_only_a_control_plane_says_takes_no_name_of_another_cluster() -> None:
    """Operators of a Dedicated cluster may write its HostedControlPlane, which may be the older."""
    victim = a_cluster("victim", "x.test", made="2026-01-02", infraID="victim-1")
    forger = a_cluster("forger", "own.test", infraID="forger-1")
    forged = a_plane("forger", "x.test", infraID="victim-1")
    honest = a_plane("victim", "x.test", made="2026-01-02", infraID="victim-1")
    for planes in ([forged], [forged, honest]):
        claims = Claims([forger, victim], planes)
        assert not claims.refused(Key("clusters", "victim"), a_decoded_name(victim["spec"]))
        refused = claims.refused(Key("clusters", "forger"), a_decoded_name(forged["spec"]))
        assert refused == {"x.test", "infra/victim-1"}


def test_a_control_plane_in_another_namespace_holds_nothing() -> None:
    forged = a_plane("victim", "x.test")
    forged["metadata"]["namespace"] = "clusters-forger"
    asks = a_cluster("other", "x.test", made="2026-01-02")
    claims = Claims([asks], [forged])
    assert not claims.refused(Key("clusters", "other"), a_decoded_name(asks["spec"]))


def test_the_name_of_a_running_cluster_stays_while_nobody_else_wants_it() -> None:
    claims = Claims([a_cluster("a", "typo.test")], [a_plane("a", "x.test")])
    spec = a_decoded_name(a_cluster("a", "x.test")["spec"])
    assert not claims.refused(Key("clusters", "a"), spec)


def test_load_balancers_and_the_users_own_name_of_the_api_count_too() -> None:
    ways = [
        {
            "servicePublishingStrategy": {
                "type": "LoadBalancer",
                "loadBalancer": {"hostname": "a.b"},
            }
        },
        {"servicePublishingStrategy": {"type": "NodePort", "nodePort": {"address": "c.d"}}},
    ]
    assert claimed(a_decoded_name({"services": ways, "kubeAPIServerDNSName": "E.f"})) == {
        "a.b",
        "e.f",
    }


def test_a_problem_does_not_say_whose_the_name_is() -> None:
    spec = {"clusterID": "one"}
    assert list(problems({"one", "x.test"}, a_decoded_name(spec))) == [
        "spec.clusterID one is another cluster's: choose another one",
        "host name x.test is another cluster's: choose another one",
    ]


def test_names_outside_of_the_domains_are_named() -> None:
    spec = a_cluster("a", "a.good.test", "b.notgood.test", "good.test")["spec"]
    assert list(outside(a_decoded_name(spec), ())) == []
    assert list(outside(a_decoded_name(spec), ["good.test", "fine.test"])) == [
        "host name b.notgood.test is not below good.test or fine.test",
        "host name good.test is not below good.test or fine.test",
    ]
