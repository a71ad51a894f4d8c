"""Kinds that approve and revoke break-glass certificates."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Kind, Profile, Resource, served
from hypershift.api.meta import Condition, LocalObjectReference
from hypershift.api.shape import Anything, Field, Shape, Time, immutable


class CertificateRevocationRequestSpec(Shape):
    """Which certificates to revoke."""

    signer_class: Annotated[
        str,
        Field(
            (
                "Signer whose certificates become invalid: `customer-break-glass` or"
                " `sre-break-glass`. Immutable."
            ),
            enum=("customer-break-glass", "sre-break-glass"),
            rules=(immutable("signerClass is immutable"),),
        ),
    ]


class CertificateRevocationRequestStatus(Shape):
    """How far a revocation is."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field("Which steps are done, one entry per type.", list_type="map", list_keys=("type",)),
    ] = ()
    previous_signer: Annotated[
        LocalObjectReference | None,
        Field("Secret with a copy of the signer that is being replaced."),
    ] = None
    revocation_timestamp: Annotated[
        Time | None, Field("Moment before which certificates are invalid.")
    ] = None


@served(
    Kind(
        group="certificates.hypershift.openshift.io",
        version="v1alpha1",
        plural="certificatesigningrequestapprovals",
        short_names=("csra", "csras"),
        status=False,
    )
)
class CertificateSigningRequestApproval(Resource):
    """Approves the CertificateSigningRequest of the same name.

    Used to get break-glass credentials of a hosted cluster.
    """

    spec: Annotated[Anything | None, Field("Has no fields; the name says it all.")] = None
    status: Annotated[Anything | None, Field("Has no fields.")] = None


@served(
    Kind(
        group="certificates.hypershift.openshift.io",
        version="v1alpha1",
        plural="certificaterevocationrequests",
        short_names=("crr", "crrs"),
    )
)
class CertificateRevocationRequest(Resource):
    """Asks that all certificates of one signer become invalid.

    The signer is replaced and the API server no longer trusts the old one.
    """

    spec: Annotated[
        CertificateRevocationRequestSpec, Field("Which certificates to revoke.", optional=True)
    ]
    status: Annotated[CertificateRevocationRequestStatus, Field("How far the revocation is.")] = (
        CertificateRevocationRequestStatus()
    )


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="certificatesigningrequestapprovals",
        name="CertificateSigningRequestApproval",
        short_names=("csra", "csras"),
        status=False,
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class HypershiftCertificateSigningRequestApproval(CertificateSigningRequestApproval):
    """The same approval, in the group where hosted control planes look for it.

    Its name is the name of the CertificateSigningRequest to approve.
    """
