from tests.lib.command_line import install_options

from hypershift.cli.install.template import LANGUAGE, parameters
from hypershift.cli.install.templating import templated


def test_replicas_are_a_number_that_can_be_read() -> None:
    found = {each["name"]: each.get("value") for each in parameters(install_options())}
    assert found["OPERATOR_REPLICAS"] == "2"
    assert found["NAMESPACE"] == "hypershift"


def test_a_bucket_has_no_default_and_its_secret_has_the_given_one() -> None:
    prefix = "--oidc-storage-provider-s3"
    words = (f"{prefix}-bucket-name=b", f"{prefix}-region=r", f"{prefix}-secret=s")
    found = {each["name"]: each.get("value") for each in parameters(install_options(*words))}
    assert found["OIDC_S3_NAME"] is None
    assert found["OIDC_S3_CREDS_SECRET"] == "s"
    assert templated(install_options(*words), LANGUAGE).oidc_storage_provider_s3_region == (
        "${OIDC_S3_REGION}"
    )


def test_external_dns_without_a_secret_is_a_parameter_on_google_alone() -> None:
    google = install_options("--external-dns-provider=google", "--external-dns-domain-filter=d")
    other = install_options("--external-dns-provider=aws", "--external-dns-domain-filter=d")
    names = [{each["name"] for each in parameters(found)} for found in (google, other)]
    assert "EXTERNAL_DNS_DOMAIN_FILTER" in names[0]
    assert "EXTERNAL_DNS_DOMAIN_FILTER" not in names[1]
