"""OpenShift clusters that differ from a plain one in a single thing."""

from base64 import b64encode
from typing import Any

from tests.golden import scenarios

from hypershift.component import Infra, Management, View
from hypershift.kit import Manifest

Spec = dict[str, Any]

PREFIX = "hypershift.openshift.io"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nfake\n-----END CERTIFICATE-----\n"
INFRA = Infra(
    api_host="api.example.org",
    api_port=6443,
    konnectivity_host="konnectivity.example.org",
    konnectivity_port=443,
    oauth_enabled=True,
    oauth_host="oauth.example.org",
    oauth_port=443,
    oauth_apiserver_address="172.30.0.8",
    openshift_apiserver_address="172.30.0.7",
    packageserver_address="172.30.0.9",
)
AWS: Spec = {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": "Public"}}
#: What identity providers and key services refer to.
SECRETS = ("client", "password", "users", "certificate", "credentials")
AUTHORITY = "authority"


def _objects() -> dict[tuple[str, str], Manifest]:
    keys = ("clientSecret", "bindPassword", "htpasswd", "tls.crt", "tls.key", "iam-apikey")
    data = {key: b64encode(b"fake").decode() for key in keys}
    found: dict[tuple[str, str], Manifest] = {
        ("Secret", name): {"kind": "Secret", "metadata": {"name": name}, "data": data}
        for name in SECRETS
    }
    authority = {"kind": "ConfigMap", "metadata": {"name": AUTHORITY}}
    found["ConfigMap", AUTHORITY] = {**authority, "data": {"ca.crt": CERTIFICATE}}
    return found


def _view(management: Management | None = None, **spec: Any) -> View:
    wanted = {"services": [scenarios.PUBLISHED], "platform": AWS, **spec}
    view = scenarios.openshift_view(management or Management(), infra=INFRA, **wanted)
    objects = {**view.objects, **_objects()}
    return View(view.plane, view.release, view.user_release, view.infra, view.management, objects)


def _login(kind: str, field: str, **section: Any) -> Spec:
    provider = {"name": "corporate", "mappingMethod": "claim", "type": kind, field: section}
    return {"configuration": {"oauth": {"identityProviders": [provider]}}}


CA = {"ca": {"name": AUTHORITY}}
CLIENT = {"clientID": "demo", "clientSecret": {"name": "client"}}
PAIR = {"tlsClientCert": {"name": "certificate"}, "tlsClientKey": {"name": "certificate"}}
LOGINS: dict[str, Spec] = {
    "basic-auth": _login("BasicAuth", "basicAuth", url="https://login.example.org", **CA, **PAIR),
    "github": _login("GitHub", "github", **CLIENT, organizations=["demo"], **CA),
    "gitlab": _login("GitLab", "gitlab", **CLIENT, url="https://gitlab.example.org", **CA),
    "google": _login("Google", "google", **CLIENT, hostedDomain="example.org"),
    "htpasswd": _login("HTPasswd", "htpasswd", fileData={"name": "users"}),
    "keystone": _login(
        "Keystone", "keystone", url="https://cloud.example.org", domainName="demo", **CA, **PAIR
    ),
    "ldap": _login(
        "LDAP",
        "ldap",
        url="ldaps://ldap.example.org/ou=people?uid",
        bindDN="cn=demo",
        bindPassword={"name": "password"},
        attributes={"id": ["dn"], "email": ["mail"], "name": ["cn"]},
        **CA,
    ),
    "request-header": _login(
        "RequestHeader",
        "requestHeader",
        challengeURL="https://login.example.org/?${query}",
        loginURL="https://login.example.org/?${query}",
        headers=["X-Remote-User"],
        **CA,
    ),
}

#: A login service of the user's own; `openID` asks it over the network when it is rendered.
OIDC: Spec = {
    "configuration": {
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
        }
    }
}


def _keys(**service: Any) -> Spec:
    return {"secretEncryption": {"type": "kms", "kms": service}}


KEY_SERVICES: dict[str, Spec] = {
    "aws": _keys(
        provider="AWS",
        aws={
            "region": "eu-west-1",
            "activeKey": {"arn": "arn:aws:kms:eu-west-1:123456789012:key/new"},
            "backupKey": {"arn": "arn:aws:kms:eu-west-1:123456789012:key/old"},
            "auth": {"awsKms": "arn:aws:iam::123456789012:role/keys"},
        },
    ),
    "azure": {
        **_keys(
            provider="Azure",
            azure={
                "activeKey": {"keyVaultName": "vault", "keyName": "key", "keyVersion": "2"},
                "backupKey": {"keyVaultName": "vault", "keyName": "key", "keyVersion": "1"},
                "kms": {"credentialsSecretName": "keys", "objectEncoding": "utf-8"},
            },
        ),
        "platform": {"type": "Azure", "azure": scenarios.platforms()["azure-managed"]},
    },
    "ibmcloud": _keys(
        provider="IBMCloud",
        ibmcloud={
            "region": "eu-de",
            "auth": {"type": "Unmanaged", "unmanaged": {"credentials": {"name": "credentials"}}},
            "keyList": [
                {
                    "crkID": "key",
                    "instanceID": "instance",
                    "correlationID": "demo",
                    "keyVersion": 1,
                    "url": "https://keys.example.org",
                }
            ],
        },
    ),
}

