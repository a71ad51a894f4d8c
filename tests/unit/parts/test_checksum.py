import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.parts.checksum import published_checksum
from hypershift.parts.errors import PartUnavailable

digests = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(digests, digests)
def test_a_checksum_is_found_in_each_published_form(wanted: str, other: str) -> None:
    assert published_checksum(f"{wanted}\n", "tool") == wanted
    assert published_checksum(f"{wanted}  tool\n", "tool") == wanted
    assert published_checksum(f"{other}  tool2\n{wanted} *./tool\n", "tool") == wanted


@pytest.mark.parametrize("text", ["", "<html>not found</html>", "a b\nc d", "0123  tool"])
def test_a_list_without_the_file_is_refused(text: str) -> None:
    with pytest.raises(PartUnavailable, match="no published checksum for tool"):
        published_checksum(text, "tool")
