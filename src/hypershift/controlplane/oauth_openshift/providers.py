"""Where users' passwords are checked: identity providers as the OAuth server's file has them.

A provider that cannot be written down is left out, and the others work on.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import annotations
from hypershift.api.configuration.identity_providers import (
    BasicAuthProvider,
    GitHubProvider,
    GitLabProvider,
    GoogleProvider,
    HTPasswdProvider,
    IdentityProvider,
    KeystoneProvider,
    LDAPAttributes,
    LDAPProvider,
    OpenIDProvider,
    RequestHeaderProvider,
)
from hypershift.api.configuration.oauth import OAuth
from hypershift.api.meta import NameReference
from hypershift.component import View
from hypershift.kit import InvalidSpec, Manifest

VERSION = "osin.config.openshift.io/v1"
FOLDER = "/etc/oauth/idp"
CLAIM = "claim"
READABLE = 0o640
Document = dict[str, Any]


@dataclass(slots=True)
class Files:
    """The files of one provider: each reference is a volume of the server's pod."""

    number: int
    volumes: list[Manifest] = field(default_factory=list)
    mounts: dict[str, str] = field(default_factory=dict)

    def authority(self, reference: NameReference | None) -> str:
        """The file with the authority of a ConfigMap; empty when none is named."""
        name = _name(reference)
        return self._mounted("cm", "ca", "ca.crt", {"configMap": {"name": name}}) if name else ""

    def secret(self, reference: NameReference | None, called: str, key: str) -> str:
        """The file with a value of a Secret; empty when none is named."""
        name = _name(reference)
        source = {"secret": {"secretName": name, "defaultMode": READABLE}}
        return self._mounted("secret", called, key, source) if name else ""

    def _mounted(self, kind: str, called: str, key: str, source: Manifest) -> str:
        volume = f"idp-{kind}-{self.number}-{called}"
        self.volumes.append({"name": volume, **source})
        self.mounts[volume] = f"{FOLDER}/idp_{kind}_{self.number}_{called}"
        return f"{self.mounts[volume]}/{key}"


@dataclass(frozen=True, slots=True)
class Login:
    """A provider: what kind of document it is, and which clients may use it."""

    kind: str
    document: Document
    challenge: bool = True
    login: bool = True


def identity_providers(view: View) -> list[Document]:
    """The providers, in the user's order."""
    return [made for made, _ in _converted(view) if made is not None]


def files(view: View) -> Iterator[Files]:
    """Yield the files of each provider."""
    return (found for _, found in _converted(view))


def problems(view: View) -> Iterator[str]:
    """Yield why a provider is left out."""
    for number, each in enumerate(_said(view)):
        try:
            _login(view, each, Files(number))
        except InvalidSpec as error:
            yield f"failed to apply IDP {each.name} config: {error}"


def _said(view: View) -> tuple[IdentityProvider, ...]:
    return (view.configuration.oauth or OAuth()).identity_providers or ()


def _converted(view: View) -> Iterator[tuple[Document | None, Files]]:
    for number, each in enumerate(_said(view)):
        found = Files(number)
        try:
            login = _login(view, each, found)
        except InvalidSpec:
            yield None, found
            continue
        yield (
            {
                "name": each.name or "",
                "challenge": login.challenge,
                "login": login.login,
                "mappingMethod": each.mapping_method or CLAIM,
                "provider": {
                    "apiVersion": VERSION,
                    "kind": login.kind,
                    **{key: value for key, value in login.document.items() if value is not None},
                },
            },
            found,
        )


def _login(view: View, said: IdentityProvider, found: Files) -> Login:
    sections: dict[str, tuple[Any, Callable[..., Login]]] = {
        "BasicAuth": (said.basic_auth, basic_auth),
        "GitHub": (said.github, github),
        "GitLab": (said.gitlab, gitlab),
        "Google": (said.google, google),
        "HTPasswd": (said.htpasswd, htpasswd),
        "Keystone": (said.keystone, keystone),
        "LDAP": (said.ldap, ldap),
        "RequestHeader": (said.request_header, request_header),
        "OpenID": (said.open_id, lambda section, files: open_id(view, said, section, files)),
    }
    kind = said.type or ""
    if kind not in sections:
        raise InvalidSpec(f"the identity provider type '{kind}' is not supported")
    section, convert = sections[kind]
    if section is None:
        raise InvalidSpec(f"type {kind} was specified, but its configuration is missing")
    return convert(section, found)


def _name(reference: NameReference | None) -> str:
    return reference.name if reference else ""


def _list(value: tuple[str, ...] | None) -> list[str]:
    return list(value or ())


def _from_file(path: str) -> Document:
    """Write a value that stands in a file."""
    return {"value": "", "env": "", "file": path, "keyFile": ""}


