import pytest

from hypershift.kit import InvalidSpec
from hypershift.kit.quantity import WRONG_FORMAT, WRONG_SUFFIX, added, canonical


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("8Gi", "8Gi"),
        ("16384Mi", "16Gi"),
        ("1024Gi", "1Ti"),
        ("0.5Gi", "512Mi"),
        ("1.5Ti", "1536Gi"),
        ("0.3Gi", "322122547200m"),
        ("1.5G", "1500M"),
        ("500m", "500m"),
        ("0", "0"),
        ("1e9", "1e9"),
        ("-1Gi", "-1Gi"),
    ],
)
def test_a_quantity_is_printed_with_the_largest_suffix_that_loses_nothing(
    text: str, printed: str
) -> None:
    assert canonical(text) == printed


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
    with pytest.raises(InvalidSpec) as error:
        canonical(text)
    assert str(error.value) == complaint


@pytest.mark.parametrize(
    ("text", "more", "printed"),
    [("8Gi", "512Mi", "8704Mi"), ("512Mi", "512Mi", "1Gi"), ("1G", "1k", "1000001k")],
)
def test_a_sum_is_written_like_its_first_part(text: str, more: str, printed: str) -> None:
    assert added(text, more) == printed


@pytest.mark.parametrize("digits", ["384209410116830841929249849344", "9" * 64])
def test_numbers_longer_than_a_decimal_context_are_neither_rounded_nor_an_error(
    digits: str,
) -> None:
    assert canonical(digits) == digits
