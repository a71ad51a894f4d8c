"""What `create cluster` refuses, in the words that scripts around the original know."""

from pathlib import Path

import pytest

from hypershift.cli.main import HCP, HYPERSHIFT, execute

NO_CONFIGURATION = (
    "invalid configuration: no configuration has been provided, "
    "try setting KUBERNETES_MASTER environment variable"
)
NONE = ("none", "--name=demo", "--external-api-server-address=a", "--render")
AWS = ("aws", "--name=demo", "--render")
LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)


@pytest.fixture
def pull_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "pull-secret.json"
    path.write_text("{}")
    (tmp_path / "text").write_text("not json")
    return f"--pull-secret={path}"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--name=a.b",), "HostedCluster name failed RFC1123 validation: must not contain dots"),
        (("--name=A",), f"HostedCluster name failed RFC1123 validation: {LABEL}"),
        (
            (f"--name={'a' * 64}",),
            "HostedCluster name failed RFC1123 validation: must be no more than 63 characters",
        ),
        (
            ("--feature-set=CustomNoUpgrade",),
            "only a predefined feature set is supported by the feature-set flag",
        ),
        (
            ("--disable-multi-network",),
            "disableMultiNetwork is only allowed when networkType is 'Other' (got 'OVNKubernetes')",
        ),
        (
            ("--allocate-node-cidrs", "--network-type=Calico"),
            "allocateNodeCIDRs is only allowed when networkType is 'Other' (got 'Calico')",
        ),
        (
            (f"--kas-dns-name={'a' * 254}",),
            "KubeAPIServerDNSName failed DNS validation: must be no more than 253 characters",
        ),
        *(
            (
                (f"--toleration=tolerationSeconds={seconds}",),
                f"invalid toleration cli argument. failed to parse tolerationSeconds [{seconds}]",
            )
            for seconds in ("1_0", "9223372036854775808", "0x1")
        ),
        (
            ("--service-cidr=s", "--machine-cidr=m"),
            "parsing ServiceCIDR (s): invalid CIDR address: s",
        ),
        (("--toleration=key",), "invalid toleration cli argument. [key]"),
        (("--toleration=key=a,key=b=c",), "invalid toleration cli argument. [key=a,key=b=c]"),
        (
            ("--toleration=key=a,tolerationSeconds=x",),
            "invalid toleration cli argument. failed to parse tolerationSeconds [x]",
        ),
        (("--labels=a",), "invalid label: a"),
        (
            ("--ssh-key=absent",),
            "failed to read ssh key file: open absent: no such file or directory",
        ),
        (
            ("--additional-trust-bundle=absent",),
            "failed to read additional trust bundle file: open absent: no such file or directory",
        ),
        (
            ("--default-dual", "--service-cidr=10.0.0.0/16", "--cluster-cidr=10.1.0.0/16"),
            (
                "if any flags in the group [cluster-cidr default-dual] are set none of the others "
                "can be; [cluster-cidr default-dual] were all set"
            ),
        ),
        (
            ("--version-check",),
            f"failed to get client: unable to get kubernetes config: {NO_CONFIGURATION}",
        ),
        (
            ("--release-stream=4-stable",),
            f"failed to get client: unable to get kubernetes config: {NO_CONFIGURATION}",
        ),
        (("--render=false",), f"unable to get kubernetes config: {NO_CONFIGURATION}"),
        (
            ("--external-api-server-address=", "--kubeconfig=absent"),
            (
                "could not complete platform specific options: unable to build config from "
                'kubeconfig "absent": stat absent: no such file or directory'
            ),
        ),
        (("--=x",), "bad flag syntax: --=x"),
    ],
)
def test_common_flags_are_refused(
    words: tuple[str, ...],
    complaint: str,
    pull_secret: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(HYPERSHIFT, ["create", "cluster", *NONE, pull_secret, *words]) == 1
    assert capsys.readouterr().err == f"{complaint}\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("--enable-proxy", "--enable-secure-proxy"),
            "use --enable-proxy or --enable-secure-proxy but not both",
        ),
        (
            ("--infra-json=text",),
            (
                "could not complete platform specific options: failed to load infra json: "
                "invalid character 'o' in literal null (expecting 'u')"
            ),
        ),
        (("--secret-creds=mine",), 'required flag(s) "role-arn" not set'),
        (("--secret-creds=mine", "--role-arn=r"), 'secrets "mine" not found'),
        (
            ("--version-check",),
            (
                "version validation failed: failed to get supported OCP versions: failed to find "
                'supported versions on the server: configmaps "supported-versions" not found'
            ),
        ),
        (
            ("--multi-arch", "--vpc-cidr=10.0.0.0/24"),
            (
                "Flag --multi-arch has been deprecated, Multi-arch validation is now performed "
                "automatically based on the release image and signaled in the "
                "HostedCluster.Status.PayloadArch.\nonly /16 size VPC CIDR supported (10.0.0.0/24)"
            ),
        ),
    ],
)
def test_flags_of_aws_are_refused(
    words: tuple[str, ...],
    complaint: str,
    pull_secret: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FAKE_CLIENT", "true")
    assert execute(HYPERSHIFT, ["create", "cluster", *AWS, pull_secret, *words]) == 1
    assert capsys.readouterr().err == f"{complaint}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("not json", "!!str `not json`"), ("a long sentence", "!!str `a long ...`"), ("[1]", "!!seq")],
)
def test_a_file_of_clouds_must_be_a_map(
    text: str, shown: str, pull_secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text").write_text(text)
    words = ["create", "cluster", "openstack", "--name=demo", "--render", pull_secret]
    assert execute(HYPERSHIFT, [*words, "--openstack-credentials-file=text"]) == 1
    assert capsys.readouterr().err == (
        "failed to read OpenStack credentials file: failed to parse OpenStack credentials file: "
        f"yaml: unmarshal errors:\n  line 1: cannot unmarshal {shown} into "
        "map[string]interface {}\n"
    )


def test_descriptions_of_azure_must_be_objects(
    pull_secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["create", "cluster", "azure", "--name=demo", "--render", pull_secret]
    assert execute(HYPERSHIFT, [*words, "--infra-json=text"]) == 1
    assert capsys.readouterr().err == (
        "could not complete platform specific options: failed to deserialize infra json file: "
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go "
        "value of type azure.CreateInfraOutput\n"
    )


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("agent", ("--agent-namespace=a", "--api-server-address=a")),
        ("kubevirt", ()),
    ],
)
def test_the_products_program_looks_a_release_up_on_every_platform(
    platform: str, words: tuple[str, ...], pull_secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["create", "cluster", platform, "--name=demo", "--render", pull_secret, *words]
    assert execute(HCP, line) == 1
    said = f"failed to get client: unable to get kubernetes config: {NO_CONFIGURATION}"
    assert capsys.readouterr().err == f"Error: {said}\n{said}\n"


def test_a_flag_that_should_not_be_used_is_named_before_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(HCP, ["create", "nodepool", "aws", "--node-count=3"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "Flag --node-count has been deprecated, please use '--replicas' instead",
        'Error: required flag(s) "name" not set',
        'required flag(s) "name" not set',
    ]


def test_azure_needs_its_credentials(pull_secret: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("infra.json").write_text("{}")
    words = ["create", "cluster", "azure", "--name=demo", "--render", pull_secret]
    assert execute(HYPERSHIFT, [*words, "--infra-json=infra.json"]) == 1
    assert capsys.readouterr().err == (
        "could not complete platform specific options: failed to read --azure-creds file : "
        "open : no such file or directory\n"
    )
