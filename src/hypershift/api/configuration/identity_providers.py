"""Where users of the built-in OAuth server log in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Go, Refers, Shape, Value


class IdentityProvider(Shape):
    """A place where users log in. Only the stanza of its type may be set."""

    name: Annotated[
        str | None,
        Field(
            "Name shown to users, unique, without `/`. It becomes part of the user's"
            " identity: a change makes new identities.",
            go=Go.ALWAYS,
        ),
    ] = None
    mapping_method: Annotated[
        str | None,
        Field(
            "How logins become users: `claim` refuses a name that another provider's login"
            " holds, `lookup` only admits users made beforehand, `add` joins logins under one"
            " name. Default claim."
        ),
    ] = None
    type: Annotated[str | None, Field("Kind of provider.", go=Go.ALWAYS)] = None
    basic_auth: Annotated[
        BasicAuthProvider | None,
        Field("A service that checks name and password; with `type: BasicAuth`.", go=Go.POINTER),
    ] = None
    github: Annotated[
        GitHubProvider | None,
        Field("GitHub or GitHub Enterprise; with `type: GitHub`.", go=Go.POINTER),
    ] = None
    gitlab: Annotated[
        GitLabProvider | None, Field("GitLab; with `type: GitLab`.", go=Go.POINTER)
    ] = None
    google: Annotated[
        GoogleProvider | None, Field("Google; with `type: Google`.", go=Go.POINTER)
    ] = None
    htpasswd: Annotated[
        HTPasswdProvider | None,
        Field("A file of names and hashed passwords; with `type: HTPasswd`.", go=Go.POINTER),
    ] = None
    keystone: Annotated[
        KeystoneProvider | None,
        Field("OpenStack Keystone v3; with `type: Keystone`.", go=Go.POINTER),
    ] = None
    ldap: Annotated[
        LDAPProvider | None, Field("An LDAP directory; with `type: LDAP`.", go=Go.POINTER)
    ] = None
    open_id: Annotated[
        OpenIDProvider | None,
        Field("An OpenID Connect provider; with `type: OpenID`.", go=Go.POINTER),
    ] = None
    request_header: Annotated[
        RequestHeaderProvider | None,
        Field(
            "A proxy that authenticates and passes headers; with `type: RequestHeader`.",
            go=Go.POINTER,
        ),
    ] = None


class BasicAuthProvider(Shape):
    """A service that checks name and password by HTTP basic authentication."""

    url: Annotated[str | None, Field("Address of the service.", go=Go.ALWAYS)] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the service. Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    tls_client_cert: Annotated[
        NameReference | None,
        Field("Secret (key `tls.crt`) with a client certificate.", refers=Refers.SECRET),
    ] = None
    tls_client_key: Annotated[
        NameReference | None, Field("Secret (key `tls.key`) with its key.", refers=Refers.SECRET)
    ] = None


class GitHubProvider(Shape):
    """GitHub or GitHub Enterprise."""

    client_id: Annotated[str | None, Field("Id of the OAuth application.", go=Go.ALWAYS)] = None
    client_secret: Annotated[
        NameReference | None,
        Field("Secret (key `clientSecret`) of the OAuth application.", refers=Refers.SECRET),
    ] = None
    organizations: Annotated[
        tuple[str, ...],
        Field("Organisations of which users must be members. Not together with `teams`."),
    ] = ()
    teams: Annotated[
        tuple[str, ...], Field("Teams, `organisation/team`, of which users must be members.")
    ] = ()
    hostname: Annotated[
        str | None, Field("Host of GitHub Enterprise. Unset means github.com.", go=Go.ALWAYS)
    ] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates of GitHub Enterprise; only with"
            " `hostname`.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None


class GitLabProvider(Shape):
    """GitLab."""

    client_id: Annotated[str | None, Field("Id of the OAuth application.", go=Go.ALWAYS)] = None
    client_secret: Annotated[
        NameReference | None,
        Field("Secret (key `clientSecret`) of the OAuth application.", refers=Refers.SECRET),
    ] = None
    url: Annotated[str | None, Field("Address of GitLab.", go=Go.ALWAYS)] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the address. Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None


class GoogleProvider(Shape):
    """Google accounts."""

    client_id: Annotated[str | None, Field("Id of the OAuth client.", go=Go.ALWAYS)] = None
    client_secret: Annotated[
        NameReference | None,
        Field("Secret (key `clientSecret`) of the OAuth client.", refers=Refers.SECRET),
    ] = None
    hosted_domain: Annotated[
        str | None,
        Field(
            "Google Workspace domain that users must belong to. Unset admits every Google account.",
            go=Go.ALWAYS,
        ),
    ] = None


class HTPasswdProvider(Shape):
    """A file of names and hashed passwords."""

    file_data: Annotated[
        NameReference | None, Field("Secret (key `htpasswd`) with the file.", refers=Refers.SECRET)
    ] = None


class KeystoneProvider(Shape):
    """OpenStack Keystone v3."""

    url: Annotated[str | None, Field("Address of Keystone.", go=Go.ALWAYS)] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the address. Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    tls_client_cert: Annotated[
        NameReference | None,
        Field("Secret (key `tls.crt`) with a client certificate.", refers=Refers.SECRET),
    ] = None
    tls_client_key: Annotated[
        NameReference | None, Field("Secret (key `tls.key`) with its key.", refers=Refers.SECRET)
    ] = None
    domain_name: Annotated[str | None, Field("Keystone domain of the users.", go=Go.ALWAYS)] = None


class LDAPProvider(Shape):
    """An LDAP directory."""

    url: Annotated[
        str | None,
        Field(
            "Where and how to search: `ldap://host:port/basedn?attribute?scope?filter`.",
            go=Go.ALWAYS,
        ),
    ] = None
    bind_dn: Annotated[
        str | None,
        Field("Distinguished name to search with. Unset searches anonymously.", go=Go.ALWAYS),
    ] = None
    bind_password: Annotated[
        NameReference | None,
        Field("Secret (key `bindPassword`) with the password of `bindDN`.", refers=Refers.SECRET),
    ] = None
    insecure: Annotated[
        bool | None,
        Field(
            "Whether to talk to the server without TLS. Default false; must be false for"
            " `ldaps://`.",
            go=Go.ALWAYS,
        ),
    ] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates of the server. Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    attributes: Annotated[
        LDAPAttributes | None, Field("Which attributes hold what we need to know about a user.")
    ] = None


class LDAPAttributes(Shape):
    """Which LDAP attributes describe a user; the first that is not empty counts."""

    id: Annotated[
        tuple[str, ...],
        Field("Attributes with the unique id; at least one, commonly `dn`.", go=Go.ALWAYS),
    ] = ()
    preferred_username: Annotated[
        tuple[str, ...], Field("Attributes with the wished user name. Default `uid`.")
    ] = ()
    name: Annotated[tuple[str, ...], Field("Attributes with the display name. Default `cn`.")] = ()
    email: Annotated[
        tuple[str, ...], Field("Attributes with the email address. Unset gives none.")
    ] = ()


class OpenIDProvider(Shape):
    """An OpenID Connect provider."""

    client_id: Annotated[str | None, Field("Id of the client at the provider.", go=Go.ALWAYS)] = (
        None
    )
    client_secret: Annotated[
        NameReference | None,
        Field("Secret (key `clientSecret`) of the client.", refers=Refers.SECRET),
    ] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the issuer. Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    extra_scopes: Annotated[tuple[str, ...], Field("Scopes to ask for besides `openid`.")] = ()
    extra_authorize_parameters: Annotated[
        Mapping[str, str] | None, Field("Parameters added to the request for authorisation.")
    ] = None
    issuer: Annotated[
        str | None, Field("Address of the issuer, https, without query or fragment.", go=Go.ALWAYS)
    ] = None
    claims: Annotated[
        OpenIDClaims | None, Field("Which claims hold what we need to know about a user.")
    ] = None


class OpenIDClaims(Shape):
    """Which claims describe a user; the first that is not empty counts."""

    preferred_username: Annotated[
        tuple[str, ...],
        Field("Claims with the wished user name. Unset uses `sub`.", list_type="atomic"),
    ] = ()
    name: Annotated[
        tuple[str, ...], Field("Claims with the display name.", list_type="atomic")
    ] = ()
    email: Annotated[
        tuple[str, ...], Field("Claims with the email address.", list_type="atomic")
    ] = ()
    groups: Annotated[
        tuple[str, ...],
        Field(
            "Claims with the groups; users are put into these groups at login.",
            items=Value(min_length=1),
            list_type="atomic",
        ),
    ] = ()


class RequestHeaderProvider(Shape):
    """A proxy that authenticates users and passes headers."""

    login_url: Annotated[
        str | None,
        Field("Where browsers are sent to; `${url}` and `${query}` are filled in.", go=Go.ALWAYS),
    ] = None
    challenge_url: Annotated[
        str | None,
        Field(
            "Where clients without a browser are sent to; `${url}` and `${query}` are filled in.",
            go=Go.ALWAYS,
        ),
    ] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the proxy's client"
            " certificate. Without it anybody could pretend to be the proxy.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    client_common_names: Annotated[
        tuple[str, ...],
        Field("Common names that the proxy's certificate may have. Unset allows any."),
    ] = ()
    headers: Annotated[
        tuple[str, ...],
        Field("Headers with the user's identity; the first that is set counts.", go=Go.ALWAYS),
    ] = ()
    preferred_username_headers: Annotated[
        tuple[str, ...], Field("Headers with the wished user name.", go=Go.ALWAYS)
    ] = ()
    name_headers: Annotated[
        tuple[str, ...], Field("Headers with the display name.", go=Go.ALWAYS)
    ] = ()
    email_headers: Annotated[
        tuple[str, ...],
        Field("Headers with the email address; the first that is set counts.", go=Go.ALWAYS),
    ] = ()
