from hypershift.local.cluster.plan import Plan
from hypershift.local.network.nat import Forward, rule, ruleset

ONE = Forward("10.80.32.1", "tcp", 443, (("10.80.128.2", 6443),))
TWO = Forward("10.80.32.1", "tcp", 443, (("10.80.128.2", 6443), ("10.80.130.2", 6443)))


def test_a_single_target_needs_no_choice() -> None:
    assert rule(ONE) == "ip daddr 10.80.32.1 tcp dport 443 dnat to 10.80.128.2:6443"


def test_several_targets_are_chosen_at_random() -> None:
    text = rule(TWO)
    assert "numgen random mod 2 map { 0 : 10.80.128.2 . 6443, 1 : 10.80.130.2 . 6443 }" in text


def test_a_sticky_service_chooses_by_client() -> None:
    sticky = Forward(TWO.address, TWO.protocol, TWO.port, TWO.targets, sticky=True)
    assert "jhash ip saddr mod 2" in rule(sticky)


def test_a_port_without_targets_has_no_rule_so_that_the_host_refuses_it() -> None:
    empty = Forward("10.80.32.9", "tcp", 80, ())
    assert "10.80.32.9" not in ruleset(Plan(0), [empty])


def test_the_table_replaces_itself_in_one_transaction() -> None:
    text = ruleset(Plan(3), [TWO])
    assert text.startswith("table ip hypershift3 {}\ndelete table ip hypershift3\n")
    assert text.count("{") == text.count("}")


def test_hosted_machines_reach_management_pods_by_a_balancer_alone() -> None:
    plan = Plan(3)
    text = ruleset(plan, [])
    assert not plan.nodes.overlaps(plan.hosted_machines)
    assert plan.machine(59) in plan.nodes
    assert (
        'iifname "hypershift3" ip daddr 10.83.128.0/17 '
        "ip saddr != { 10.83.0.0/20, 10.83.128.0/17 } "
        "ct state new ct original ip daddr != 10.83.32.0/19 drop"
    ) in text


def test_a_cluster_with_ipv6_has_a_table_of_each_family_in_one_transaction() -> None:
    six = Forward("fd68:7370:83:20::2001", "tcp", 443, (("fd68:7370:83::1005", 30443),))
    four, v6 = ruleset(Plan(3, ipv6=True), [TWO, six]).split("table ip6 hypershift3 {}\n")
    assert "fd68" not in four
    assert v6.startswith("delete table ip6 hypershift3\n")
    assert "10.80" not in v6
    assert rule(six) in v6
    assert rule(six).endswith("dnat to [fd68:7370:83::1005]:30443")
    assert (
        'oifname != "hypershift3" ip6 saddr fd68:7370:83::/48 ip6 daddr != fd68:7370:83::/48 '
        "masquerade"
    ) in v6


def test_a_choice_among_ipv6_targets_follows_ipv6_addresses() -> None:
    targets = (("fd01::1", 80), ("fd01::2", 80))
    text = rule(Forward("fd02::1", "tcp", 80, targets, sticky=True, sources=("fd00::/8",)))
    assert text == (
        "ip6 saddr { fd00::/8 } ip6 daddr fd02::1 tcp dport 80 dnat to jhash ip6 saddr mod 2 "
        "map { 0 : fd01::1 . 80, 1 : fd01::2 . 80 }"
    )
