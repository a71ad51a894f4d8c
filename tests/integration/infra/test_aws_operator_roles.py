"""`create operator-roles aws` and `create iam cli-role` against a test cloud."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cloud.aws.server import Cloud
from tests.lib.command_line import install_options

from hypershift.cli.install.credentials import completed
from hypershift.cli.main import HYPERSHIFT, execute

pytestmark = pytest.mark.integration

ISSUER = "https://issuer.example.com/management"
CHANGES = {"CreateRole", "PutRolePolicy", "UpdateAssumeRolePolicy"}


def run(*more: str) -> int:
    words = ("create", "operator-roles", "aws", "--oidc-storage-provider-s3-bucket-name=docs")
    return execute(HYPERSHIFT, [*words, *more])


def role(aws: Cloud, name: str) -> dict[str, Any]:
    return dict(aws.client("iam").get_role(RoleName=name)["Role"])


def with_provider(aws: Cloud) -> str:
    made = aws.client("iam").create_open_id_connect_provider(
        Url=ISSUER, ClientIDList=["sts.amazonaws.com"], ThumbprintList=["A" * 40]
    )
    return str(made["OpenIDConnectProviderArn"])


def test_roles_are_made_once_for_the_operators_accounts(aws: Cloud, tmp_path: Path) -> None:
    provider, file = with_provider(aws), tmp_path / "roles.json"
    flags = (f"--oidc-issuer-url={ISSUER}", f"--output-file={file}")
    assert run(*flags) == 0
    made = json.loads(file.read_text())
    assert {name: arn.rpartition("/")[2] for name, arn in made.items()} == {
        "operatorEC2RoleARN": "hypershift-operator-ec2",
        "operatorOIDCS3RoleARN": "hypershift-operator-oidc-s3",
        "externalDNSRoleARN": "hypershift-external-dns",
    }
    [statement] = role(aws, "hypershift-external-dns")["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Federated": provider}
    subject = {"issuer.example.com/management:sub": "system:serviceaccount:hypershift:external-dns"}
    assert statement["Condition"] == {"StringEquals": subject}
    aws.calls.clear()
    assert run(*flags) == 0
    assert not CHANGES & aws.calls.keys()
    options = completed(install_options(f"--aws-operator-roles-file={file}"))
    assert options.oidc_storage_provider_s3_role_arn == made["operatorOIDCS3RoleARN"]


def test_instances_take_the_roles_where_they_are_named(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = "arn:aws:iam::123456789012:role/nodes"
    assert run(f"--instance-role-arn={instance}", "--route53-hosted-zone-id=Z1") == 0
    assert len(json.loads(capsys.readouterr().out)) == 3
    name = "hypershift-external-dns"
    [statement] = role(aws, name)["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"AWS": instance}
    policy = aws.client("iam").get_role_policy(RoleName=name, PolicyName=name)["PolicyDocument"]
    assert policy["Statement"][1]["Resource"].endswith("hostedzone/Z1")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((f"--oidc-issuer-url={ISSUER}",), "no OIDC provider for the issuer"),
        ((f"--oidc-issuer-url={ISSUER}", "--instance-role-arn=x"), "exclude each other"),
    ],
)
def test_roles_that_nobody_could_take_are_not_made(
    aws: Cloud, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    assert run(*more) == 1
    assert said in capsys.readouterr().err
    assert not CHANGES & aws.calls.keys()


def test_the_command_lines_role_trusts_who_made_it(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, ["create", "iam", "cli-role"]) == 0
    assert capsys.readouterr().out.strip().endswith("role/hypershift-cli-role")
    caller = aws.client("sts").get_caller_identity()["Arn"]
    [statement] = role(aws, "hypershift-cli-role")["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"AWS": caller}
    aws.calls.clear()
    assert execute(HYPERSHIFT, ["create", "iam", "cli-role"]) == 0
    assert not CHANGES & aws.calls.keys()
