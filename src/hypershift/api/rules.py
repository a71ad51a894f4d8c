"""Rules that several fields share, so that one reads and changes them in one place."""

from typing import Final

from hypershift.api.shape import Rule

AZURE_CLIENT_ID: Final = Rule(
    "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
    (
        "the client ID of a managed identity must be a valid UUID. It should be"
        " 5 groups of hyphen separated hexadecimal characters in the form"
        " 8-4-4-4-12."
    ),
)

AZURE_SUBNET_FORMAT: Final = Rule(
    (
        "size(self.split('/')) == 11 && self.matches('^/subscriptions/.*/"
        "resourceGroups/.*/providers/Microsoft.Network/virtualNetworks/.*/"
        "subnets/.*$')"
    ),
    (
        "encryptionSetID must be in the format `/subscriptions/"
        "{subscriptionId}/resourceGroups/{resourceGroupName}/providers/"
        "Microsoft.Network/virtualNetworks/{vnetName}/subnets/{subnetName}`"
    ),
)

AZURE_SUBNET_ID: Final = Rule(
    (
        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
        r"Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$')"
    ),
    (
        "must be a valid Azure subnet resource ID (e.g., /subscriptions/{sub}/"
        "resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/"
        "{vnet}/subnets/{subnet})"
    ),
)

AZURE_SUBNET_NAME: Final = Rule(
    r"self.split('/')[10].matches('[a-zA-Z0-9][a-zA-Z0-9-_\\.]{0,79}')",
    (
        "The subnetName should be between 1 and 80 characters, consisting only"
        " of alphanumeric characters, hyphens and underscores and must start"
        " with an alphanumeric character"
    ),
)

AZURE_SUBNET_NAME_END: Final = Rule(
    "!self.split('/')[10].endsWith('.') && !self.split('/')[10].endsWith('-')",
    "the subnetName in the subnetID must not end with a period (.) or hyphen (-) character",
)

AZURE_SUBSCRIPTION_ID: Final = Rule(
    "self.split('/')[2].matches('^[{]?[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[}]?$')",
    (
        "the subscriptionId in the encryptionSetID must be a valid UUID. It"
        " should be 5 groups of hyphen separated hexadecimal characters in the"
        " form 8-4-4-4-12"
    ),
)

AZURE_VNET_NAME_END: Final = Rule(
    "!self.split('/')[8].endsWith('.') && !self.split('/')[8].endsWith('-')",
    "the vnetName in the subnetID must not end with either a period (.) or hyphen (-) character",
)

CIDR: Final = Rule(
    (
        r"self.matches('^((\\d{1,3}\\.){3}\\d{1,3}/\\d{1,2})$') || self.matches("
        "'^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')"
    ),
    "cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)",
)

ENCRYPTION_KEY_URL: Final = Rule(
    (
        r"self.matches('^https://[a-zA-Z0-9-]+\\.(vault\\.(azure\\.net|"
        r"usgovcloudapi\\.net|azure\\.cn|microsoftazure\\.de|sovcloud-api\\.fr)|"
        r"managedhsm\\.(azure\\.net|usgovcloudapi\\.net|azure\\.cn|"
        r"microsoftazure\\.de|sovcloud-api\\.fr))/keys/[a-zA-Z0-9-]+("
        "/[a-zA-Z0-9]+)?$')"
    ),
    "encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL",
)

ENOUGH_SERVICES: Final = Rule(
    "self.platform.type == 'IBMCloud' ? size(self.services) >= 3 : size(self.services) >= 4",
    "spec.services in body should have at least 4 items or 3 for IBMCloud",
    gate="-LocalPlatform",
)

ENOUGH_SERVICES_LOCAL: Final = Rule(
    (
        "self.platform.type in ['IBMCloud', 'Local'] ? size(self.services) >= 3"
        " : size(self.services) >= 4"
    ),
    "spec.services in body should have at least 4 items or 3 for IBMCloud and Local",
    gate="LocalPlatform",
)

GCP_SERVICE_ACCOUNT_EMAIL: Final = Rule(
    (
        "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,"
        r"28}[a-z0-9]\\.iam\\.gserviceaccount\\.com$')"
    ),
    (
        "email must be a valid GCP service account email (format:"
        " name@project.iam.gserviceaccount.com)"
    ),
)

KMS_KEY_ARN: Final = Rule(
    "self.matches('^arn:(aws|aws-cn|aws-us-gov):kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$')",
    (
        "kmsKeyARN must be a valid AWS KMS key ARN"
        " (arn:<partition>:kms:<region>:<account-id>:key/<key-id>)"
    ),
)

MULTI_NETWORK: Final = Rule(
    (
        "!has(self.operatorConfiguration) ||"
        " !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self."
        "operatorConfiguration.clusterNetworkOperator.disableMultiNetwork) ||"
        " !self.operatorConfiguration.clusterNetworkOperator."
        "disableMultiNetwork || self.networking.networkType == 'Other'"
    ),
    "disableMultiNetwork can only be set to true when networkType is 'Other'",
)

ONE_SOURCE: Final = Rule(
    "has(self.claim) ? !has(self.expression) : has(self.expression)",
    "precisely one of claim or expression must be set",
)

PAUSED_UNTIL: Final = Rule(
    (
        r"self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$') || self"
        " in ['true', 'false', 'True', 'False']"
    ),
    "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
)

REGISTRY: Final = Rule(
    (
        r"self.matches('^\\*(?:\\.(?:[a-zA-Z0-9]|"
        "[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|"
        r"[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\.(?:[a-zA-Z0-9]|"
        "[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+("
        "?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')"
    ),
    (
        "each registry must be a valid hostname[:port][/path] or wildcard"
        " *.hostname format without tags or digests"
    ),
)

SHARDS_APART: Final = Rule(
    (
        "self.all(s1, self.all(s2, s1.name == s2.name ||"
        " !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup =="
        " q.apiGroup && r.resource == q.resource))))"
    ),
    "resources must not overlap across shards",
)

UUID: Final = Rule(
    (
        "self.matches('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA"
        "-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')"
    ),
    "must be a valid UUID (e.g., 550e8400-e29b-41d4-a716-446655440000)",
)
