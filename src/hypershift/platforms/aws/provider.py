"""The pod of Cluster API's provider for AWS, with the tokens that it calls AWS by."""

from hypershift.api import annotations
from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms.aws.credentials import KEY, NODE_MANAGEMENT, TOKEN_DIRECTORY
from hypershift.platforms.cluster import ClusterFacts
from hypershift.release import Product, Release, Version

IMAGE = "aws-cluster-api-controllers"
#: OpenShift's image has several programs; ours starts the one that it has.
COMMAND = "/bin/cluster-api-provider-aws-controller-manager"
GROUP = "infrastructure.cluster.x-k8s.io"
KUBECONFIG = "service-network-admin-kubeconfig"
#: The pair that the provider's webhook server insists on; no API server calls it.
CERTIFICATES = "capi-webhooks-tls"
#: The account of the hosted cluster that the provider's role trusts.
ACCOUNT = ("kube-system", "capa-controller-manager")
_KINDS = ("awsclusters", "awsmachines", "awsmachinetemplates")
_HEALTH = 9440
_ROSA_SINCE = Version(4, 16, 0)
_LEASE = (
    "--leader-elect=true",
    "--leader-elect-lease-duration=137s",
    "--leader-elect-retry-period=26s",
    "--leader-elect-renew-deadline=107s",
)
#: What needs rights beyond the namespace, or serves metrics to anybody.
_UPSTREAM = (
    "--feature-gates=EKS=false,ROSA=false,MachinePool=false",
    "--feature-gates=AutoControllerIdentityCreator=false,ExternalResourceGC=false",
    "--diagnostics-address=127.0.0.1:8080",
    "--insecure-diagnostics=true",
)

RULES: tuple[Manifest, ...] = (
    {
        "apiGroups": [GROUP],
        "resources": list(_KINDS),
        "verbs": ["get", "list", "watch", "patch", "update"],
    },
    {
        "apiGroups": [GROUP],
        "resources": [f"{each}/status" for each in _KINDS],
        "verbs": ["get", "patch", "update"],
    },
    {
        "apiGroups": [GROUP],
        "resources": [f"{each}/finalizers" for each in _KINDS],
        "verbs": ["update"],
    },
)


def pod(facts: ClusterFacts) -> Manifest:
    """Provider and token minter; the pod waits for the hosted cluster's kubeconfig."""
    return {
        "tolerations": [{"key": "node-role.kubernetes.io/master", "effect": "NoSchedule"}],
        "containers": [_manager(facts), _token_minter(facts)],
        "volumes": [
            _of_secret("capi-webhooks-tls", CERTIFICATES),
            _of_secret("credentials", NODE_MANAGEMENT),
            _of_secret("svc-kubeconfig", KUBECONFIG),
            {"name": "token", "emptyDir": {"medium": "Memory"}},
        ],
    }


def image(facts: ClusterFacts) -> str:
    """The provider's image: as annotated, else the release's."""
    if chosen := facts.annotation(annotations.CAPI_PROVIDER_AWS_IMAGE):
        return chosen
    if facts.release and (found := facts.release.find(IMAGE)):
        return found
    raise InvalidSpec(
        f"the release has no image {IMAGE}: Cluster API's provider for AWS cannot run. Make a"
        " Kubernetes release with `hypershift payload push --provider-aws`, or name an image in"
        f" the annotation {annotations.CAPI_PROVIDER_AWS_IMAGE}",
        field="spec.release.image",
    )


def _flags(release: Release | None) -> tuple[str, ...]:
    if release is None or release.product is Product.KUBERNETES:
        return _UPSTREAM
    rosa = ",ROSA=false" if release.semantic >= _ROSA_SINCE else ""
    return (f"--feature-gates=EKS=false{rosa}",)


def _manager(facts: ClusterFacts) -> Manifest:
    container: Manifest = {
        "name": "manager",
        "image": image(facts),
        "imagePullPolicy": "IfNotPresent",
        "args": ["--namespace=$(MY_NAMESPACE)", "--v=4", *_LEASE, *_flags(facts.release)],
        "env": [
            {
                "name": "MY_NAMESPACE",
                "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}},
            },
            {"name": "AWS_SHARED_CREDENTIALS_FILE", "value": f"/home/.aws/{KEY}"},
            {"name": "AWS_SDK_LOAD_CONFIG", "value": "true"},
        ],
        "ports": [{"name": "healthz", "containerPort": _HEALTH, "protocol": "TCP"}],
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "healthz"}},
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "healthz"}},
        "resources": {"requests": {"cpu": "10m", "memory": "20Mi"}},
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [
            _mount("capi-webhooks-tls", "/tmp/k8s-webhook-server/serving-certs"),  # noqa: S108
            _mount("credentials", "/home/.aws"),
            _mount("token", TOKEN_DIRECTORY),
        ],
    }
    if facts.release and facts.release.openshift:
        container["command"] = [COMMAND]
    return container


def _token_minter(facts: ClusterFacts) -> Manifest:
    namespace, account = ACCOUNT
    found = facts.release.find("token-minter") if facts.release else ""
    return {
        "name": "token-minter",
        "image": found or facts.operator_image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["/usr/bin/control-plane-operator", "token-minter"],
        "args": [
            f"--service-account-namespace={namespace}",
            f"--service-account-name={account}",
            "--token-audience=openshift",
            f"--token-file={TOKEN_DIRECTORY}/token",
            "--kubeconfig=/etc/kubernetes/kubeconfig",
        ],
        "resources": {"requests": {"cpu": "10m", "memory": "10Mi"}},
        "volumeMounts": [
            {"name": "token", "mountPath": TOKEN_DIRECTORY},
            _mount("svc-kubeconfig", "/etc/kubernetes"),
        ],
    }


def _of_secret(volume: str, secret: str) -> Manifest:
    return {"name": volume, "secret": {"secretName": secret, "defaultMode": 0o640}}


def _mount(volume: str, path: str) -> Manifest:
    return {"name": volume, "mountPath": path, "readOnly": True}
