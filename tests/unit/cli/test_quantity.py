import pytest

from hypershift.cli.quantity import WRONG_FORMAT, WRONG_SUFFIX, quantity
from hypershift.kit import UsageError


@pytest.mark.parametrize("text", ["8Gi", "16384Mi", "1.5G", "500m", "0", "1e3", "+2Ki", ".5"])
def test_a_quantity_is_printed_as_it_was_typed(text: str) -> None:
    assert quantity(text, "no size") == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [("0.5Gi", "512Mi"), ("1.5Ti", "1536Gi"), ("0.3Ki", "308"), ("2.0Gi", "2Gi")],
)
def test_a_fraction_of_a_binary_unit_becomes_whole(text: str, printed: str) -> None:
    assert quantity(text, "no size") == printed


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", WRONG_FORMAT),
        ("big", WRONG_FORMAT),
        ("8GB", WRONG_FORMAT),
        ("1.2.3", WRONG_FORMAT),
        ("8 Gi", WRONG_FORMAT),
        ("8K", WRONG_SUFFIX),
        ("8GG", WRONG_SUFFIX),
    ],
)
def test_what_is_no_quantity_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        quantity(text, "no size")
    assert str(error.value) == f"no size: {complaint}"
