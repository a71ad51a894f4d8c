"""external-dns: publishes the names of hosted clusters in a DNS zone."""

import uuid

from hypershift.cli.flags import Values
from hypershift.cli.install.assets import load
from hypershift.cli.install.credentials import TOKEN_DIRECTORY, Credential, token_volume
from hypershift.kit import Manifest

RECORDS = ("A", "AAAA", "CNAME", "NS")


def external_dns(values: Values, credential: Credential | None) -> list[Manifest]:
    """Everything that external-dns needs; nothing without a provider."""
    provider = values["external-dns-provider"]
    if not provider:
        return []
    account, role, binding = load("external-dns.yaml", values["namespace"])
    if provider == "google":
        role["rules"] += [
            {
                "apiGroups": ["externaldns.k8s.io"],
                "resources": ["dnsendpoints"],
                "verbs": ["get", "list", "watch"],
            },
            {
                "apiGroups": ["externaldns.k8s.io"],
                "resources": ["dnsendpoints/status"],
                "verbs": ["*"],
            },
        ]
    deployment, monitor = load("external-dns-deployment.yaml", values["namespace"])
    _fill(values, credential, deployment["spec"]["template"]["spec"])
    secrets = credential.made if credential else []
    return [account, role, binding, *secrets, deployment, monitor]


def _fill(values: Values, credential: Credential | None, pod: Manifest) -> None:
    container = pod["containers"][0]
    container["image"] = values["external-dns-image"]
    container["args"] += _arguments(values)
    if environment := _environment(values):
        container["env"] = [{"name": name, "value": value} for name, value in environment.items()]
    if credential:
        container["volumeMounts"] = [{"name": "credentials", "mountPath": "/etc/provider"}]
        pod["volumes"] = [{"name": "credentials", "secret": {"secretName": credential.name}}]
    if _uses_token(values):
        container["env"].append({"name": "AWS_SDK_LOAD_CONFIG", "value": "1"})
        container["volumeMounts"].append({"name": "token", "mountPath": TOKEN_DIRECTORY})
        pod["volumes"].append(token_volume())


def _uses_token(values: Values) -> bool:
    """Whether external-dns shows the cloud a token of its account."""
    role, source = values["external-dns-role-arn"], values["aws-role-credential-source"]
    return bool(role and values["external-dns-provider"] == "aws" and source == "web-identity")


def _arguments(values: Values) -> list[str]:
    provider = values["external-dns-provider"]
    owner = values["external-dns-txt-owner-id"] or str(uuid.uuid4())
    common = [
        f"--domain-filter={values['external-dns-domain-filter']}",
        f"--provider={provider}",
        "--registry=txt",
        "--txt-suffix=-external-dns",
        f"--txt-owner-id={owner}",
        "--label-filter=hypershift.openshift.io/route-visibility!=private",
        f"--interval={values['external-dns-interval'] or '1m'}",
        "--txt-cache-interval=1h",
    ]
    match provider:
        case "aws":
            cache = values["external-dns-aws-zones-cache-duration"] or "1h"
            common += [
                "--aws-zone-type=public",
                "--aws-batch-change-interval=10s",
                f"--aws-zones-cache-duration={cache}",
            ]
        case "azure":
            common.append("--azure-config-file=/etc/provider/credentials")
        case "google":
            common += ["--source=crd", *(f"--managed-record-types={each}" for each in RECORDS)]
            if values["external-dns-google-project"]:
                common.append(f"--google-project={values['external-dns-google-project']}")
        case _:  # other providers take their configuration from the environment alone
            pass
    return common


def _environment(values: Values) -> dict[str, str]:
    match values["external-dns-provider"]:
        case "aws":
            return {
                "AWS_SHARED_CREDENTIALS_FILE": "/etc/provider/credentials",
                "AWS_REGION": "us-east-1",
            }
        case "azure":
            return {"AZURE_SDK_MAX_RETRIES": "5"}
        case _:
            return {}
