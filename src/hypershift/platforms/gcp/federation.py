"""Documents by which Google's libraries take on an account with a token of the guest."""

import json

from hypershift.api.platforms.gcp_identity import GCPWorkloadIdentity
from hypershift.kit import InvalidSpec

_IAM = "iam.googleapis.com"
_ACCOUNTS = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts"


def account_document(identity: GCPWorkloadIdentity, email: str, token_file: str) -> str:
    """The description of an external account, in the order of keys that the original has."""
    for called, value in (
        ("project number", identity.project_number),
        ("pool ID", identity.pool_id),
        ("provider ID", identity.provider_id),
        ("service account email", email),
    ):
        if not value:
            raise InvalidSpec(
                f"{called} cannot be empty in GCP Workload Identity Federation credentials",
                field="spec.platform.gcp.workloadIdentity",
            )
    pool = f"projects/{identity.project_number}/locations/global/workloadIdentityPools"
    document = {
        "type": "external_account",
        "audience": f"//{_IAM}/{pool}/{identity.pool_id}/providers/{identity.provider_id}",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": "https://sts.googleapis.com/v1/token",
        "service_account_impersonation_url": f"{_ACCOUNTS}/{email}:generateAccessToken",
        "credential_source": {"file": token_file, "format": {"type": "text"}},
    }
    return json.dumps(document, separators=(",", ":"))
