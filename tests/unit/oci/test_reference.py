import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.oci import InvalidReference, Reference, parse

DIGEST = f"sha256:{'a' * 64}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("busybox", Reference("docker.io", "library/busybox", "latest")),
        ("me/app:1.0", Reference("docker.io", "me/app", "1.0")),
        ("localhost/app", Reference("localhost", "app", "latest")),
        ("10.0.0.1:5000/a/b:v1", Reference("10.0.0.1:5000", "a/b", "v1")),
        (f"quay.io/a/b@{DIGEST}", Reference("quay.io", "a/b", "", DIGEST)),
        (f"quay.io/a/b:v1@{DIGEST}", Reference("quay.io", "a/b", "v1", DIGEST)),
    ],
)
def test_references_are_read_as_container_tools_read_them(text: str, expected: Reference) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "UPPER/case",
        "a b",
        "quay.io/",
        "quay.io/a:",
        "quay.io/a@sha256:1",
        "quay.io/a/../b",
        "http://quay.io/a",
        "quay.io/a@",
        "quay.io//a",
    ],
)
def test_what_is_no_reference_is_refused(text: str) -> None:
    if text == "quay.io/a:":
        assert parse(text).tag == "latest"  # as docker reads it
        return
    with pytest.raises(InvalidReference):
        parse(text)


words = st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)


@given(st.lists(words, min_size=1, max_size=3), words, st.booleans())
def test_a_printed_reference_is_read_back(path: list[str], tag: str, pinned: bool) -> None:  # noqa: FBT001 - drawn
    reference = Reference("registry.example:5000", "/".join(path), tag, DIGEST if pinned else "")
    assert parse(str(reference)) == reference


def test_a_digest_wins_over_a_tag() -> None:
    assert parse(f"quay.io/a:v1@{DIGEST}").selector == DIGEST
    assert str(parse("quay.io/a:v1").pinned(DIGEST)) == f"quay.io/a@{DIGEST}"
