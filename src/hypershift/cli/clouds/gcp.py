"""Commands of Google Cloud beside `create cluster`."""

from hypershift.cli.clouds.notation import unbuilt

_DESTROY = "nothing is removed on Google Cloud; the tool that made it removes it"

CREATE_INFRA = unbuilt(
    "create infra gcp",
    "Make the network of a cluster on Google Cloud",
    "infra-id! output-file project-id! region! vpc-cidr=10.0.0.0/24",
    "no network is made on Google Cloud; `create cluster gcp --render` renders a cluster in one "
    "that is there",
)
CREATE_IAM = unbuilt(
    "create iam gcp",
    "Make the service accounts of a cluster on Google Cloud",
    "infra-id! oidc-issuer-url oidc-jwks-file output-file project-id!",
    "no account is made on Google Cloud; `create cluster gcp --render` renders a cluster with "
    "those that are there",
)
DESTROY_INFRA = unbuilt(
    "destroy infra gcp",
    "Remove the network of a cluster on Google Cloud",
    "infra-id! project-id! region!",
    _DESTROY,
)
DESTROY_IAM = unbuilt(
    "destroy iam gcp",
    "Remove the service accounts of a cluster on Google Cloud",
    "infra-id! project-id!",
    _DESTROY,
)
