"""Which versions may follow or accompany which."""

import re

import pytest

from hypershift.kit import InvalidSpec
from hypershift.release import (
    Product,
    Version,
    supported,
    why_no_skew,
    why_no_upgrade,
    why_unsupported,
)

KUBERNETES, OPENSHIFT = Product.KUBERNETES, Product.OPENSHIFT


def version(text: str) -> Version:
    return Version.parse(text)


def test_versions_compare_as_semantic_versions_do() -> None:
    ordered = ["4.18.0-ec.2", "4.18.0-ec.10", "4.18.0-rc.1", "4.18.0", "4.18.1", "4.19.0"]
    assert [str(version(text)) for text in ordered] == [text.split("-")[0] for text in ordered]
    assert sorted(ordered, key=version) == ordered


@pytest.mark.parametrize("text", ["", "4", "4.18", "latest", "4.18.x"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(InvalidSpec):
        version(text)


@pytest.mark.parametrize(
    ("product", "current", "wanted", "allowed"),
    [
        (KUBERNETES, "1.34.1", "1.34.5", True),
        (KUBERNETES, "1.34.5", "1.34.1", True),
        (KUBERNETES, "1.34.1", "1.35.8", True),
        (KUBERNETES, "1.33.1", "1.35.8", False),
        (KUBERNETES, "1.35.8", "1.34.1", False),
        (OPENSHIFT, "4.17.1", "4.19.0", True),
        (OPENSHIFT, "4.19.1", "4.18.9", False),
        (OPENSHIFT, "4.23.1", "5.0.0", True),
        (OPENSHIFT, "5.0.0", "4.23.1", True),
        (OPENSHIFT, "5.1.0", "4.23.1", False),
    ],
)
def test_paths_of_an_upgrade(product: Product, current: str, wanted: str, allowed: bool) -> None:  # noqa: FBT001 - a column
    assert (not why_no_upgrade(product, version(current), version(wanted))) == allowed


@pytest.mark.parametrize(
    ("control_plane", "node", "allowed"),
    [
        ("1.35.8", "1.35.8", True),
        ("1.35.8", "1.32.0", True),
        ("1.35.8", "1.31.9", False),
        ("1.34.8", "1.35.0", False),
        ("1.35.7", "1.35.8", False),
        ("5.0.0", "4.20.0", True),
        ("5.1.0", "4.20.0", False),
        ("4.23.5", "5.0.0", True),
        ("5.0.1", "4.23.9", False),
        ("4.18.0", "4.18.0-rc.1", True),
    ],
)
def test_nodes_are_never_newer_and_at_most_three_minors_older(
    control_plane: str,
    node: str,
    allowed: bool,  # noqa: FBT001 - a column
) -> None:
    assert (not why_no_skew(version(control_plane), version(node))) == allowed


def test_minors_outside_the_table_are_not_hosted() -> None:
    assert supported(OPENSHIFT)[0] == "5.1"
    assert supported(OPENSHIFT)[-1] == "4.14"
    assert "latest version supported" in why_unsupported(OPENSHIFT, version("5.2.0"))
    assert "minimum version supported" in why_unsupported(OPENSHIFT, version("4.13.9"))
    assert not why_unsupported(KUBERNETES, version("1.35.8"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Version string empty"),
        ("4.18", "No Major.Minor.Patch elements found"),
        ("x4.18.0", 'Invalid character(s) found in major number "x4"'),
        ("4.18.z-1", 'Invalid character(s) found in patch number "z"'),
        ("4.18.0-a_b", 'Invalid character(s) found in "4.18.0-a_b"'),
    ],
)
def test_what_is_no_version_is_told_in_the_original_words(text: str, why: str) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(why)):
        version(text)


def test_long_numbers_of_a_pre_release_sort_before_words() -> None:
    assert version("4.18.0-20260101000000") < version("4.18.0-ec.1")
