"""What a user wants on AWS, before AWS is asked."""

from dataclasses import replace

import pytest

from hypershift.infra.aws import Wanted, check, tags_of
from hypershift.infra.aws.create import pieces
from hypershift.kit import UsageError

WANTED = Wanted("demo-abcde", "demo", "us-east-1", "example.com", ("us-east-1a",))
ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")


def keys(wanted: Wanted) -> list[str]:
    return [each.key for each in pieces(wanted)]


def test_tags_are_pairs_and_the_last_value_of_a_key_counts() -> None:
    assert tags_of(["a=1", "b=x=y", "a=2"]) == (("a", "2"), ("b", "x=y"))
    with pytest.raises(UsageError, match='invalid tag specification: "a"'):
        tags_of(["a"])


def test_all_problems_are_said_at_once() -> None:
    wrong = replace(WANTED, cidr="10.0.0.0/8", zones=("eu-1a", "eu-1a"), proxy=True)
    with pytest.raises(UsageError) as caught:
        check(replace(wrong, secure_proxy=True))
    for part in ("only /16", "not in region", "named twice", "but not both"):
        assert part in str(caught.value)


def test_prefix_none_means_the_base_domain() -> None:
    assert WANTED.private_zone == "demo.example.com"
    assert replace(WANTED, base_domain_prefix="dev").private_zone == "dev.example.com"
    assert replace(WANTED, base_domain_prefix="none").private_zone == "example.com"


def test_public_and_private_subnets_of_all_zones_are_disjoint() -> None:
    ranges = [WANTED.subnet(place, private=side) for place in range(8) for side in (True, False)]
    assert len(set(ranges)) == 16
    assert WANTED.subnet(0, private=False) == "10.0.0.0/20"
    assert WANTED.subnet(0, private=True) == "10.0.128.0/20"


def test_each_zone_has_a_nat_gateway_unless_one_is_enough() -> None:
    three = replace(WANTED, zones=ZONES)
    assert sum(key.startswith("nat-") for key in keys(three)) == 3
    assert sum(key.startswith("nat-") for key in keys(replace(three, single_nat=True))) == 1


def test_public_only_makes_nothing_private() -> None:
    found = keys(replace(WANTED, public_only=True))
    assert [key for key in found if key.startswith(("private-subnet", "nat-", "eip-"))] == []


def test_pieces_stand_in_an_order_of_their_needs() -> None:
    seen: set[str] = set()
    for each in pieces(replace(WANTED, zones=ZONES, shared=True, proxy=True)):
        assert set(each.needs) <= seen
        seen.add(each.key)
