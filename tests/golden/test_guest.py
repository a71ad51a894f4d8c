"""The inside of an OpenShift cluster is what its golden files say."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.golden import scenarios
from tests.unit.operators.guest_config.openshift.guests import OIDC, a_guest

from hypershift.cli.output import documents
from hypershift.operators.guest_config.openshift.rules import catalog, lifecycle, operators

FOLDER = Path(__file__).parent / "guest" / "openshift"
ROLES = {
    f"{name}ARN": f"arn:aws:iam::123456789012:role/{name}"
    for name in ("imageRegistry", "ingress", "storage")
}
AWS: dict[str, Any] = {
    "region": "eu-west-1",
    "rolesRef": ROLES,
    "resourceTags": [{"key": "team", "value": "blue"}],
}
ACCOUNTS = {"imageRegistry": "registry@demo.iam.gserviceaccount.com"}
IDENTITY = {
    "projectNumber": "123456789012",
    "poolID": "demo-pool",
    "providerID": "demo-provider",
    "serviceAccountsEmails": ACCOUNTS,
}
NLB = {"loadBalancer": {"platform": {"type": "AWS", "aws": {"type": "NLB"}}}}
LABELS = [{"key": "team", "value": "blue"}, {"key": "kubernetes-io-x", "value": "y"}]
OWN_LOGIN: dict[str, Any] = {
    "authentication": {
        "type": "OIDC",
        "oidcProviders": [
            {
                "name": "corporate",
                "issuer": {
                    "issuerURL": "https://login.example.org",
                    "audiences": ["demo"],
                    "issuerCertificateAuthority": {"name": "authorities"},
                },
                "oidcClients": [
                    {
                        "componentName": "console",
                        "componentNamespace": "openshift-console",
                        "clientID": "console",
                        "clientSecret": {"name": "clouds"},
                    }
                ],
            }
        ],
    },
    "image": {"additionalTrustedCA": {"name": "authorities"}},
    "proxy": {"httpsProxy": "http://proxy:3128", "trustedCA": {"name": "authorities"}},
}
PLATFORMS = scenarios.platforms()
PLATFORMS["gcp"] |= {"workloadIdentity": IDENTITY, "resourceLabels": LABELS}
CASES: dict[str, dict[str, Any]] = {
    "local": {},
    "oidc": OIDC,
    "own-login": {"configuration": OWN_LOGIN},
    "highly-available": {"infrastructureAvailabilityPolicy": "HighlyAvailable"},
    "catalogs-beside": {"olmCatalogPlacement": "management"},
    "catalogs-inside": {"olmCatalogPlacement": "guest"},
    "without-capabilities": {
        "capabilities": {"disabled": ["Ingress", "Console", "ImageRegistry", "NodeTuning"]}
    },
    "network": {
        "networking": {
            "networkType": "Other",
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
        "operatorConfiguration": {
            "clusterNetworkOperator": {"disableMultiNetwork": True},
            "ingressOperator": {"endpointPublishingStrategy": {"type": "Private"}},
        },
    },
    "aws": {
        "platform": {"type": "AWS", "aws": AWS},
        "configuration": {"proxy": {"httpsProxy": "http://proxy:3128", "noProxy": "example.org"}},
        "imageContentSources": [{"source": "quay.io/a", "mirrors": ["mirror.example.com/a"]}],
    },
    "aws-private": {
        "platform": {"type": "AWS", "aws": {**AWS, "endpointAccess": "Private"}},
        "configuration": {"ingress": NLB},
        "kubeAPIServerDNSName": "api.own.example.org",
    },
    "none": {"platform": {"type": "None"}},
    "ibmcloud": {"platform": {"type": "IBMCloud", "ibmcloud": {"providerType": "Classic"}}},
    "azure-managed": {"platform": {"type": "Azure", "azure": PLATFORMS["azure-managed"]}},
    **{
        name: {"platform": {"type": scenarios.TYPES.get(name, "Azure"), name: section}}
        for name, section in PLATFORMS.items()
        if "-" not in name
    },
}


@pytest.mark.parametrize("name", CASES)
def test_the_inside_equals_the_golden_file(
    name: str,
    rewrite: bool,  # noqa: FBT001 - a fixture
) -> None:
    guest = a_guest(**CASES[name])
    found = [*catalog.manifests(guest), *catalog.at_first(guest)]
    found += [operators.network(guest, None), *lifecycle.sources(guest, None)]
    text = documents(found)
    path = FOLDER / f"{name}.yaml"
    if rewrite:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert list(yaml.safe_load_all(path.read_text())) == list(yaml.safe_load_all(text))


def test_no_golden_file_of_the_inside_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(CASES)