def _client(said: GitHubProvider | GitLabProvider | GoogleProvider, found: Files) -> Document:
    path = found.secret(said.client_secret, "client-secret", "clientSecret")
    return {"clientID": said.client_id or "", "clientSecret": _from_file(path)}


def _remote(said: BasicAuthProvider | KeystoneProvider, found: Files) -> Document:
    """Write a server that passwords are sent to, and how both sides prove who they are."""
    return {
        "url": said.url or "",
        "ca": found.authority(said.ca),
        "certFile": found.secret(said.tls_client_cert, "tls-client-cert", "tls.crt"),
        "keyFile": found.secret(said.tls_client_key, "tls-client-key", "tls.key"),
    }


def basic_auth(said: BasicAuthProvider, found: Files) -> Login:
    return Login("BasicAuthPasswordIdentityProvider", _remote(said, found))


def github(said: GitHubProvider, found: Files) -> Login:
    document = {
        **_client(said, found),
        "organizations": _list(said.organizations),
        "teams": _list(said.teams),
        "hostname": said.hostname or "",
        "ca": found.authority(said.ca),
    }
    return Login("GitHubIdentityProvider", document, challenge=False)


def gitlab(said: GitLabProvider, found: Files) -> Login:
    document = {
        "url": said.url or "",
        **_client(said, found),
        "legacy": False,
        "ca": found.authority(said.ca),
    }
    return Login("GitLabIdentityProvider", document)


def google(said: GoogleProvider, found: Files) -> Login:
    document = {**_client(said, found), "hostedDomain": said.hosted_domain or ""}
    return Login("GoogleIdentityProvider", document, challenge=False)


def htpasswd(said: HTPasswdProvider, found: Files) -> Login:
    path = found.secret(said.file_data, "file-data", "htpasswd")
    return Login("HTPasswdPasswordIdentityProvider", {"file": path})


def keystone(said: KeystoneProvider, found: Files) -> Login:
    document = {
        **_remote(said, found),
        "domainName": said.domain_name or "",
        # Names may change and be given again, identities of Keystone do not.
        "useKeystoneIdentity": True,
    }
    return Login("KeystonePasswordIdentityProvider", document)


def ldap(said: LDAPProvider, found: Files) -> Login:
    attributes = said.attributes or LDAPAttributes()
    document = {
        "url": said.url or "",
        "bindDN": said.bind_dn or "",
        "bindPassword": _from_file(
            found.secret(said.bind_password, "bind-password", "bindPassword")
        ),
        "insecure": bool(said.insecure),
        "ca": found.authority(said.ca),
        "attributes": {
            "id": _list(attributes.id),
            "preferredUsername": _list(attributes.preferred_username),
            "name": _list(attributes.name),
            "email": _list(attributes.email),
        },
    }
    return Login("LDAPPasswordIdentityProvider", document)


def request_header(said: RequestHeaderProvider, found: Files) -> Login:
    document = {
        "loginURL": said.login_url or "",
        "challengeURL": said.challenge_url or "",
        "clientCA": found.authority(said.ca),
        "clientCommonNames": _list(said.client_common_names),
        "headers": _list(said.headers),
        "preferredUsernameHeaders": _list(said.preferred_username_headers),
        "nameHeaders": _list(said.name_headers),
        "emailHeaders": _list(said.email_headers),
    }
    challenge, login = bool(said.challenge_url), bool(said.login_url)
    return Login("RequestHeaderIdentityProvider", document, challenge=challenge, login=login)


def open_id(view: View, whole: IdentityProvider, said: OpenIDProvider, found: Files) -> Login:
    """A provider whose addresses an annotation has; without one they would have to be asked for."""
    path = found.secret(said.client_secret, "client-secret", "clientSecret")
    told = override(view, whole.name or "")
    if told is None:
        raise InvalidSpec("this operator does not ask an issuer for its addresses")
    claims, urls = told.get("claims") or {}, told.get("urls") or {}
    document = {
        "clientID": said.client_id or "",
        "clientSecret": _from_file(path),
        "extraScopes": _list(said.extra_scopes),
        "extraAuthorizeParameters": dict(said.extra_authorize_parameters or {}),
        "urls": {key: urls.get(key, "") for key in ("authorize", "token", "userInfo")},
        "claims": {
            key: claims.get(key) for key in ("id", "preferredUsername", "name", "email", "groups")
        },
        "ca": found.authority(said.ca),
    }
    return Login("OpenIDIdentityProvider", document, challenge=bool(told.get("challenge")))


def override(view: View, name: str) -> Document | None:
    """The addresses and claims that an annotation gives a provider; None where it gives none."""
    try:
        told = json.loads(view.annotation(f"{annotations.IDP_OVERRIDES_PREFIX}{name}") or "null")
    except ValueError:
        return None
    return told if isinstance(told, dict) else None
