import pytest

from hypershift.cli.moment import check_moment


@pytest.mark.parametrize(
    "text",
    [
        "2030-01-01T00:00:00Z",
        "2030-02-28T23:59:59.5+02:00",
        "2028-02-29T00:00:00Z",
        "0000-02-29T1:00:00,5+24:60",
    ],
)
def test_a_moment_is_accepted(text: str) -> None:
    check_moment(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tomorrow", ' as "2006-01-02T15:04:05Z07:00": cannot parse "tomorrow" as "2006"'),
        ("2030-01-01", ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'),
        ("2030-01-01 10:00", ' as "2006-01-02T15:04:05Z07:00": cannot parse " 10:00" as "T"'),
        ("2030-01-01T10:00:00", ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'),
        ("2030-13-01T00:00:00Z", ": month out of range"),
        ("2030-01-01T24:00:00Z", ": hour out of range"),
        ("2030-02-30T00:00:00Z", ": day out of range"),
        ("0001-02-29T00:00:00Z", ": day out of range"),
        ("2030-01-00T00:00:00Z", ": day out of range"),
        ("2030-01-01T00:00:00+25:00", ": time zone offset hour out of range"),
        ("2030-01-01T00:00:00+23:61", ": time zone offset minute out of range"),
        ("2030-01-01T00:00:00Zulu", ': extra text: "ulu"'),
    ],
)
def test_what_is_no_moment_is_refused_where_it_stops_being_one(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="parsing time") as error:
        check_moment(text)
    assert str(error.value) == f'parsing time "{text}"{complaint}'
