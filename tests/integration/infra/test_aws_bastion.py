"""`create bastion aws` and `destroy bastion aws` against a test cloud."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.runs import WANTED, Hasty, accounts, create
from tests.cloud.aws.server import Cloud

from hypershift.cli.clouds.aws import bastion
from hypershift.cli.main import HYPERSHIFT, execute

pytestmark = pytest.mark.integration

KEY = rsa.generate_private_key(65537, 2048).public_key()


@pytest.fixture(autouse=True)
def network(aws: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    create(WANTED, accounts())
    monkeypatch.setattr(bastion, "SystemClock", Hasty)
    monkeypatch.chdir(tmp_path)
    Path("key.pub").write_bytes(KEY.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    Path("creds").write_text("[default]\naws_access_key_id=test\naws_secret_access_key=test\n")
    aws.calls.clear()


def run(verb: str, *more: str) -> int:
    words = (verb, "bastion", "aws", "--aws-creds=creds", f"--infra-id={WANTED.infra_id}")
    return execute(HYPERSHIFT, [*words, "--region=us-east-1", *more])


def test_a_bastion_is_made_once_and_leaves_nothing(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    before = aws.inventory()
    assert run("create", "--ssh-key-file=key.pub") == 0
    assert '"publicIP"' in capsys.readouterr().err
    assert aws.inventory() == {
        **before,
        "groups": before["groups"] + 1,
        "instances": before["instances"] + 1,
    }
    [pair] = aws.client("ec2").describe_key_pairs()["KeyPairs"]
    assert pair["KeyName"] == f"{WANTED.infra_id}-bastion"
    aws.calls.clear()
    assert run("create", "--ssh-key-file=key.pub") == 0
    assert not {"RunInstances", "CreateSecurityGroup", "ImportKeyPair"} & aws.calls.keys()
    assert run("destroy") == 0
    assert run("destroy") == 0
    assert aws.inventory() == before
    assert aws.client("ec2").describe_key_pairs()["KeyPairs"] == []


@pytest.mark.parametrize("lost", ["RunInstances", "CreateSecurityGroup", "ImportKeyPair"])
def test_a_lost_answer_is_made_good_by_the_next_run(aws: Cloud, lost: str) -> None:
    aws.faults = Faults.none()
    aws.faults.only, aws.faults.fatal = lost, "lost"
    assert run("create", "--ssh-key-file=key.pub") == 1
    aws.faults = Faults.none()
    assert run("create", "--ssh-key-file=key.pub") == 0
    assert aws.inventory()["instances"] == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--name=demo",), "either --name of a HostedCluster or --infra-id"),
        ((), "--ssh-key-file is required"),
        (("--ssh-key-file=absent",), "cannot read the SSH key absent"),
    ],
)
def test_bad_arguments_are_told_before_anything_is_made(
    aws: Cloud, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    assert run("create", *more) == 1
    assert said in capsys.readouterr().err
    assert not aws.calls


def test_a_network_without_public_subnets_has_no_bastion(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("create", "bastion", "aws", "--aws-creds=creds", "--infra-id=other")
    assert execute(HYPERSHIFT, [*words, "--region=us-east-1", "--ssh-key-file=key.pub"]) == 1
    assert "no subnet named other-public-*" in capsys.readouterr().err
    assert "RunInstances" not in aws.calls
