"""TLS profiles in the words of each program."""

from typing import Any

import pytest

from hypershift.api import read
from hypershift.api.configuration.api_server import TLSSecurityProfile
from hypershift.component.tls import INTERMEDIATE, TlsProfile, tls_profile
from hypershift.kit import InvalidSpec


def profile_of(**settings: Any) -> TlsProfile:
    return tls_profile(read(TLSSecurityProfile, settings))


def test_unset_means_intermediate() -> None:
    assert tls_profile(None) == profile_of()
    profile = tls_profile(None)
    assert profile.minimum == "VersionTLS12"
    assert profile.suites == INTERMEDIATE
    assert profile.flags[0] == "--tls-min-version=VersionTLS12"


def test_modern_names_no_suites() -> None:
    profile = profile_of(type="Modern")
    assert profile.flags == ("--tls-min-version=VersionTLS13",)
    assert (profile.etcd_minimum, profile.etcd_suites) == ("TLS1.3", ())


def test_old_names_the_older_suites_too() -> None:
    profile = profile_of(type="Old")
    assert (profile.minimum, profile.etcd_minimum) == ("VersionTLS10", "TLS1.2")
    assert profile.suites[:6] == INTERMEDIATE
    assert (
        profile.suites[6:]
        == profile.etcd_suites[6:]
        == (
            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
            "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        )
    )


def test_etcd_is_told_no_suites_where_only_the_newest_version_is_allowed() -> None:
    custom = {"minTLSVersion": "VersionTLS13", "ciphers": ["ECDHE-RSA-AES128-GCM-SHA256"]}
    profile = profile_of(type="Custom", custom=custom)
    assert profile.suites
    assert profile.etcd_suites == ()


def test_custom_suites_are_translated() -> None:
    custom = {"minTLSVersion": "VersionTLS12", "ciphers": ["ECDHE-RSA-AES128-GCM-SHA256", "x"]}
    profile = profile_of(type="Custom", custom=custom)
    assert profile.suites == ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",)


def test_a_version_that_nobody_chose_is_left_to_the_programs() -> None:
    custom = {"ciphers": ["ECDHE-RSA-AES128-GCM-SHA256"]}
    profile = profile_of(type="Custom", custom=custom)
    assert profile.flags == ("--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",)
    assert profile.spelled("--min", "--suites")[0].startswith("--suites=")
    assert profile.etcd_minimum == "TLS1.2"


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(InvalidSpec):
        profile_of(type="Custom", custom={"minTLSVersion": "VersionSSL3"})
