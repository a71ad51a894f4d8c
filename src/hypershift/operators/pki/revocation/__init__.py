"""CertificateRevocationRequest: ends what certificates of one signer may do."""

from hypershift.operators.pki.revocation.controller import controller

__all__ = ["controller"]
