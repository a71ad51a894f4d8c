import json
from typing import Any

import pytest
from hypothesis import given
from tests.unit.ignition.strategies import configs

from hypershift.ignition import Config, ConfigError, decode, encode, to_builtins


def a_document(**parts: Any) -> bytes:
    return json.dumps({"ignition": {"version": "3.2.0"}, **parts}).encode()


@given(configs())
def test_what_is_written_reads_back_as_the_same_value(config: Config) -> None:
    assert decode(encode(config)) == config


@given(configs())
def test_writing_is_canonical(config: Config) -> None:
    assert encode(decode(encode(config))) == encode(config)


def test_an_empty_configuration_is_only_its_version() -> None:
    assert to_builtins(Config()) == {"ignition": {"version": "3.2.0"}}


def test_nulls_mean_absence_as_in_what_go_writes() -> None:
    document = a_document(storage={"files": None, "links": [{"path": "/a", "target": "b"}]})
    assert decode(document).storage.files == ()


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"storage": {"disks": [{"device": "/dev/vda"}]}}, "$.storage"),
        ({"storage": {"luks": []}}, "$.storage"),
        ({"kernelArguments": {"shouldExist": ["quiet"]}}, "$"),
        ({"passwd": {"users": [{"name": "core", "passwordHash": "x"}]}}, "$.passwd.users[0]"),
        ({"storage": {"files": [{"path": "/a", "mode": "0644"}]}}, "$.storage.files[0].mode"),
        ({"storage": {"files": [{"path": "/a", "mode": 99999}]}}, "$.storage.files[0].mode"),
        ({"storage": {"files": [{"path": "a"}]}}, "$.storage.files[0].path"),
        ({"storage": {"files": [{"path": "/../a"}]}}, "$.storage.files[0].path"),
        ({"storage": {"files": [{"path": "/a"}, {"path": "/a"}]}}, "$.storage.files[1].path"),
        (
            {"storage": {"files": [{"path": "/a", "contents": {"source": "s3://b/o"}}]}},
            "$.storage.files[0].contents",
        ),
        ({"systemd": {"units": [{"name": "../x.service"}]}}, "$.systemd.units[0].name"),
        ({"systemd": {"units": [{"name": "x.device"}]}}, "$.systemd.units[0].name"),
        ({"unknown": 1}, "$"),
    ],
)
def test_what_is_not_understood_is_refused_by_its_path(parts: dict[str, Any], path: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        decode(a_document(**parts))
    assert refusal.value.path == path


@pytest.mark.parametrize("document", [b"", b"[]", b"{}", b'{"ignition": {}}', b"\xff"])
def test_what_is_no_configuration_is_refused(document: bytes) -> None:
    with pytest.raises(ConfigError):
        decode(document)


def test_another_major_version_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"2\.2\.0"):
        decode(b'{"ignition": {"version": "2.2.0"}}')
