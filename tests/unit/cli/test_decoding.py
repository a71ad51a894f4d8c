import pytest

from hypershift.cli.decoding import from_json, from_yaml, list_from_yaml
from hypershift.kit import UsageError

YAML = "no file: error unmarshaling JSON: while decoding JSON"
UNFIT = "json: cannot unmarshal"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not json", "invalid character 'o' in literal null (expecting 'u')"),
        ("hello", "invalid character 'h' looking for beginning of value"),
        ("", "unexpected end of JSON input"),
        ('{"a": 1', "unexpected end of JSON input"),
        ('{"a": 1} b', "invalid character 'b' after top-level value"),
        ('{"a" 1}', "invalid character '1' after object key"),
        ("{a: 1}", "invalid character 'a' looking for beginning of object key string"),
        ('{"a": 1,}', "invalid character '}' looking for beginning of object key string"),
        ('{"a": 1 "b": 2}', "invalid character '\"' after object key:value pair"),
        ("[1]", f"{UNFIT} array into Go value of type aws.Infra"),
        ("7", f"{UNFIT} number into Go value of type aws.Infra"),
    ],
)
def test_what_is_no_json_object_is_refused_in_gos_words(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        from_json(text, "no file", "aws.Infra")
    assert str(error.value) == f"no file: {complaint}"


def test_an_object_is_read_and_nothing_is_an_empty_one() -> None:
    assert from_json('{"a": 1}', "no file", "aws.Infra") == {"a": 1}
    assert from_json("null", "no file", "aws.Infra") == {}
    assert from_yaml(b"a: 1", "no file", "aws.Infra") == {"a": 1}
    assert from_yaml(b"", "no file", "aws.Infra") == {}


def test_yaml_that_is_no_object_is_refused_as_json() -> None:
    with pytest.raises(UsageError) as error:
        from_yaml(b"not json", "no file", "util.Creds")
    assert str(error.value) == f"{YAML}: {UNFIT} string into Go value of type util.Creds"


def test_a_list_keeps_the_fields_that_its_type_has() -> None:
    found = list_from_yaml(b"[{source: a, mirrors: [b], colour: red}]", "", "T", ("source",))
    assert found == [{"source": "a"}]
    assert list_from_yaml(b"", "no file", "T", ("source",)) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"a: 1", f"{UNFIT} object into Go value of type []T"),
        (b"true", f"{UNFIT} bool into Go value of type []T"),
        (b"[a]", f"{UNFIT} string into Go value of type T"),
    ],
)
def test_yaml_that_is_no_list_of_objects_is_refused(text: bytes, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        list_from_yaml(text, "no file", "T", ())
    assert str(error.value) == f"{YAML}: {complaint}"
