import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import (
    ConfigError,
    Resource,
    Verification,
    data_url,
    inline,
    inline_contents,
    unpacked,
)


@given(st.binary())
def test_a_data_url_gives_back_what_was_put_in(contents: bytes) -> None:
    assert inline_contents(data_url(contents)) == contents


@given(st.binary())
def test_compressed_contents_unpack_to_themselves(contents: bytes) -> None:
    resource = inline(contents, compress=True)
    assert unpacked(resource, inline_contents(resource.source or "")) == contents


@pytest.mark.parametrize(
    ("source", "contents"),
    [
        ("data:,plain%20text", b"plain text"),
        ("data:text/plain;charset=utf-8;base64,aGVsbG8=", b"hello"),
        ("data:text/plain;charset=utf-8,a%0Ab", b"a\nb"),
        ("data:,", b""),
    ],
)
def test_data_urls_are_read_as_others_write_them(source: str, contents: bytes) -> None:
    assert inline_contents(source) == contents


@pytest.mark.parametrize("source", ["data:;base64,a", "data:nothing", "https://host/x", ""])
def test_what_is_no_data_url_is_refused(source: str) -> None:
    with pytest.raises(ConfigError):
        inline_contents(source)


def test_contents_of_another_digest_are_refused() -> None:
    wanted = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    resource = Resource(source="data:,x", verification=Verification(hash=f"sha256-{wanted}"))
    assert unpacked(resource, b"hello") == b"hello"
    with pytest.raises(ConfigError, match="do not match"):
        unpacked(resource, b"hullo")


def test_broken_gzip_is_refused() -> None:
    resource = Resource(source="data:,x", compression="gzip")
    with pytest.raises(ConfigError, match="gzip is broken"):
        unpacked(resource, gzip.compress(b"long enough to be cut")[:-9])


def test_an_unknown_compression_is_refused() -> None:
    with pytest.raises(ConfigError, match="'xz' is unknown"):
        unpacked(Resource(source="data:,x", compression="xz"), b"")
