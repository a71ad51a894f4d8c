"""Who vouches for users, as Go's structs hold it: OIDC providers and OAuth's identity providers."""

from hypershift.operators.hypershift.go_json.shape import (
    DURATION,
    OMIT,
    Items,
    NonZero,
    Pointer,
    Shape,
)

#: A Secret or ConfigMap by its name.
REFERENCE: Shape = {"name": ""}
_NAMED: Shape = {"name": OMIT}

_TLS = NonZero({"certificateAuthority": NonZero(_NAMED)})
_EXTERNAL_CLAIMS: Shape = {
    "authentication": NonZero(
        {
            "type": OMIT,
            "clientCredential": NonZero(
                {
                    "clientID": OMIT,
                    "clientSecret": NonZero(_NAMED),
                    "tokenEndpoint": OMIT,
                    "scopes": OMIT,
                    "tls": _TLS,
                }
            ),
        }
    ),
    "tls": _TLS,
    "url": NonZero({"hostname": OMIT, "pathExpression": OMIT}),
    "mappings": Items({"name": OMIT, "expression": OMIT}),
    "predicates": Items({"expression": OMIT}),
}
_EXPRESSION: Shape = {"expression": OMIT, "message": OMIT}
_OIDC_PROVIDER: Shape = {
    "name": "",
    "issuer": {
        "issuerURL": "",
        "audiences": None,
        "issuerCertificateAuthority": REFERENCE,
        "discoveryURL": OMIT,
    },
    "oidcClients": Items(
        {
            "componentName": "",
            "componentNamespace": "",
            "clientID": "",
            "clientSecret": REFERENCE,
            "extraScopes": None,
        },
        absent=None,
    ),
    "claimMappings": {
        "username": {
            "claim": OMIT,
            "expression": OMIT,
            "prefixPolicy": "",
            "prefix": Pointer({"prefixString": ""}, absent=None),
        },
        "groups": {"claim": "", "expression": OMIT, "prefix": ""},
        "uid": Pointer({"claim": OMIT, "expression": OMIT}),
        "extra": Items({"key": "", "valueExpression": ""}),
    },
    "claimValidationRules": Items(
        {
            "type": "",
            "requiredClaim": Pointer({"claim": "", "requiredValue": ""}),
            "cel": NonZero(_EXPRESSION),
        }
    ),
    "userValidationRules": Items(_EXPRESSION),
    "externalClaimsSources": Items(_EXTERNAL_CLAIMS),
}

AUTHENTICATION: Shape = {
    "type": "",
    "oauthMetadata": REFERENCE,
    "webhookTokenAuthenticators": Items({"kubeConfig": REFERENCE}),
    "webhookTokenAuthenticator": Pointer({"kubeConfig": REFERENCE}),
    "serviceAccountIssuer": "",
    "oidcProviders": Items(_OIDC_PROVIDER),
}

_CLIENT: Shape = {"clientID": "", "clientSecret": REFERENCE}
_REMOTE: Shape = {
    "url": "",
    "ca": REFERENCE,
    "tlsClientCert": REFERENCE,
    "tlsClientKey": REFERENCE,
}
_IDENTITY_PROVIDER: Shape = {
    "name": "",
    "mappingMethod": OMIT,
    "type": "",
    "basicAuth": Pointer(_REMOTE),
    "github": Pointer(
        {**_CLIENT, "organizations": OMIT, "teams": OMIT, "hostname": "", "ca": REFERENCE}
    ),
    "gitlab": Pointer({**_CLIENT, "url": "", "ca": REFERENCE}),
    "google": Pointer({**_CLIENT, "hostedDomain": ""}),
    "htpasswd": Pointer({"fileData": REFERENCE}),
    "keystone": Pointer({**_REMOTE, "domainName": ""}),
    "ldap": Pointer(
        {
            "url": "",
            "bindDN": "",
            "bindPassword": REFERENCE,
            "insecure": False,
            "ca": REFERENCE,
            "attributes": {"id": None, "preferredUsername": OMIT, "name": OMIT, "email": OMIT},
        }
    ),
    "openID": Pointer(
        {
            **_CLIENT,
            "ca": REFERENCE,
            "extraScopes": OMIT,
            "extraAuthorizeParameters": OMIT,
            "issuer": "",
            "claims": {"preferredUsername": OMIT, "name": OMIT, "email": OMIT, "groups": OMIT},
        }
    ),
    "requestHeader": Pointer(
        {
            "loginURL": "",
            "challengeURL": "",
            "ca": REFERENCE,
            "clientCommonNames": OMIT,
            "headers": None,
            "preferredUsernameHeaders": None,
            "nameHeaders": None,
            "emailHeaders": None,
        }
    ),
}

OAUTH: Shape = {
    "identityProviders": Items(_IDENTITY_PROVIDER),
    "tokenConfig": {
        "accessTokenMaxAgeSeconds": OMIT,
        "accessTokenInactivityTimeoutSeconds": OMIT,
        "accessTokenInactivityTimeout": DURATION,
    },
    "templates": {"login": REFERENCE, "providerSelection": REFERENCE, "error": REFERENCE},
}
