"""Keys in the data of Secrets that users give us."""

from typing import Final

#: Credentials for image registries.
DOCKER_CONFIG: Final = ".dockerconfigjson"
#: Public key that opens machines by SSH.
SSH_KEY: Final = "id_rsa.pub"
#: Encryption key.
AESCBC_KEY: Final = "key"
#: Private key that signs service account tokens.
SIGNING_KEY: Final = "key"
#: Its predecessor's public key.
OLD_SIGNING_KEY: Final = "old-key.pub"
#: API key for IBM Cloud KMS.
IBM_KMS_KEY: Final = "iam_apikey"
#: AWS credentials file.
AWS_CREDENTIALS_KEY: Final = "credentials"
#: Kubeconfig of the audit webhook.
AUDIT_WEBHOOK_KEY: Final = "webhook-kubeconfig"
#: Name of the Secret with the kubeconfig of the cluster that hosts virtual machines.
KUBEVIRT_INFRA_CREDENTIALS: Final = "kubevirt-infra-credentials"
