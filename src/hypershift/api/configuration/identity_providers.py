"""Where users of the built-in OAuth server log in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Shape, Value


class IdentityProvider(Shape):
    """A place where users log in. Only the stanza of its type may be set."""

    basic_auth: Annotated[
        BasicAuthProvider | None,
        Field("A service that checks name and password; with `type: BasicAuth`."),
    ] = None
    github: Annotated[
        GitHubProvider | None, Field("GitHub or GitHub Enterprise; with `type: GitHub`.")
    ] = None
    gitlab: Annotated[GitLabProvider | None, Field("GitLab; with `type: GitLab`.")] = None
    google: Annotated[GoogleProvider | None, Field("Google; with `type: Google`.")] = None
    htpasswd: Annotated[
        HTPasswdProvider | None,
        Field("A file of names and hashed passwords; with `type: HTPasswd`."),
    ] = None
    keystone: Annotated[
        KeystoneProvider | None, Field("OpenStack Keystone v3; with `type: Keystone`.")
    ] = None
    ldap: Annotated[LDAPProvider | None, Field("An LDAP directory; with `type: LDAP`.")] = None
    mapping_method: Annotated[
        str | None,
        Field(
            "How logins become users: `claim` refuses a name that another provider's login"
            " holds, `lookup` only admits users made beforehand, `add` joins logins under one"
            " name. Default claim."
        ),
    ] = None
    name: Annotated[
        str | None,
        Field(
            "Name shown to users, unique, without `/`. It becomes part of the user's"
            " identity: a change makes new identities."
        ),
    ] = None
    open_id: Annotated[
        OpenIDProvider | None, Field("An OpenID Connect provider; with `type: OpenID`.")
    ] = None
    request_header: Annotated[
        RequestHeaderProvider | None,
        Field("A proxy that authenticates and passes headers; with `type: RequestHeader`."),
    ] = None
    type: Annotated[str | None, Field("Kind of provider.")] = None


class BasicAuthProvider(Shape):
    """A service that checks name and password by HTTP basic authentication."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the service. Default: the system's."
        ),
    ] = None
    tls_client_cert: Annotated[
        NameReference | None, Field("Secret (key `tls.crt`) with a client certificate.")
    ] = None
    tls_client_key: Annotated[
        NameReference | None, Field("Secret (key `tls.key`) with its key.")
    ] = None
    url: Annotated[str | None, Field("Address of the service.")] = None


class GitHubProvider(Shape):
    """GitHub or GitHub Enterprise."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates of GitHub Enterprise; only with"
            " `hostname`."
        ),
    ] = None
    client_id: Annotated[str | None, Field("Id of the OAuth application.")] = None
    client_secret: Annotated[
        NameReference | None, Field("Secret (key `clientSecret`) of the OAuth application.")
    ] = None
    hostname: Annotated[str | None, Field("Host of GitHub Enterprise. Unset means github.com.")] = (
        None
    )
    organizations: Annotated[
        tuple[str, ...],
        Field("Organisations of which users must be members. Not together with `teams`."),
    ] = ()
    teams: Annotated[
        tuple[str, ...], Field("Teams, `organisation/team`, of which users must be members.")
    ] = ()


class GitLabProvider(Shape):
    """GitLab."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the address. Default: the system's."
        ),
    ] = None
    client_id: Annotated[str | None, Field("Id of the OAuth application.")] = None
    client_secret: Annotated[
        NameReference | None, Field("Secret (key `clientSecret`) of the OAuth application.")
    ] = None
    url: Annotated[str | None, Field("Address of GitLab.")] = None


class GoogleProvider(Shape):
    """Google accounts."""

    client_id: Annotated[str | None, Field("Id of the OAuth client.")] = None
    client_secret: Annotated[
        NameReference | None, Field("Secret (key `clientSecret`) of the OAuth client.")
    ] = None
    hosted_domain: Annotated[
        str | None,
        Field(
            "Google Workspace domain that users must belong to. Unset admits every Google account."
        ),
    ] = None


class HTPasswdProvider(Shape):
    """A file of names and hashed passwords."""

    file_data: Annotated[NameReference | None, Field("Secret (key `htpasswd`) with the file.")] = (
        None
    )


