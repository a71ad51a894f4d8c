"""Signatures of downloads: whether those who publish a file signed the bytes that came."""

from hypershift.parts.signature.signed import Signed, check

__all__ = ["Signed", "check"]
