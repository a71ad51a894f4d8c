"""The clusters whose renderings we keep: one per thing that changes many objects."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from tests.unit.component.clusters import a_view

from hypershift.component import Infra, Management, View
from hypershift.kit import Manifest
from hypershift.release import Product

FAKE = b64encode(b"fake").decode()
KEY = b64encode(b"0123456789abcdef0123456789abcdef").decode()

#: Certificates are random, goldens are not: every Secret holds the same text.
CERTIFICATES = (
    "root-ca",
    "system-admin-client",
    "hcco-client",
    "kas-bootstrap-client",
    "kas-bootstrap-container-client",
    "kube-scheduler-client",
    "kube-controller-manager",
    "openshift-authenticator-cert",
)


#: Images that a payload may lack, and that these have.
OPTIONAL = ("cluster-autoscaler",)
#: The same of the Kubernetes payload, whose own operators are this program.
OURS = ("controlplane-pki-operator",)


def _secret(name: str, **data: str) -> Manifest:
    return {"kind": "Secret", "metadata": {"name": name}, "data": data}


def objects() -> dict[tuple[str, str], Manifest]:
    """The Secrets that renderings read."""
    keys = {"ca.crt": FAKE, "tls.crt": FAKE, "tls.key": FAKE}
    found = {("Secret", name): _secret(name, **keys) for name in CERTIFICATES}
    found["Secret", "etcd-key"] = _secret("etcd-key", key=KEY)
    found["Secret", "clouds"] = _secret("clouds", cacert=FAKE)
    found["Secret", "demo-7x2kf-kubeconfig"] = _secret("demo-7x2kf-kubeconfig", value=FAKE)
    return found


def _view(product: Product = Product.KUBERNETES, **changes: Any) -> View:
    view = a_view(product=product, status={"kubeConfig": {"name": "admin"}}, **changes)
    names = (*OPTIONAL, *(OURS if product is Product.KUBERNETES else ()))
    optional = {name: f"registry.example/{product}/{name}@sha256:{'0' * 64}" for name in names}
    release = replace(view.release, images={**view.release.images, **optional})
    return View(view.plane, release, view.user_release, view.infra, view.management, objects())


def openshift_view(management: Management, **changes: Any) -> View:
    """One cluster of OpenShift's payload."""
    return _view(Product.OPENSHIFT, management=management, **changes)


EVERYTHING: dict[str, Any] = {
    "controllerAvailabilityPolicy": "HighlyAvailable",
    "kubeAPIServerDNSName": "api.example.org",
    "issuerURL": "https://oidc.example.org/demo",
    "auditWebhook": {"name": "audit-webhook"},
    "secretEncryption": {"type": "aescbc", "aescbc": {"activeKey": {"name": "etcd-key"}}},
    "nodeSelector": {"role": "control-plane"},
    "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    "labels": {"team": "blue"},
    "autoscaling": {
        "scaling": "ScaleUpAndScaleDown",
        "scaleDown": {"unneededDurationSeconds": 60, "utilizationThresholdPercent": 30},
        "maxNodesTotal": 9,
        "expanders": ["LeastWaste"],
    },
    "etcd": {
        "managementType": "Managed",
        "managed": {
            "storage": {
                "type": "PersistentVolume",
                "persistentVolume": {"size": "12Gi", "storageClassName": "fast"},
            }
        },
    },
    "networking": {
        "clusterNetwork": [{"cidr": "10.132.0.0/14", "hostPrefix": 23}, {"cidr": "fd01::/48"}],
        "serviceNetwork": [{"cidr": "172.31.0.0/16"}, {"cidr": "fd02::/112"}],
        "apiServer": {"port": 8443, "advertiseAddress": "172.20.0.9"},
    },
    "configuration": {
        "apiServer": {
            "audit": {"profile": "WriteRequestBodies"},
            "tlsSecurityProfile": {"type": "Modern"},
            "servingCerts": {
                "namedCertificates": [
                    {"names": ["api.example.org"], "servingCertificate": {"name": "root-ca"}}
                ]
            },
        },
        "authentication": {
            "type": "OIDC",
            "oidcProviders": [
                {
                    "name": "corporate",
                    "issuer": {"issuerURL": "https://login.example.org", "audiences": ["demo"]},
                    "claimMappings": {
                        "username": {"claim": "email"},
                        "groups": {"claim": "groups", "prefix": "corp:"},
                    },
                }
            ],
        },
        "featureGate": {
            "featureSet": "CustomNoUpgrade",
            "customNoUpgrade": {"enabled": ["MutatingAdmissionPolicy"], "disabled": ["X"]},
        },
        "scheduler": {"profile": "HighNodeUtilization"},
        "network": {"serviceNodePortRange": "30000-31000"},
    },
}


def kubernetes() -> dict[str, View]:
    """Clusters of the Kubernetes payload."""
    aggregated = Infra("203.0.113.7", 6443, openshift_apiserver_address="172.30.0.9")
    return {
        "kubernetes-single": _view(infra=aggregated),
        "kubernetes-highly-available": _view(
            controllerAvailabilityPolicy="HighlyAvailable", infra=aggregated
        ),
        "kubernetes-everything": _view(**EVERYTHING, infra=aggregated),
    }


