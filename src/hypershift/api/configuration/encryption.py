"""Encryption of stored objects as standalone clusters configure it."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Gated, Go, Rule, Shape, constrained


@constrained(
    Rule(
        "has(self.type) && self.type == 'KMS' ?  has(self.kms) : !has(self.kms)",
        "kms config is required when encryption type is KMS, and forbidden otherwise",
        gate="KMSEncryption",
    ),
)
class APIServerEncryption(Shape):
    """Encryption of stored objects, as standalone clusters set it."""

    type: Annotated[
        str | None,
        Field(
            (
                "`identity` does not encrypt, `aescbc` and `aesgcm` do with keys that are made"
                " and rotated for you, `KMS` with an external service. Empty means identity."
            ),
            enum=("", "identity", "aescbc", "aesgcm", Gated("KMS", "KMSEncryption")),
        ),
    ] = None
    kms: Annotated[
        KMSPlugin | None,
        Field(
            "External key service; required with `type: KMS`, forbidden otherwise.",
            gate="KMSEncryption",
            go=Go.OMIT_ZERO,
        ),
    ] = None


@constrained(
    Rule(
        "self.type == 'Vault' ? has(self.vault) : !has(self.vault)",
        "vault config is required when kms provider type is Vault, and forbidden otherwise",
    ),
)
class KMSPlugin(Shape):
    """An external key service."""

    type: Annotated[str, Field("Kind of service. Only Vault.", enum=("Vault",), go=Go.ALWAYS)]
    vault: Annotated[
        Vault | None, Field("How to reach Vault; required with `type: Vault`.", go=Go.OMIT_ZERO)
    ] = None


class Vault(Shape):
    """A key in HashiCorp Vault's transit engine."""

    kms_plugin_image: Annotated[
        str,
        Field(
            "Image of the plugin that talks to Vault, by digest (`@sha256:...`).",
            min_length=75,
            max_length=447,
            rules=(
                Rule(
                    (
                        "(self.split('@').size() == 2 &&"
                        " self.split('@')[1].matches('^sha256:[a-f0-9]{64}$'))"
                    ),
                    (
                        "the OCI Image reference must end with a valid '@sha256:<digest>'"
                        " suffix, where '<digest>' is 64 characters long"
                    ),
                ),
                Rule(
                    (
                        r"(self.split('@')[0].matches('^([a-zA-Z0-9-]+\\.)+[a-zA-Z0-9-]+("
                        ":[0-9]{2,5})?(/[a-zA-Z0-9-_.]+)+$'))"
                    ),
                    (
                        "the OCI Image name should follow the host[:port][/namespace]/name"
                        " format, resembling a valid URL without the scheme. Short names are"
                        " not allowed, the registry hostname must be included."
                    ),
                ),
            ),
        ),
    ]
    vault_address: Annotated[
        str,
        Field(
            "Address of Vault, https, without path, query or user.",
            min_length=1,
            max_length=512,
            rules=(
                Rule("isURL(self)", "must be a valid URL"),
                Rule(
                    "isURL(self) && url(self).getScheme() == 'https'", "must use the 'https' scheme"
                ),
                Rule(
                    (
                        "isURL(self) && (url(self).getEscapedPath() == '' ||"
                        " url(self).getEscapedPath() == '/')"
                    ),
                    "must not contain a path",
                ),
                Rule("isURL(self) && url(self).getQuery() == {}", "must not have a query"),
                Rule("self.find('#(.+)$') == ''", "must not have a fragment"),
                Rule("self.find('@') == ''", "must not have user info"),
            ),
        ),
    ]
    vault_namespace: Annotated[
        str | None,
        Field(
            "Vault namespace of the key. Default: the root namespace.",
            min_length=1,
            max_length=4096,
            rules=(
                Rule("!self.endsWith('/')", "vaultNamespace cannot end with a forward slash"),
                Rule("!self.contains(' ')", "vaultNamespace cannot contain spaces"),
                Rule(
                    "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
                    (
                        "vaultNamespace cannot be a reserved string (root, sys, audit, auth,"
                        " cubbyhole, identity)"
                    ),
                ),
            ),
        ),
    ] = None
    vault_auth_namespace: Annotated[
        str | None,
        Field(
            "Vault namespace in which the plugin logs in. Default: `vaultNamespace`.",
            min_length=1,
            max_length=4096,
            rules=(
                Rule("!self.endsWith('/')", "vaultAuthNamespace cannot end with a forward slash"),
                Rule("!self.contains(' ')", "vaultAuthNamespace cannot contain spaces"),
                Rule(
                    "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
                    (
                        "vaultAuthNamespace cannot be a reserved string (root, sys, audit,"
                        " auth, cubbyhole, identity)"
                    ),
                ),
            ),
        ),
    ] = None
    tls: Annotated[
        VaultTLS | None, Field("How Vault's certificate is checked.", go=Go.OMIT_ZERO)
    ] = None
    authentication: Annotated[
        VaultAuthentication, Field("How the plugin identifies itself to Vault.", go=Go.OMIT_ZERO)
    ]
    vault_key_path: Annotated[
        str,
        Field(
            "Path of the key, `<mount>/keys/<key name>`.",
            min_length=8,
            max_length=1542,
            rules=(
                Rule("!self.startsWith('/')", "vaultKeyPath cannot start with a forward slash"),
                Rule("!self.endsWith('/')", "vaultKeyPath cannot end with a forward slash"),
                Rule(
                    "!self.contains('//')",
                    "vaultKeyPath cannot contain consecutive forward slashes",
                ),
                Rule(
                    "self.matches('^[a-zA-Z0-9._~/-]+$')",
                    (
                        "vaultKeyPath must only contain RFC 3986 unreserved characters"
                        " (alphanumeric, hyphen, period, underscore, tilde) and forward slashes"
                    ),
                ),
                Rule(
                    "self.split('/').filter(s, s == '.' || s == '..').size() == 0",
                    "vaultKeyPath must not contain '.' or '..' path segments",
                ),
                Rule(
                    (
                        "self.matches('^[a-zA-Z0-9._~-]+(/[a-zA-Z0-9._~-]+)*/keys/[a-zA-Z0-9_]("
                        "[a-zA-Z0-9_.-]*[a-zA-Z0-9_])?$')"
                    ),
                    (
                        "vaultKeyPath must follow the format <mount>/keys/<key-name> where the"
                        " key name starts and ends with an alphanumeric character or underscore"
                        " and may contain alphanumeric characters, underscores, hyphens, and"
                        " periods"
                    ),
                ),
            ),
        ),
    ]


