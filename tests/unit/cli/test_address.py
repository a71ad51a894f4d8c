import pytest

from hypershift.cli.address import cidr


@pytest.mark.parametrize(
    ("text", "printed"),
    [("10.0.0.0/16", "10.0.0.0/16"), ("10.1.2.3/8", "10.1.2.3/8"), ("FD01:0::/48", "fd01::/48")],
)
def test_a_range_is_printed_in_its_usual_spelling(text: str, printed: str) -> None:
    assert cidr(text) == printed


@pytest.mark.parametrize(
    "text", ["ten", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/255.0.0.0", "300.0.0.0/8", "fe80::%1/64"]
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="CIDR") as error:
        cidr(text)
    assert str(error.value) == f"invalid CIDR address: {text}"