class KeystoneProvider(Shape):
    """OpenStack Keystone v3."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the address. Default: the system's."
        ),
    ] = None
    domain_name: Annotated[str | None, Field("Keystone domain of the users.")] = None
    tls_client_cert: Annotated[
        NameReference | None, Field("Secret (key `tls.crt`) with a client certificate.")
    ] = None
    tls_client_key: Annotated[
        NameReference | None, Field("Secret (key `tls.key`) with its key.")
    ] = None
    url: Annotated[str | None, Field("Address of Keystone.")] = None


class LDAPProvider(Shape):
    """An LDAP directory."""

    attributes: Annotated[
        LDAPAttributes | None, Field("Which attributes hold what we need to know about a user.")
    ] = None
    bind_dn: Annotated[
        str | None, Field("Distinguished name to search with. Unset searches anonymously.")
    ] = None
    bind_password: Annotated[
        NameReference | None, Field("Secret (key `bindPassword`) with the password of `bindDN`.")
    ] = None
    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates of the server. Default: the system's."
        ),
    ] = None
    insecure: Annotated[
        bool | None,
        Field(
            "Whether to talk to the server without TLS. Default false; must be false for"
            " `ldaps://`."
        ),
    ] = None
    url: Annotated[
        str | None,
        Field("Where and how to search: `ldap://host:port/basedn?attribute?scope?filter`."),
    ] = None


class LDAPAttributes(Shape):
    """Which LDAP attributes describe a user; the first that is not empty counts."""

    email: Annotated[
        tuple[str, ...], Field("Attributes with the email address. Unset gives none.")
    ] = ()
    id: Annotated[
        tuple[str, ...], Field("Attributes with the unique id; at least one, commonly `dn`.")
    ] = ()
    name: Annotated[tuple[str, ...], Field("Attributes with the display name. Default `cn`.")] = ()
    preferred_username: Annotated[
        tuple[str, ...], Field("Attributes with the wished user name. Default `uid`.")
    ] = ()


class OpenIDProvider(Shape):
    """An OpenID Connect provider."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the issuer. Default: the system's."
        ),
    ] = None
    claims: Annotated[
        OpenIDClaims | None, Field("Which claims hold what we need to know about a user.")
    ] = None
    client_id: Annotated[str | None, Field("Id of the client at the provider.")] = None
    client_secret: Annotated[
        NameReference | None, Field("Secret (key `clientSecret`) of the client.")
    ] = None
    extra_authorize_parameters: Annotated[
        Mapping[str, str] | None, Field("Parameters added to the request for authorisation.")
    ] = None
    extra_scopes: Annotated[tuple[str, ...], Field("Scopes to ask for besides `openid`.")] = ()
    issuer: Annotated[
        str | None, Field("Address of the issuer, https, without query or fragment.")
    ] = None


class OpenIDClaims(Shape):
    """Which claims describe a user; the first that is not empty counts."""

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
    name: Annotated[
        tuple[str, ...], Field("Claims with the display name.", list_type="atomic")
    ] = ()
    preferred_username: Annotated[
        tuple[str, ...],
        Field("Claims with the wished user name. Unset uses `sub`.", list_type="atomic"),
    ] = ()


class RequestHeaderProvider(Shape):
    """A proxy that authenticates users and passes headers."""

    ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca.crt`) with CA certificates for the proxy's client"
            " certificate. Without it anybody could pretend to be the proxy."
        ),
    ] = None
    challenge_url: Annotated[
        str | None,
        Field(
            "Where clients without a browser are sent to; `${url}` and `${query}` are filled in."
        ),
    ] = None
    client_common_names: Annotated[
        tuple[str, ...],
        Field("Common names that the proxy's certificate may have. Unset allows any."),
    ] = ()
    email_headers: Annotated[
        tuple[str, ...], Field("Headers with the email address; the first that is set counts.")
    ] = ()
    headers: Annotated[
        tuple[str, ...], Field("Headers with the user's identity; the first that is set counts.")
    ] = ()
    login_url: Annotated[
        str | None, Field("Where browsers are sent to; `${url}` and `${query}` are filled in.")
    ] = None
    name_headers: Annotated[tuple[str, ...], Field("Headers with the display name.")] = ()
    preferred_username_headers: Annotated[
        tuple[str, ...], Field("Headers with the wished user name.")
    ] = ()
