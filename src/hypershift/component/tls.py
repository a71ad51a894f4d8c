"""TLS profiles: the lowest version and the cipher suites that a cluster allows."""

from dataclasses import dataclass

from hypershift.api.configuration.api_server import CustomTLSProfile, TLSSecurityProfile
from hypershift.kit import InvalidSpec

#: OpenSSL's names, which the API uses, and Go's names for the same suites; what a profile names
#: beside these is older than what we would offer anybody.
SUITES = {
    "ECDHE-ECDSA-AES128-GCM-SHA256": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384": "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384": "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305": "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "ECDHE-RSA-CHACHA20-POLY1305": "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-SHA": "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "ECDHE-RSA-AES128-SHA": "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "ECDHE-ECDSA-AES256-SHA": "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "ECDHE-RSA-AES256-SHA": "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
}

_ALL = tuple(SUITES.values())
INTERMEDIATE = _ALL[:6]

VERSIONS = ("VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13")


@dataclass(frozen=True, slots=True)
class TlsProfile:
    """The lowest version as Go spells it, and the suites below TLS 1.3; empty leaves them to Go."""

    minimum: str = "VersionTLS12"
    suites: tuple[str, ...] = INTERMEDIATE

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that Kubernetes' own binaries take."""
        return self.spelled("--tls-min-version", "--tls-cipher-suites")

    def spelled(self, minimum: str, suites: str) -> tuple[str, ...]:
        """The flags of a program that has names of its own for them."""
        return (
            *((f"{minimum}={self.minimum}",) if self.minimum else ()),
            *((f"{suites}={','.join(self.suites)}",) if self.suites else ()),
        )

    @property
    def serving_info(self) -> dict[str, object]:
        """The same for OpenShift's configuration files."""
        found = {"minTLSVersion": self.minimum, "cipherSuites": list(self.suites)}
        return {name: value for name, value in found.items() if value}

    @property
    def etcd_minimum(self) -> str:
        """The lowest version as etcd spells it; it supports 1.2 and 1.3 alone."""
        return "TLS1.3" if self.minimum == "VersionTLS13" else "TLS1.2"

    @property
    def etcd_suites(self) -> tuple[str, ...]:
        """Flags for etcd, which refuses to start when suites are named for TLS 1.3 alone."""
        return () if self.etcd_minimum == "TLS1.3" else self.suites


PROFILES = {
    "Old": TlsProfile("VersionTLS10", _ALL),
    "Intermediate": TlsProfile(),
    "Modern": TlsProfile("VersionTLS13", ()),
}


def tls_profile(profile: TLSSecurityProfile | None) -> TlsProfile:
    """Read a `tlsSecurityProfile`; unset means Intermediate."""
    kind = (profile.type if profile else None) or "Intermediate"
    if profile is None or kind != "Custom":
        return PROFILES.get(kind, PROFILES["Intermediate"])
    custom = profile.custom or CustomTLSProfile()
    minimum = custom.min_tls_version or ""
    if minimum and minimum not in VERSIONS:
        raise InvalidSpec(
            f"{minimum!r} is no TLS version",
            field="spec.configuration.apiServer.tlsSecurityProfile",
        )
    suites = tuple(SUITES[name] for name in custom.ciphers if name in SUITES)
    return TlsProfile(minimum, suites)
