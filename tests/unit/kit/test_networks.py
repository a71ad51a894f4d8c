from hypershift.kit import ip_versions


def test_the_versions_of_ranges_are_told_once_in_their_order() -> None:
    assert ip_versions(("fd01::/48", "10.0.0.0/8", "fd02::/64")) == (6, 4)
    assert ip_versions(("10.132.5.0/14",)) == (4,)
    assert ip_versions(()) == ()
