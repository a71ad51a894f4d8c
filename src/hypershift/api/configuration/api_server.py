"""Settings of the API servers: audit, certificates and TLS."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.configuration.encryption import APIServerEncryption
from hypershift.api.meta import NameReference
from hypershift.api.shape import (
    Anything,
    Field,
    Go,
    Refers,
    Rule,
    Shape,
    Value,
    constrained,
    members,
)
from hypershift.api.values import AuditProfile


@constrained(
    Rule(
        "has(oldSelf.tlsAdherence) ? has(self.tlsAdherence) : true",
        "tlsAdherence may not be removed once set",
        gate="TLSAdherence",
    ),
)
class APIServer(Shape):
    """Settings of the API servers. A change restarts them one by one."""

    serving_certs: Annotated[
        ServingCerts | None, Field("Your certificates for the API server's names.")
    ] = None
    client_ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca-bundle.crt`) with CA certificates whose client certificates"
            " are accepted as users.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    additional_cors_allowed_origins: Annotated[
        tuple[str, ...],
        Field(
            (
                "Regular expressions of origins that browsers may call the API from, in addition"
                " to localhost."
            ),
            list_type="atomic",
        ),
    ] = ()
    encryption: Annotated[
        APIServerEncryption | None,
        Field(
            "Encryption of stored objects as standalone clusters set it. Hosted clusters use"
            " `spec.secretEncryption`."
        ),
    ] = None
    tls_security_profile: Annotated[
        TLSSecurityProfile | None,
        Field(
            "TLS versions and ciphers that servers accept. Default: the Intermediate profile.",
            go=Go.POINTER,
        ),
    ] = None
    tls_adherence: Annotated[
        str | None,
        Field(
            (
                "Who must follow `tlsSecurityProfile`: `LegacyAdheringComponentsOnly` those that"
                " always did, `StrictAllComponents` every component. Cannot be removed once set."
            ),
            enum=("LegacyAdheringComponentsOnly", "StrictAllComponents"),
            gate="TLSAdherence",
        ),
    ] = None
    audit: Annotated[
        Audit | None, Field("Which requests are recorded.", default={"profile": "Default"})
    ] = None


class Audit(Shape):
    """Which requests are recorded."""

    profile: Annotated[
        str,
        Field(
            (
                "What is recorded: `Default` metadata of all requests, `WriteRequestBodies`"
                " bodies of writes too, `AllRequestBodies` bodies of all, `None` nothing."
                " Default: Default."
            ),
            enum=members(AuditProfile),
        ),
    ] = "Default"
    custom_rules: Annotated[
        tuple[AuditCustomRule, ...],
        Field(
            "Profiles for certain groups of users; the first that matches counts.",
            list_type="map",
            list_keys=("group",),
        ),
    ] = ()


class AuditCustomRule(Shape):
    """What is recorded of the requests of one group."""

    group: Annotated[
        str, Field("Group that the user must be a member of.", min_length=1, go=Go.ALWAYS)
    ]
    profile: Annotated[
        str,
        Field(
            "What is recorded of its requests, as in the default profile.",
            enum=members(AuditProfile),
            go=Go.ALWAYS,
        ),
    ]


class ServingCerts(Shape):
    """Your certificates for the API server's names."""

    named_certificates: Annotated[
        tuple[NamedCertificate, ...],
        Field(
            (
                "Certificates and the names they are for, at most 32. For names that are not"
                " listed, our own certificate is served."
            ),
            max_items=32,
            list_type="atomic",
        ),
    ] = ()


class NamedCertificate(Shape):
    """A certificate and the names it is for."""

    names: Annotated[
        tuple[str, ...],
        Field(
            "DNS names, `*.` allowed in front; unset means those in the certificate. At most 64.",
            max_items=64,
            list_type="atomic",
        ),
    ] = ()
    serving_certificate: Annotated[
        NameReference | None,
        Field("Secret of type kubernetes.io/tls with certificate and key.", refers=Refers.SECRET),
    ] = None


class TLSSecurityProfile(Shape):
    """TLS versions and ciphers that servers accept."""

    type: Annotated[
        str | None,
        Field(
            (
                "`Old` for very old clients, `Intermediate` for general use, `Modern` for TLS 1.3"
                " only, `Custom` for your own. Default Intermediate."
            ),
            enum=("Old", "Intermediate", "Modern", "Custom"),
            go=Go.ALWAYS,
        ),
    ] = None
    old: Annotated[
        Anything | None,
        Field("Present, and empty, with `type: Old`.", nullable=True, go=Go.POINTER),
    ] = None
    intermediate: Annotated[
        Anything | None,
        Field("Present, and empty, with `type: Intermediate`.", nullable=True, go=Go.POINTER),
    ] = None
    modern: Annotated[
        Anything | None,
        Field("Present, and empty, with `type: Modern`.", nullable=True, go=Go.POINTER),
    ] = None
    custom: Annotated[
        CustomTLSProfile | None,
        Field(
            "Versions and ciphers of your choice; only with `type: Custom`.",
            nullable=True,
            go=Go.POINTER,
        ),
    ] = None


class CustomTLSProfile(Shape):
    """TLS settings of your choice."""

    ciphers: Annotated[
        tuple[str, ...],
        Field(
            "Ciphers by their OpenSSL names. Ignored for TLS 1.3, whose ciphers are fixed.",
            list_type="atomic",
            go=Go.ALWAYS,
        ),
    ] = ()
    groups: Annotated[
        tuple[str, ...],
        Field(
            "Key exchange groups, in order of preference, at most 7. Default: the TLS library's.",
            items=Value(
                enum=(
                    "X25519",
                    "secp256r1",
                    "secp384r1",
                    "secp521r1",
                    "X25519MLKEM768",
                    "SecP256r1MLKEM768",
                    "SecP384r1MLKEM1024",
                )
            ),
            min_items=1,
            max_items=7,
            list_type="set",
            gate="TLSGroupPreferences",
        ),
    ] = ()
    min_tls_version: Annotated[
        str | None,
        Field(
            "Lowest TLS version that is accepted.",
            enum=("VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"),
            go=Go.ALWAYS,
        ),
    ] = None
