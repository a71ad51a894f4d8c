"""What of a release's manifests a guest must not get: a script that leaves them out."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.component import View

PAYLOAD = "/var/payload"

#: Manifests of what runs on the management cluster, or not at all.
OMITTED = (
    "0000_50_olm_00-pprof-config.yaml",
    "0000_50_olm_00-pprof-rbac.yaml",
    "0000_50_olm_00-pprof-secret.yaml",
    "0000_50_olm_01-olm-operator.serviceaccount.yaml",
    "0000_50_olm_02-services.yaml",
    "0000_50_olm_06-psm-operator.deployment.yaml",
    "0000_50_olm_06-psm-operator.deployment.ibm-cloud-managed.yaml",
    "0000_50_olm_06-psm-operator.service.yaml",
    "0000_50_olm_06-psm-operator.servicemonitor.yaml",
    "0000_50_olm_00-packageserver.pdb.yaml",
    "0000_50_olm_07-olm-operator.deployment.ibm-cloud-managed.yaml",
    "0000_50_olm_07-olm-operator.deployment.yaml",
    "0000_50_olm_07-collect-profiles.cronjob.yaml",
    "0000_50_olm_08-catalog-operator.deployment.ibm-cloud-managed.yaml",
    "0000_50_olm_08-catalog-operator.deployment.yaml",
    "0000_50_olm_15-packageserver.clusterserviceversion.yaml",
    "0000_50_olm_99-operatorstatus.yaml",
    "0000_90_olm_00-service-monitor.yaml",
    "0000_50_operator-marketplace_04_service_account.yaml",
    "0000_50_operator-marketplace_05_role.yaml",
    "0000_50_operator-marketplace_06_role_binding.yaml",
    "0000_50_operator-marketplace_07_configmap.yaml",
    "0000_50_operator-marketplace_08_service.yaml",
    "0000_50_operator-marketplace_09_operator-ibm-cloud-managed.yaml",
    "0000_50_operator-marketplace_09_operator.yaml",
    "0000_50_operator-marketplace_10_clusteroperator.yaml",
    "0000_50_operator-marketplace_11_service_monitor.yaml",
    "0000_70_dns-operator_02-deployment-ibm-cloud-managed.yaml",
    "0000_50_cluster-ingress-operator_02-deployment-ibm-cloud-managed.yaml",
    "0000_70_cluster-network-operator_03_deployment-ibm-cloud-managed.yaml",
    "0000_80_machine-config_01_containerruntimeconfigs.crd.yaml",
    "0000_80_machine-config_01_kubeletconfigs.crd.yaml",
    "0000_80_machine-config_01_machineconfigs.crd.yaml",
    "0000_80_machine-config_01_machineconfigpools-Default.crd.yaml",
    "0000_50_cluster-node-tuning-operator_20-performance-profile.crd.yaml",
    "0000_50_cluster-node-tuning-operator_50-operator-ibm-cloud-managed.yaml",
    "0000_50_cluster-image-registry-operator_07-operator-ibm-cloud-managed.yaml",
    "0000_50_cluster-image-registry-operator_07-operator-service.yaml",
    "0000_90_cluster-image-registry-operator_02_operator-servicemonitor.yaml",
    "0000_50_cluster-storage-operator_10_deployment-ibm-cloud-managed.yaml",
    "0000_50_cloud-credential-operator_01-operator-config.yaml",
    "0000_50_cluster-authentication-operator_02_config.cr.yaml",
    "0000_90_etcd-operator_03_prometheusrule.yaml",
    "0000_50_cluster-csi-snapshot-controller-operator_07_deployment-ibm-cloud-managed.yaml",
    "0000_03_marketplace-operator_02_operatorhub.cr.yaml",
)
#: Left out as well, but where the guest itself runs the operators of its storage.
STORAGE = frozenset(
    {
        "0000_50_cluster-storage-operator_10_deployment-ibm-cloud-managed.yaml",
        "0000_50_cluster-csi-snapshot-controller-operator_07_deployment-ibm-cloud-managed.yaml",
    }
)
#: The console logs in by OAuth only where there is an OAuth server.
CONSOLE_OAUTH = "0000_50_console-operator_01-oauth.yaml"


@dataclass(frozen=True, slots=True)
class Leftover:
    """An object that older releases left in guests."""

    version: str
    kind: str
    name: str
    namespace: str = ""

    def deletion(self) -> Iterator[str]:
        """Yield the lines of a manifest that makes the operator delete it."""
        yield from ("---", f"apiVersion: {self.version}", f"kind: {self.kind}", "metadata:")
        yield f"  name: {self.name}"
        if self.namespace:
            yield f"  namespace: {self.namespace}"
        yield "  annotations:"
        yield '    include.release.openshift.io/ibm-cloud-managed: "true"'
        yield '    release.openshift.io/delete: "true"'


LEFTOVERS = (
    Leftover(
        "policy/v1",
        "PodDisruptionBudget",
        "packageserver-pdb",
        "openshift-operator-lifecycle-manager",
    ),
    Leftover(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        "machineconfigs.machineconfiguration.openshift.io",
    ),
    Leftover(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        "machineconfigpools.machineconfiguration.openshift.io",
    ),
    Leftover("apps/v1", "Deployment", "network-operator", "openshift-network-operator"),
    Leftover(
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        "default-account-cluster-network-operator",
    ),
    Leftover(
        "apps/v1",
        "Deployment",
        "cluster-node-tuning-operator",
        "openshift-cluster-node-tuning-operator",
    ),
    Leftover(
        "apps/v1", "Deployment", "cluster-image-registry-operator", "openshift-image-registry"
    ),
    Leftover(
        "apps/v1", "Deployment", "cluster-storage-operator", "openshift-cluster-storage-operator"
    ),
    Leftover(
        "apps/v1",
        "Deployment",
        "csi-snapshot-controller-operator",
        "openshift-cluster-storage-operator",
    ),
    Leftover(
        "apps/v1", "Deployment", "aws-ebs-csi-driver-operator", "openshift-cluster-csi-drivers"
    ),
    Leftover(
        "apps/v1", "Deployment", "aws-ebs-csi-driver-controller", "openshift-cluster-csi-drivers"
    ),
    Leftover(
        "apps/v1", "Deployment", "csi-snapshot-controller", "openshift-cluster-storage-operator"
    ),
    Leftover(
        "apps/v1",
        "Deployment",
        "kube-storage-version-migrator-operator",
        "openshift-kube-storage-version-migrator-operator",
    ),
    Leftover("apps/v1", "Deployment", "migrator", "openshift-kube-storage-version-migrator"),
)
#: The guest's own, where it runs the operators of its storage and of its machines.
KEPT_WITH_STORAGE = frozenset(
    {
        "machineconfigs.machineconfiguration.openshift.io",
        "machineconfigpools.machineconfiguration.openshift.io",
        "cluster-storage-operator",
        "csi-snapshot-controller-operator",
        "aws-ebs-csi-driver-operator",
        "aws-ebs-csi-driver-controller",
        "csi-snapshot-controller",
        "kube-storage-version-migrator-operator",
        "migrator",
    }
)

#: Leaves out what another feature set than the cluster's asks for.
FILTER = """\
for file in $(find /var/payload/manifests/ -name "*.yaml"); do
    IFS=',' read -ra feature_sets <<< "$(cat $file | grep "release.openshift.io/feature-set:" \
| awk '{print $2}')"
    if [[ "${#feature_sets[@]}" -gt 0 ]] && ! [[ " ${feature_sets[*]} " =~ "FEATURE_SET" ]]; then
        rm -vf $file
    fi
done"""


def prepare_script(view: View) -> str:
    """The script that copies the release's manifests and leaves out what must not be applied."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    storage = not view.cloud.hosts_storage_operators
    yield f"cp -R /manifests {PAYLOAD}/"
    for pattern in ("*_deployment.yaml", "*_servicemonitor.yaml"):
        yield f"rm -f {PAYLOAD}/manifests/{pattern}"
    yield f"rm -f {PAYLOAD}/manifests/0000_50_cluster-update-console-plugin_*"
    yield f"cp -R /release-manifests {PAYLOAD}/"
    yield FILTER.replace("FEATURE_SET", view.feature_gate.feature_set or "Default")
    for name in OMITTED:
        if not (storage and name in STORAGE):
            yield f"rm -f {PAYLOAD}/release-manifests/{name}"
    if not view.oauth_enabled:
        yield f"rm -f {PAYLOAD}/release-manifests/{CONSOLE_OAUTH}"
    yield f"cat > {PAYLOAD}/release-manifests/0000_01_cleanup.yaml <<EOF"
    for leftover in LEFTOVERS:
        if not (storage and leftover.name in KEPT_WITH_STORAGE):
            yield from leftover.deletion()
    yield "EOF"
