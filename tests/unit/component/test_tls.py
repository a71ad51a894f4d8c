"""TLS profiles in the words of each program."""

import pytest

from hypershift.component.tls import INTERMEDIATE, tls_profile
from hypershift.kit import InvalidSpec


def test_unset_means_intermediate() -> None:
    profile = tls_profile({})
    assert profile.minimum == "VersionTLS12"
    assert profile.suites == INTERMEDIATE
    assert profile.flags[0] == "--tls-min-version=VersionTLS12"


def test_modern_names_no_suites() -> None:
    profile = tls_profile({"type": "Modern"})
    assert profile.flags == ("--tls-min-version=VersionTLS13",)
    assert (profile.etcd_minimum, profile.etcd_suites) == ("TLS1.3", ())


def test_old_is_cut_to_what_etcd_knows() -> None:
    profile = tls_profile({"type": "Old"})
    assert profile.minimum == "VersionTLS10"
    assert profile.etcd_minimum == "TLS1.2"
    assert set(profile.etcd_suites) == set(INTERMEDIATE)


def test_custom_suites_are_translated() -> None:
    custom = {"minTLSVersion": "VersionTLS12", "ciphers": ["ECDHE-RSA-AES128-GCM-SHA256", "x"]}
    profile = tls_profile({"type": "Custom", "custom": custom})
    assert profile.suites == ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(InvalidSpec):
        tls_profile({"type": "Custom", "custom": {"minTLSVersion": "VersionSSL3"}})
