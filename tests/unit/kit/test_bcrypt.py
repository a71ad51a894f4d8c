"""Hashes are those that every other bcrypt makes."""

import pytest

from hypershift.kit import bcrypt

#: From the test vectors of the first implementations.
KNOWN = [
    ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", b"U*U"),
    ("$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a", b"U*U*U"),
    ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy", b""),
]


@pytest.mark.parametrize(("known", "password"), KNOWN)
def test_known_hashes_match(known: str, password: bytes) -> None:
    assert bcrypt.matches(known, password)


def test_another_password_does_not_match() -> None:
    found = bcrypt.hashed(b"right")
    assert found.startswith("$2b$10$")
    assert found != bcrypt.hashed(b"right")
    assert bcrypt.matches(found, b"right")
    assert not bcrypt.matches(found, b"wrong")


@pytest.mark.parametrize(
    "found",
    ["", "no hash", "$2a$31$" + "." * 53, "$2a$xx$" + "." * 53, "$1$04$" + "." * 53, "$2a$04$\n"],
)
def test_what_is_no_hash_or_too_dear_matches_nothing(found: str) -> None:
    assert not bcrypt.matches(found, b"right")
