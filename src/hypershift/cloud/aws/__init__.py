"""AWS by boto3: who we are there, calls, and errors in our own words.

boto3 is an optional extra of the package and is imported with the first session; operators, which
call little, go without it (`Query`).
"""

from hypershift.cloud.aws.account import Account
from hypershift.cloud.aws.credentials import Keys, Login, SessionOf, keys_of_file
from hypershift.cloud.aws.errors import (
    AwsRefusal,
    AwsUnavailable,
    CredentialsRefused,
    Missing,
    NotPermitted,
    QuotaExceeded,
)
from hypershift.cloud.aws.kms import encrypt
from hypershift.cloud.aws.query import Query, endpoint, pages
from hypershift.cloud.aws.roles import assume
from hypershift.cloud.aws.zones import Record, Zones

__all__ = [
    "Account",
    "AwsRefusal",
    "AwsUnavailable",
    "CredentialsRefused",
    "Keys",
    "Login",
    "Missing",
    "NotPermitted",
    "Query",
    "QuotaExceeded",
    "Record",
    "SessionOf",
    "Zones",
    "assume",
    "encrypt",
    "endpoint",
    "keys_of_file",
    "pages",
]
