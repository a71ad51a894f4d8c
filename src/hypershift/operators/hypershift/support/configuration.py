"""Support of `spec.configuration` and `spec.operatorConfiguration`."""

from hypershift.operators.hypershift.support.rows import (
    Support,
    harmless,
    honoured,
    ignored,
    refused,
)
from hypershift.release import Product

_OPENSHIFT = Product.OPENSHIFT
_UNREAD = "the operator has no reader for it yet"
_NO_OPERATOR = "a Kubernetes release does not have the operator that reads it: remove it"

API_SERVER: tuple[Support, ...] = (
    *honoured(
        "kube-apiserver",
        "configuration.apiServer.servingCerts",
        "configuration.apiServer.tlsSecurityProfile",
        "configuration.apiServer.audit",
    ),
    refused(
        "configuration.apiServer.clientCA",
        "the API server trusts client certificates of the operator's own authorities alone,"
        " users of this one could not log in: use configuration.authentication with OIDC",
    ),
    ignored("configuration.apiServer.clientCA", _UNREAD, _OPENSHIFT),
    *honoured(
        "kube-apiserver",
        "configuration.apiServer.additionalCORSAllowedOrigins",
        product=_OPENSHIFT,
    ),
    refused(
        "configuration.apiServer.additionalCORSAllowedOrigins",
        "the API server of a Kubernetes release answers no origin but its own: remove it",
    ),
    refused(
        "configuration.apiServer.encryption",
        "encryption is configured by spec.secretEncryption: use that",
        None,
        allows=("identity",),
    ),
    refused("configuration.apiServer.tlsAdherence", "no component reads it: remove it", None),
)

AUTHENTICATION: tuple[Support, ...] = (
    *honoured("kube-apiserver", "configuration.authentication.type", product=_OPENSHIFT),
    refused(
        "configuration.authentication.type",
        "a Kubernetes release has no OAuth server: use type OIDC, or None for client"
        " certificates and service accounts",
        allows=("None", "OIDC"),
    ),
    *honoured("kube-apiserver", "configuration.authentication.oidcProviders"),
    ignored(
        "configuration.authentication.oidcProviders.oidcClients",
        "there is no console that could log in by it",
    ),
    refused(
        "configuration.authentication.oidcProviders.externalClaimsSources",
        "the API server takes claims from tokens alone, users would lack groups: remove it",
        None,
    ),
    *honoured(
        "kube-apiserver",
        "configuration.authentication.oauthMetadata",
        "configuration.authentication.webhookTokenAuthenticator",
        product=_OPENSHIFT,
    ),
    refused(
        "configuration.authentication.oauthMetadata",
        "a Kubernetes release has no OAuth server to describe: remove it",
    ),
    *(
        refused(
            f"configuration.authentication.{name}",
            "the API server of a Kubernetes release asks no webhook about tokens: use type OIDC",
        )
        for name in ("webhookTokenAuthenticator", "webhookTokenAuthenticators")
    ),
    ignored("configuration.authentication.webhookTokenAuthenticators", _UNREAD, _OPENSHIFT),
    refused(
        "configuration.authentication.serviceAccountIssuer",
        "the issuer of service account tokens is spec.issuerURL: use that",
    ),
    ignored(
        "configuration.authentication.serviceAccountIssuer",
        "the issuer of service account tokens is spec.issuerURL",
        _OPENSHIFT,
    ),
    refused(
        "configuration.oauth",
        "a Kubernetes release has no OAuth server: use configuration.authentication with type OIDC",
    ),
    *honoured("oauth-openshift", "configuration.oauth", product=_OPENSHIFT),
    ignored(
        "configuration.oauth.identityProviders.openID",
        "an issuer's addresses are known by the annotation idpoverrides alone",
        _OPENSHIFT,
    ),
)

