"""Keys as text: what is sound is found out once, what is not never passes."""

from unittest.mock import patch

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from hypershift.pki import key_from_pem
from hypershift.pki.keys import Algorithm, key_to_pem, new_key, same_key

LOAD = "hypershift.pki.keys.serialization.load_pem_private_key"


def unsound() -> bytes:
    """A text that looks like an RSA key, with a private half that does not fit."""
    numbers = rsa.generate_private_key(65537, 2048).private_numbers()
    wrong = rsa.RSAPrivateNumbers(
        numbers.p,
        numbers.q,
        numbers.d + 2,
        numbers.dmp1,
        numbers.dmq1,
        numbers.iqmp,
        numbers.public_numbers,
    )
    return key_to_pem_unseen(wrong.private_key(unsafe_skip_rsa_key_validation=True))


def key_to_pem_unseen(key: rsa.RSAPrivateKey) -> bytes:
    """As somebody else would write it."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_key_is_read_as_it_was_written(algorithm: Algorithm) -> None:
    key = new_key(algorithm)
    again = key_from_pem(key_to_pem(key))
    assert again is not None
    assert same_key(again, key.public_key())


def test_a_key_of_somebody_else_is_checked_once() -> None:
    pem = key_to_pem_unseen(rsa.generate_private_key(65537, 2048))
    with patch(LOAD, wraps=serialization.load_pem_private_key) as load:
        assert key_from_pem(pem) is not None
        assert key_from_pem(pem) is not None
    skipped = [call.kwargs["unsafe_skip_rsa_key_validation"] for call in load.call_args_list]
    assert skipped.count(False) == 1


def test_an_unsound_key_is_refused_however_often_it_is_read() -> None:
    pem = unsound()
    assert [key_from_pem(pem) for _ in range(3)] == [None, None, None]


@pytest.mark.parametrize("text", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\n"])
def test_what_is_no_key_is_none(text: bytes) -> None:
    assert key_from_pem(text) is None
