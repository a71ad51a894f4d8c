import pytest

from hypershift.cli.flags import (
    BOOL,
    DURATION,
    INT32,
    STRING_MAP,
    STRINGS,
    UINT32,
    Flag,
    read,
)
from hypershift.kit import UsageError


def test_a_wrong_word_names_the_flag_and_the_reason() -> None:
    with pytest.raises(UsageError) as error:
        read(Flag("cert-rotation-scale", type=DURATION), "soon")
    assert str(error.value) == (
        'invalid argument "soon" for "--cert-rotation-scale" flag: time: invalid duration "soon"'
    )


@pytest.mark.parametrize(
    ("flag", "word", "value"),
    [
        (Flag("a", type=BOOL), "false", False),
        (Flag("a", type=INT32), "7", 7),
        (Flag("a", type=INT32), "-1", -1),
        (Flag("a", type=INT32), "010", 8),
        (Flag("a", type=UINT32), "0x10", 16),
        (Flag("a", type=STRINGS), "x,y", ("x", "y")),
        (Flag("a", type=STRINGS), "", ()),
        (Flag("a", type=STRING_MAP), "k=v,l=w=x", {"k": "v", "l": "w=x"}),
        (Flag("a", type=STRING_MAP), "k=v,w", {"k": "v,w"}),
    ],
)
def test_words_become_values_by_type(flag: Flag, word: str, value: object) -> None:
    assert read(flag, word) == value


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="value out of range"):
        read(Flag("replicas", type=INT32), str(2**31))


@pytest.mark.parametrize(
    ("flag", "word", "complaint"),
    [
        (Flag("a", type=UINT32), "-1", 'strconv.ParseUint: parsing "-1": invalid syntax'),
        (Flag("a", type=INT32), " 1", 'strconv.ParseInt: parsing " 1": invalid syntax'),
        (Flag("a", type=STRING_MAP), "", " must be formatted as key=value"),
        (Flag("a", type=STRING_MAP), "k=v=,w", "w must be formatted as key=value"),
    ],
)
def test_words_that_are_no_values_are_refused(flag: Flag, word: str, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        read(flag, word)
    assert str(error.value) == f'invalid argument "{word}" for "--a" flag: {complaint}'
