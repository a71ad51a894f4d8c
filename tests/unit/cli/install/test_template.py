from hypershift.cli.command import understand
from hypershift.cli.flags import Values
from hypershift.cli.install.template import LANGUAGE, parameters
from hypershift.cli.install.templating import templated
from hypershift.cli.main import HYPERSHIFT


def flags(*words: str) -> Values:
    return understand(HYPERSHIFT, ["install", "render", *words]).values


def test_replicas_are_a_number_that_can_be_read() -> None:
    found = {each["name"]: each.get("value") for each in parameters(flags())}
    assert found["OPERATOR_REPLICAS"] == "2"
    assert found["NAMESPACE"] == "hypershift"


def test_a_bucket_has_no_default_and_its_secret_has_the_given_one() -> None:
    prefix = "--oidc-storage-provider-s3"
    words = (f"{prefix}-bucket-name=b", f"{prefix}-region=r", f"{prefix}-secret=s")
    found = {each["name"]: each.get("value") for each in parameters(flags(*words))}
    assert found["OIDC_S3_NAME"] is None
    assert found["OIDC_S3_CREDS_SECRET"] == "s"
    assert templated(flags(*words), LANGUAGE)["oidc-storage-provider-s3-region"] == (
        "${OIDC_S3_REGION}"
    )


def test_external_dns_without_a_secret_is_a_parameter_on_google_alone() -> None:
    google = flags("--external-dns-provider=google", "--external-dns-domain-filter=d")
    other = flags("--external-dns-provider=aws", "--external-dns-domain-filter=d")
    names = [{each["name"] for each in parameters(values)} for values in (google, other)]
    assert "EXTERNAL_DNS_DOMAIN_FILTER" in names[0]
    assert "EXTERNAL_DNS_DOMAIN_FILTER" not in names[1]