NODES: tuple[Support, ...] = (
    *honoured("configuration of nodes", "configuration.image", product=_OPENSHIFT),
    refused(
        "configuration.image",
        "nodes of a Kubernetes release do not read it: give the NodePool an"
        " ImageDigestMirrorSet or a MachineConfig by its spec.config, and authorities by"
        " spec.additionalTrustBundle",
    ),
    *honoured(
        "configuration of nodes",
        "configuration.proxy.httpProxy",
        "configuration.proxy.noProxy",
    ),
    *honoured(
        "configuration of nodes; a NodePool is refused (ValidMachineConfig) when its nodes would"
        " reach the API server through the proxy, unless the image of the cluster's operators"
        " has kubernetes-default-proxy",
        "configuration.proxy.httpsProxy",
    ),
    *honoured(
        "ValidProxyConfiguration, copied to the control plane",
        "configuration.proxy.trustedCA",
        product=_OPENSHIFT,
    ),
    *honoured(
        "ValidProxyConfiguration, configuration of nodes",
        "configuration.proxy.trustedCA",
        product=Product.KUBERNETES,
    ),
    ignored("configuration.proxy.readinessEndpoints", "no program probes a proxy before using it"),
)

CLUSTER: tuple[Support, ...] = (
    *honoured(
        "control plane components",
        "configuration.featureGate",
        product=_OPENSHIFT,
    ),
    *honoured(
        "kube-apiserver, kube-controller-manager, kube-scheduler",
        "configuration.featureGate.customNoUpgrade",
    ),
    refused(
        "configuration.featureGate.featureSet",
        "a Kubernetes release has no feature sets: use CustomNoUpgrade and name the gates in"
        " customNoUpgrade",
        allows=("CustomNoUpgrade",),
        fixed=True,
    ),
    *honoured("the ingress operator", "configuration.ingress", product=_OPENSHIFT),
    refused("configuration.ingress", _NO_OPERATOR),
    *honoured("kube-apiserver", "configuration.network.serviceNodePortRange"),
    *honoured("kube-apiserver", "configuration.network.externalIP.policy", product=_OPENSHIFT),
    refused(
        "configuration.network",
        "networks are configured by spec.networking: use that",
    ),
    ignored("configuration.network", "networks are configured by spec.networking", _OPENSHIFT),
    refused("configuration.operatorhub", _NO_OPERATOR),
    ignored("configuration.operatorhub.sources", _UNREAD, _OPENSHIFT),
    *honoured(
        "catalogs of operators",
        "configuration.operatorhub.disableAllDefaultSources",
        product=_OPENSHIFT,
    ),
    *honoured("kube-scheduler", "configuration.scheduler.profile"),
    *honoured("kube-scheduler", "configuration.scheduler.policy", product=_OPENSHIFT),
    refused(
        "configuration.scheduler.policy",
        "the scheduler of a Kubernetes release reads no policy: use profile",
    ),
    *honoured("kube-apiserver", "configuration.scheduler.defaultNodeSelector", product=_OPENSHIFT),
    refused(
        "configuration.scheduler.defaultNodeSelector",
        "a Kubernetes release has no projects that could have one, pods would run on every node:"
        " remove it",
    ),
    refused(
        "configuration.scheduler.profileCustomizations",
        "the scheduler does not read it: switch the feature gate on by configuration.featureGate",
    ),
    ignored("configuration.scheduler.profileCustomizations", _UNREAD, _OPENSHIFT),
    *harmless(
        "a hosted cluster has no masters among its nodes",
        "configuration.scheduler.mastersSchedulable",
    ),
)

OPERATORS: tuple[Support, ...] = (
    refused("operatorConfiguration", _NO_OPERATOR),
    ignored("operatorConfiguration", _UNREAD, _OPENSHIFT),
    *harmless(
        "a Kubernetes release has no Multus that could be disabled",
        "operatorConfiguration.clusterNetworkOperator.disableMultiNetwork",
        product=Product.KUBERNETES,
    ),
    *honoured(
        "the network operator",
        "operatorConfiguration.clusterNetworkOperator",
        product=_OPENSHIFT,
    ),
    *honoured("the ingress operator", "operatorConfiguration.ingressOperator", product=_OPENSHIFT),
)

ROWS: tuple[Support, ...] = (*API_SERVER, *AUTHENTICATION, *NODES, *CLUSTER, *OPERATORS)
