import pytest

from hypershift.cli.decoding import Struct, from_json, from_yaml, list_from_yaml
from hypershift.kit import UsageError

YAML = "no file: error unmarshaling JSON: while decoding JSON"
UNFIT = "json: cannot unmarshal"
FIELD = f"{UNFIT} {{}} into Go struct field {{}} of type {{}}"
ROLES = Struct("v1beta1.Roles", {"ingressARN": str})
INFRA = Struct(
    "aws.Infra",
    {
        "region": str,
        "publicOnly": bool,
        "zones": (Struct("aws.Zone", {"name": str}),),
        "roles": ROLES,
        "kept": Struct("aws.Kept"),
    },
)
NOTHING = {
    "region": "",
    "publicOnly": False,
    "zones": [],
    "roles": {"ingressARN": ""},
    "kept": None,
}


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
        ('{"publicOnly": "yes"}', FIELD.format("string", "Infra.publicOnly", "bool")),
        ('{"region": 5}', FIELD.format("number", "Infra.region", "string")),
        ('{"zones": {"a": 1}}', FIELD.format("object", "Infra.zones", "[]aws.Zone")),
        ('{"zones": [5]}', FIELD.format("number", "Infra.zones", "aws.Zone")),
        ('{"zones": [{"name": 5}]}', FIELD.format("number", "Zone.zones.name", "string")),
        ('{"roles": []}', FIELD.format("array", "Infra.roles", "v1beta1.Roles")),
        (
            '{"roles": {"ingressARN": true}}',
            FIELD.format("bool", "Roles.roles.ingressARN", "string"),
        ),
    ],
)
def test_what_is_no_such_object_is_refused_in_gos_words(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        from_json(text.encode(), "no file", INFRA)
    assert str(error.value) == f"no file: {complaint}"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("null", {}),
        ('{"roles": null, "zones": null, "region": null, "publicOnly": null}', {}),
        ('{"REGION": "r", "Zones": [{"NAME": "z"}]}', {"region": "r", "zones": [{"name": "z"}]}),
        ('{"region": "a", "Region": "b", "colour": "red"}', {"region": "b"}),
        ('{"kept": {"any": [1]}}', {"kept": {"any": [1]}}),
    ],
)
def test_fields_are_found_in_any_case_and_null_is_nothing(
    text: str, read: dict[str, object]
) -> None:
    assert from_json(text.encode(), "no file", INFRA) == NOTHING | read


def test_a_text_of_other_bytes_is_read_as_go_reads_it() -> None:
    assert (
        from_json(b'{"region": "\xff"}', "no file", INFRA)["region"] == "\N{REPLACEMENT CHARACTER}"
    )


def test_scalars_of_yaml_become_text_where_text_is_wanted() -> None:
    found = from_yaml(b"region: 12\npublicOnly: yes\nroles: {ingressARN: true}\n", "", INFRA)
    assert found == NOTHING | {
        "region": "12",
        "publicOnly": True,
        "roles": {"ingressARN": "true"},
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"not json", f"{YAML}: {UNFIT} string into Go value of type aws.Infra"),
        (
            b"a:\n\t- b\n",
            (
                "no file: error converting YAML to JSON: yaml: line 2: "
                "found character that cannot start any token"
            ),
        ),
        (
            b"region: \xff",
            "no file: error converting YAML to JSON: yaml: invalid leading UTF-8 octet",
        ),
    ],
)
def test_what_is_no_such_yaml_is_refused(text: bytes, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        from_yaml(text, "no file", INFRA)
    assert str(error.value) == complaint


SOURCE = Struct("T", {"source": str, "mirrors": (str,)})


def test_a_list_keeps_the_fields_that_its_type_has() -> None:
    found = list_from_yaml(b"[{SOURCE: a, mirrors: [5], colour: red}, null]", "", SOURCE)
    assert found == [{"source": "a", "mirrors": ["5"]}, {"source": "", "mirrors": []}]
    assert list_from_yaml(b"", "no file", SOURCE) == []


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
        list_from_yaml(text, "no file", SOURCE)
    assert str(error.value) == f"{YAML}: {complaint}"
