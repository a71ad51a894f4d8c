"""external-dns: publishes the names of hosted clusters in a DNS zone."""

import copy
import uuid

from hypershift.cli.install.assets import load
from hypershift.cli.install.credentials import TOKEN_DIRECTORY, Credential, token_volume
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest
from hypershift.kube import Client, Resource

NAME = "external-dns"
PROXY = Resource("config.openshift.io", "v1", "proxies", "Proxy", namespaced=False)
#: Environment by the field of the proxy's status.
PROXIED = {"httpProxy": "HTTP_PROXY", "httpsProxy": "HTTPS_PROXY", "noProxy": "NO_PROXY"}
RECORDS = ("A", "AAAA", "CNAME", "NS")


def external_dns(options: InstallOptions, credential: Credential | None) -> list[Manifest]:
    """Everything that external-dns needs; nothing without a provider."""
    provider = options.external_dns_provider
    if not provider:
        return []
    account, role, binding = load("external-dns.yaml", options.namespace)
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
    deployment, monitor = load("external-dns-deployment.yaml", options.namespace)
    _fill(options, credential, deployment["spec"]["template"]["spec"])
    secrets = credential.made if credential else []
    return [account, role, binding, *secrets, deployment, monitor]


def _fill(options: InstallOptions, credential: Credential | None, pod: Manifest) -> None:
    container = pod["containers"][0]
    container["image"] = options.external_dns_image
    container["args"] += _arguments(options)
    if environment := _environment(options):
        container["env"] = [{"name": name, "value": value} for name, value in environment.items()]
    if credential:
        container["volumeMounts"] = [{"name": "credentials", "mountPath": "/etc/provider"}]
        pod["volumes"] = [{"name": "credentials", "secret": {"secretName": credential.name}}]
    if _uses_token(options):
        container["env"].append({"name": "AWS_SDK_LOAD_CONFIG", "value": "1"})
        container["volumeMounts"].append({"name": "token", "mountPath": TOKEN_DIRECTORY})
        pod["volumes"].append(token_volume())


def _uses_token(options: InstallOptions) -> bool:
    """Whether external-dns shows the cloud a token of its account."""
    role, source = options.external_dns_role_arn, options.aws_role_credential_source
    return bool(role and options.external_dns_provider == "aws" and source == "web-identity")


def _arguments(options: InstallOptions) -> list[str]:
    provider = options.external_dns_provider
    owner = options.external_dns_txt_owner_id or str(uuid.uuid4())
    common = [
        f"--domain-filter={options.external_dns_domain_filter}",
        f"--provider={provider}",
        "--registry=txt",
        "--txt-suffix=-external-dns",
        f"--txt-owner-id={owner}",
        "--label-filter=hypershift.openshift.io/route-visibility!=private",
        f"--interval={options.external_dns_interval or '1m'}",
        "--txt-cache-interval=1h",
    ]
    match provider:
        case "aws":
            cache = options.external_dns_aws_zones_cache_duration or "1h"
            common += [
                "--aws-zone-type=public",
                "--aws-batch-change-interval=10s",
                f"--aws-zones-cache-duration={cache}",
            ]
        case "azure":
            common.append("--azure-config-file=/etc/provider/credentials")
        case "google":
            common += ["--source=crd", *(f"--managed-record-types={each}" for each in RECORDS)]
            if options.external_dns_google_project:
                common.append(f"--google-project={options.external_dns_google_project}")
        case _:  # other providers take their configuration from the environment alone
            pass
    return common


def _environment(options: InstallOptions) -> dict[str, str]:
    match options.external_dns_provider:
        case "aws":
            return {
                "AWS_SHARED_CREDENTIALS_FILE": "/etc/provider/credentials",
                "AWS_REGION": "us-east-1",
            }
        case "azure":
            return {"AZURE_SDK_MAX_RETRIES": "5"}
        case _:
            return {}


async def through_proxy(client: Client, objects: list[Manifest]) -> list[Manifest]:
    """The objects for an OpenShift cluster: external-dns reaches its cloud as that cluster does."""
    proxy = await client.find(PROXY, "cluster") or {}
    status = proxy.get("status") or {}
    added = [
        {"name": name, "value": status[key]} for key, name in PROXIED.items() if status.get(key)
    ]
    return [_with_environment(each, added) for each in objects]


def _with_environment(manifest: Manifest, added: list[Manifest]) -> Manifest:
    if (manifest["kind"], manifest["metadata"]["name"]) != ("Deployment", NAME) or not added:
        return manifest
    made: Manifest = copy.deepcopy(manifest)
    for container in made["spec"]["template"]["spec"]["containers"]:
        container["env"] = [*container.get("env", ()), *added]
    return made