@constrained(
    Rule(
        "self.type == 'AppRole' ? has(self.appRole) : !has(self.appRole)",
        "appRole config is required when authentication type is AppRole, and forbidden otherwise",
    ),
)
class VaultAuthentication(Shape):
    """How the plugin identifies itself to Vault."""

    type: Annotated[str, Field("Method. Only AppRole.", enum=("AppRole",))]
    app_role: Annotated[
        VaultAppRole | None,
        Field("Role id and secret id; required with `type: AppRole`.", go=Go.OMIT_ZERO),
    ] = None


class VaultAppRole(Shape):
    """An AppRole of Vault."""

    secret: Annotated[
        VaultObjectReference,
        Field(
            "Secret with the role id under `role-id` and its secret under `secret-id`.",
            go=Go.OMIT_ZERO,
        ),
    ]


class VaultObjectReference(Shape):
    """The name of a Secret or ConfigMap in the configuration namespace."""

    name: Annotated[
        str,
        Field(
            "Name of the object, a DNS subdomain.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]("
                        r"[a-z0-9\\-]*[a-z0-9])?)*$')"
                    ),
                    (
                        "name must be a valid DNS subdomain name: contain no more than 253"
                        " characters, contain only lowercase alphanumeric characters, '-' or"
                        " '.', and start and end with an alphanumeric character"
                    ),
                ),
            ),
        ),
    ]


@constrained(
    min_properties=1,
)
class VaultTLS(Shape):
    """How Vault's certificate is checked."""

    ca_bundle: Annotated[
        VaultObjectReference | None,
        Field(
            "ConfigMap with the CA certificates that Vault's certificate is checked against."
            " Default: the system's.",
            go=Go.OMIT_ZERO,
        ),
    ] = None
    server_name: Annotated[
        str | None,
        Field(
            "Name expected in the certificate, when it is not the host of `vaultAddress`.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]("
                        r"[a-z0-9\\-]*[a-z0-9])?)*$')"
                    ),
                    (
                        "serverName must be a valid DNS hostname: contain no more than 253"
                        " characters, contain only lowercase alphanumeric characters, '-' or"
                        " '.', and start and end with an alphanumeric character"
                    ),
                ),
            ),
        ),
    ] = None