FORWARDED = {"metricsForwarding": {"mode": "Forward", "metricsSet": "SRE"}}
AZURE_NETWORK = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network"
AZURE: dict[str, Any] = {
    "cloud": "AzurePublicCloud",
    "location": "westeurope",
    "resourceGroup": "demo",
    "subscriptionID": "11111111-1111-1111-1111-111111111111",
    "tenantID": "22222222-2222-2222-2222-222222222222",
    "securityGroupID": f"{AZURE_NETWORK}/networkSecurityGroups/nsg",
    "subnetID": f"{AZURE_NETWORK}/virtualNetworks/vnet/subnets/nodes",
    "vnetID": f"{AZURE_NETWORK}/virtualNetworks/vnet",
}
IDENTITIES = (
    "cloudProvider",
    "controlPlaneOperator",
    "disk",
    "file",
    "imageRegistry",
    "ingress",
    "network",
    "nodePoolManagement",
)


def _managed_identities() -> dict[str, Any]:
    found: dict[str, Any] = {
        name: {
            "clientID": "33333333-3333-3333-3333-333333333333",
            "credentialsSecretName": f"{name}-credentials",
            "objectEncoding": "utf-8",
        }
        for name in IDENTITIES
    }
    found["managedIdentitiesKeyVault"] = {"name": "vault", "tenantID": AZURE["tenantID"]}
    guest = dict.fromkeys(
        ("diskMSIClientID", "fileMSIClientID", "imageRegistryMSIClientID"),
        "44444444-4444-4444-4444-444444444444",
    )
    return {"controlPlane": found, "dataPlane": guest}


def platforms() -> dict[str, dict[str, Any]]:
    """Sections about platforms that the fixtures have no cluster of."""
    workload = {name: {"clientID": f"{name}-client"} for name in IDENTITIES}
    return {
        "azure": {
            **AZURE,
            "azureAuthenticationConfig": {
                "azureAuthenticationConfigType": "WorkloadIdentities",
                "workloadIdentities": workload,
            },
        },
        "azure-managed": {
            **AZURE,
            "azureAuthenticationConfig": {
                "azureAuthenticationConfigType": "ManagedIdentities",
                "managedIdentities": _managed_identities(),
            },
        },
        "gcp": {
            "project": "demo",
            "region": "europe-west4",
            "networkConfig": {"network": {"name": "demo"}},
        },
        "kubevirt": {},
        "kubevirt-external": {
            "credentials": {
                "infraNamespace": "machines",
                "infraKubeConfigSecret": {"name": "infra", "key": "kubeconfig"},
            },
            "storageDriver": {
                "type": "Manual",
                "manual": {
                    "storageClassMapping": [
                        {
                            "group": "ssd",
                            "guestStorageClassName": "fast",
                            "infraStorageClassName": "ceph",
                        }
                    ]
                },
            },
        },
        "openstack": {"identityRef": {"cloudName": "demo", "name": "clouds"}},
        "powervs": {
            "accountID": "account",
            "cisInstanceCRN": "crn:demo",
            "imageRegistryOperatorCloudCreds": {"name": "registry"},
            "ingressOperatorCloudCreds": {"name": "ingress"},
            "kubeCloudControllerCreds": {"name": "controller"},
            "nodePoolManagementCreds": {"name": "pools"},
            "storageOperatorCloudCreds": {"name": "storage"},
            "region": "lon",
            "zone": "lon04",
            "resourceGroup": "demo",
            "serviceInstanceID": "instance",
            "subnet": {"name": "nodes"},
            "vpc": {"name": "vpc", "region": "eu-gb", "subnet": "balancers"},
        },
    }


TYPES = {"gcp": "GCP", "kubevirt": "KubeVirt", "openstack": "OpenStack", "powervs": "PowerVS"}


def on_platforms() -> dict[str, View]:
    """One cluster on each platform; Agent and None have no section."""
    found = {}
    for name, section in platforms().items():
        kind, _, _ = name.partition("-")
        platform = {"type": TYPES.get(kind, "Azure"), kind: section}
        found[f"openshift-{name}"] = _view(
            Product.OPENSHIFT,
            management=Management(),
            platform=platform,
            services=[PUBLISHED],
            **MANAGEMENT_CATALOGS,
        )
    for kind in ("Agent", "None"):
        found[f"openshift-{kind.lower()}"] = _view(
            Product.OPENSHIFT,
            management=Management(),
            platform={"type": kind},
            services=[PUBLISHED],
        )
    return found


PUBLISHED = {"service": "Ignition", "servicePublishingStrategy": {"type": "Route"}}
MANAGEMENT_CATALOGS = {"olmCatalogPlacement": "management"}


def openshift() -> dict[str, View]:
    """Clusters of OpenShift's payload, on management clusters with SCC."""
    aws: dict[str, Any] = {
        "services": [PUBLISHED],
        "platform": {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": "Public"}},
    }
    return on_platforms() | {
        "openshift-single": _view(Product.OPENSHIFT, management=Management(), **aws),
        "openshift-highly-available": _view(
            Product.OPENSHIFT,
            management=Management(),
            controllerAvailabilityPolicy="HighlyAvailable",
            **aws,
        ),
        "openshift-everything": _view(
            Product.OPENSHIFT,
            management=Management(
                registry_overrides={"quay.io": "mirror.example.com"},
                image_mirrors={"registry.example.com": ("one.example.com", "two.example.com")},
            ),
            **(EVERYTHING | aws | {"monitoring": FORWARDED}),
        ),
    }
