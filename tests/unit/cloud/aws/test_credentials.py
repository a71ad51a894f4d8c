"""Who we are on AWS."""

import json
from pathlib import Path

import pytest

from hypershift.cloud.aws import Login, keys_of_file
from hypershift.kit import UsageError

DOCUMENT = {
    "Credentials": {"AccessKeyId": "AKIA", "SecretAccessKey": "hidden", "SessionToken": "token"}
}


def test_keys_of_a_session_are_read_and_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "sts.json"
    file.write_text(json.dumps(DOCUMENT))
    keys = keys_of_file(str(file))
    assert keys.secret_access_key.reveal() == "hidden"
    assert "hidden" not in repr(keys)
    assert "token" not in repr(keys.session_token)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"Credentials": {"AccessKeyId": "AKIA"}}'])
def test_a_file_of_another_form_is_refused_without_its_content(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sts.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="failed to unmarshal sts credentials") as caught:
        keys_of_file(str(file))
    assert "AKIA" not in str(caught.value)


def test_a_file_that_is_absent_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or directory"):
        keys_of_file(str(tmp_path / "absent"))


@pytest.mark.parametrize(
    ("login", "sentence"),
    [
        (Login(file="a", role_arn="r"), "only one of 'aws-creds'"),
        (Login(file="a", sts_file="s"), "only one of 'aws-creds'"),
        (Login(sts_file="s"), "'role-arn' is required"),
    ],
)
def test_credentials_that_contradict_each_other_are_refused(login: Login, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        login.check()