#: Images that no release has.
IMAGES = {
    "keys-ibmcloud": {f"{PREFIX}/ibmcloud-kms-provider-image": "registry.example/keys:1"},
}
CAPABILITIES = (
    "ImageRegistry",
    "openshift-samples",
    "Insights",
    "Console",
    "NodeTuning",
    "Ingress",
)
ANNOTATED: dict[str, dict[str, str]] = {
    "debug-deployments": {f"{PREFIX}/debug-deployments": "kube-scheduler,openshift-apiserver"},
    "resource-overrides": {
        f"resource-request-override.{PREFIX}/kube-apiserver.kube-apiserver": "memory=3Gi,cpu=2",
        f"resource-request-override.{PREFIX}/etcd.etcd": "cpu=77m",
    },
    "request-serving-topology": {
        f"{PREFIX}/topology": "dedicated-request-serving-components",
        f"{PREFIX}/request-serving-node-additional-selector": "size=large",
    },
    "restarted": {f"{PREFIX}/restart-date": "2026-01-01"},
    "without-profiling": {f"{PREFIX}/disable-profiling": "kube-scheduler,openshift-apiserver"},
    "without-monitoring": {f"{PREFIX}/disable-monitoring-services": "true"},
    "image-of-konnectivity": {f"{PREFIX}/konnectivity-agent-image": "registry.example/agent:1"},
    "without-pki": {f"{PREFIX}/disable-pki-reconciliation": "true"},
}


def _endpoints(access: str) -> Spec:
    return {"platform": {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": access}}}


def _published(kind: str, **how: Any) -> Spec:
    services = ("APIServer", "OAuthServer", "Konnectivity", "Ignition")
    strategy = {"type": kind, **how}
    return {
        "services": [{"service": each, "servicePublishingStrategy": strategy} for each in services]
    }


SPECS: dict[str, Spec] = {
    **{f"login-{name}": spec for name, spec in LOGINS.items()},
    "login-oidc": OIDC,
    **{f"keys-{name}": spec for name, spec in KEY_SERVICES.items()},
    **{f"without-{name.lower()}": {"capabilities": {"disabled": [name]}} for name in CAPABILITIES},
    "etcd-unmanaged": {
        "etcd": {
            "managementType": "Unmanaged",
            "unmanaged": {
                "endpoint": "https://etcd.example.org:2379",
                "tls": {"clientSecret": {"name": "etcd-client"}},
            },
        }
    },
    "endpoints-private": _endpoints("Private"),
    "endpoints-public-and-private": _endpoints("PublicAndPrivate"),
    "published-by-node-port": _published("NodePort", nodePort={"address": "192.0.2.1"}),
    "published-by-route": _published("Route", route={"hostname": "demo.example.org"}),
    "highly-available": {"controllerAvailabilityPolicy": "HighlyAvailable"},
    "audit-none": {"configuration": {"apiServer": {"audit": {"profile": "None"}}}},
    "auto-node": {
        "autoNode": {
            "provisionerConfig": {
                "name": "Karpenter",
                "karpenter": {
                    "platform": "AWS",
                    "aws": {"roleARN": "arn:aws:iam::123456789012:role/karpenter"},
                },
            }
        }
    },
    "tls-old": {"configuration": {"apiServer": {"tlsSecurityProfile": {"type": "Old", "old": {}}}}},
}
OPERATORS: dict[str, Management] = {
    "metrics-of-the-management-cluster": Management(metrics_access=True),
    "rhobs": Management(rhobs=True),
    "telemetry": Management(metrics_set="Telemetry"),
    "own-user": Management(uid=1001, restricted=False),
    "without-native-sidecars": Management(native_sidecars=False),
}


def base() -> View:
    """The plain cluster that the others are compared with."""
    return _view()


def variants() -> dict[str, View]:
    """Every cluster that differs from the plain one."""
    return {
        **{name: _view(annotations=IMAGES.get(name, {}), **spec) for name, spec in SPECS.items()},
        **{name: _view(annotations=marks) for name, marks in ANNOTATED.items()},
        **{name: _view(management) for name, management in OPERATORS.items()},
    }


__all__ = ["base", "variants"]
