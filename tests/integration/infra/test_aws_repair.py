"""`fix dr-oidc-iam` mends what an account lost of a cluster's trust, and nothing else."""

import asyncio
from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.cloud.aws.issuer import BUCKET, INFRA_ID, ISSUER, Issuer
from tests.cloud.aws.management import Management
from tests.cloud.aws.runs import Hasty, accounts, quiet
from tests.cloud.aws.server import Cloud

from hypershift.api.annotations import RESTART_DATE
from hypershift.cli.clouds.aws import repair
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cloud.stores import StoreFailed, lend
from hypershift.infra.aws.roles import WantedRoles, create_roles
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.pki.issuer import CONFIGURATION, KEYS

pytestmark = pytest.mark.integration

PLANE = "clusters-demo"
WANTED = WantedRoles(INFRA_ID, "us-east-1", ISSUER, "ZPUBLIC", "ZPRIVATE", "ZLOCAL")
SUBJECT = "system:serviceaccount:kube-system:control-plane-operator"
FIX = ["fix", "dr-oidc-iam", "--hc-name=demo", "--hc-namespace=clusters"]


class Account:
    """An account with the roles of a cluster, of which AWS may have lost what it trusts."""

    def __init__(self, aws: Cloud, issuer: Issuer) -> None:
        self.aws, self.issuer = aws, issuer
        self.iam, self.s3 = aws.client("iam"), aws.client("s3")
        made = asyncio.run(create_roles(accounts(), WANTED, log=quiet, clock=Hasty()))
        self.role = str(made["roles"]["controlPlaneOperatorARN"])

    @property
    def providers(self) -> list[str]:
        found = self.iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]
        return [each["Arn"] for each in found]

    def lose_provider(self) -> None:
        for arn in self.providers:
            self.iam.delete_open_id_connect_provider(OpenIDConnectProviderArn=arn)

    def lose_bucket(self) -> None:
        for path in self.issuer.published:
            self.s3.delete_object(Bucket=BUCKET, Key=f"{INFRA_ID}/{path}")
        self.s3.delete_bucket(Bucket=BUCKET)

    def trusts(self) -> bool:
        token = self.issuer.token(SUBJECT)
        try:
            return bool(lend(self.role, token, "us-east-1", "test", self.aws.endpoint).access)
        except StoreFailed:
            return False


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def account(aws: Cloud, issuer: Issuer) -> Account:
    aws.verifies = True
    issuer.publish(aws)
    return Account(aws, issuer)


@pytest.fixture
def management(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> Management:
    own = Management()
    monkeypatch.setattr(repair, "management", own.connect)
    public = issuer.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    aws = {"region": "us-east-1", "rolesRef": {}}
    spec = {
        "infraID": INFRA_ID,
        "issuerURL": ISSUER,
        "platform": {"type": "AWS", "aws": aws},
        "release": {"image": "registry.example/release:1"},
    }
    objects: list[Manifest] = [
        *(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            for name in ("clusters", PLANE)
        ),
        {
            "apiVersion": kinds.HOSTED_CLUSTER.api_version,
            "kind": "HostedCluster",
            "metadata": {"name": "demo", "namespace": "clusters"},
            "spec": spec,
        },
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "sa-signing-key", "namespace": PLANE},
            "data": {"service-account.pub": b64encode(public).decode()},
        },
    ]

    async def fill() -> None:
        for each in objects:
            await own.client.create(each)

    asyncio.run(fill())
    return own


def crash(management: Management) -> None:
    waiting = {"state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "capi-provider-1", "namespace": PLANE},
        "spec": {"containers": [{"name": "manager", "image": "x"}]},
    }
    status = {"status": {"containerStatuses": [{"name": "manager", **waiting}]}}

    async def make() -> None:
        await management.client.create(pod)
        place = (kinds.POD, "capi-provider-1", status, PLANE)
        await management.client.patch(*place, subresource="status")

    asyncio.run(make())


def restart(management: Management) -> str:
    found = asyncio.run(management.find(kinds.HOSTED_CLUSTER, "demo"))
    assert found is not None
    return str((found["metadata"].get("annotations") or {}).get(RESTART_DATE, ""))


@pytest.mark.usefixtures("management")
def test_an_account_that_is_whole_is_left_alone(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    account.aws.calls.clear()
    assert execute(HYPERSHIFT, FIX) == 0
    assert "nothing to repair" in capsys.readouterr().out
    changing = ("Create", "Delete", "PUT ", "DELETE ", "POST ")
    assert not [name for name in account.aws.calls if name.startswith(changing)]


@pytest.mark.usefixtures("management")
@pytest.mark.parametrize("lost", ["provider", "bucket", "both"])
def test_what_is_lost_is_made_again_and_tokens_are_believed(account: Account, lost: str) -> None:
    assert account.trusts()
    if lost != "bucket":
        account.lose_provider()
    if lost != "provider":
        account.lose_bucket()
    assert not account.trusts()
    assert execute(HYPERSHIFT, FIX) == 0
    assert account.trusts()
    assert len(account.providers) == 1


@pytest.mark.usefixtures("management")
def test_documents_of_other_keys_are_replaced(account: Account) -> None:
    key = f"{INFRA_ID}/{KEYS}"
    account.s3.put_object(Bucket=BUCKET, Key=key, Body=Issuer().published[KEYS])
    assert not account.trusts()
    assert execute(HYPERSHIFT, FIX) == 0
    assert account.trusts()


@pytest.mark.usefixtures("management")
def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    account.lose_bucket()
    account.lose_provider()
    assert execute(HYPERSHIFT, [*FIX, "--dry-run"]) == 0
    said = capsys.readouterr().out
    for line in ("make sure of bucket docs", "write the documents", "create the OIDC provider"):
        assert f"would {line}" in said
    assert account.providers == []
    assert not account.trusts()


def test_a_control_plane_that_crashes_is_restarted_once_trust_is_back(
    account: Account, management: Management
) -> None:
    crash(management)
    assert execute(HYPERSHIFT, FIX) == 0
    assert restart(management) == ""
    account.lose_provider()
    assert execute(HYPERSHIFT, FIX) == 0
    assert restart(management) != ""


@pytest.mark.usefixtures("management")
def test_force_makes_a_provider_anew_that_was_there(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, [*FIX, "--force-recreate"]) == 0
    assert "Deleted OIDC provider" in capsys.readouterr().err
    assert account.trusts()


def test_without_the_cluster_the_provider_comes_back_and_documents_are_asked_for(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fix", "dr-oidc-iam", f"--infra-id={INFRA_ID}", "--region=us-east-1"]
    account.lose_provider()
    assert execute(HYPERSHIFT, [*words, "--oidc-bucket=docs"]) == 0
    assert account.trusts()
    account.s3.delete_object(Bucket=BUCKET, Key=f"{INFRA_ID}/{CONFIGURATION}")
    assert execute(HYPERSHIFT, [*words, f"--issuer={ISSUER}"]) == 1
    assert "give --hc-name and --hc-namespace" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "are required"),
        (["--hc-name=demo"], "are required"),
        (["--hc-name=demo", "--hc-namespace=clusters", "--infra-id=x"], "not both"),
        (["--infra-id=x", "--region=us-east-1", "--issuer=https://own.example"], "names no bucket"),
    ],
)
def test_words_that_name_no_cluster_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, ["fix", "dr-oidc-iam", *words]) == 1
    assert said in capsys.readouterr().err
