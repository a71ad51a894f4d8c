"""What clusters on Google Cloud hold inside for it."""

from collections.abc import Iterator

from hypershift.api.values import Capability
from hypershift.platforms.gcp.federation import account_document
from hypershift.platforms.guest import TOKEN_FILE, Credential, GuestFacts, GuestSide


def credentials(facts: GuestFacts) -> Iterator[Credential]:
    """A document that describes the image registry's account."""
    if (found := facts.spec.platform.gcp) is None:
        return
    identity = found.workload_identity
    email = identity.service_accounts_emails.image_registry
    document = account_document(identity, email, TOKEN_FILE)
    yield Credential(
        "openshift-image-registry",
        "installer-cloud-credentials",
        {"service_account.json": document.encode()},
        Capability.IMAGE_REGISTRY,
    )


GUEST = GuestSide(credentials=credentials)
